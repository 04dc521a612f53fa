#include "harness/words/translated.hpp"

#include <gtest/gtest.h>

#include "harness/base/reasons.hpp"
#include "harness/words/recorded_phrases.hpp"

namespace bench::test {
namespace {

TEST(Recorded, IdeasAndReasonsAreSaidInTheLanguage) {
  EXPECT_EQ(translated("the same loop, divided among the threads", Language::pt),
            "o mesmo laço, repartido pelas threads");
  EXPECT_EQ(translated("x.copy(): a new array for the result", Language::fr),
            "x.copy()\u00A0: un nouveau tableau pour le résultat");
  const Reason reason = said<reasons::built_without_cuda>();
  EXPECT_EQ(reason, "built without CUDA");
  EXPECT_EQ(translated(reason, Language::fr), "compilé sans CUDA");
  EXPECT_EQ(translated(reason, Language::en), reason.text);
}

TEST(Recorded, PlacesKeepTheirFigures) {
  const Reason slow = said<reasons::too_slow>(10'000'000, 1'000'000, "1e6");
  EXPECT_EQ(slow, "too slow for 10000000 elements: measured up to 1000000 (--size 1e6)");
  EXPECT_EQ(translated(slow, Language::es),
            "demasiado lenta para 10000000 elementos: medida hasta 1000000 (--size 1e6)");
}

TEST(Recorded, AmountsAreWrittenAsTheLanguageDoesAndVersionsWithAPoint) {
  EXPECT_EQ(translated(said<reasons::system_refused>("3.2 GB"), Language::fr),
            "mémoire\u00A0: le système a refusé 3,2\u00A0Go");
  EXPECT_NE(translated(said<reasons::driver_knows>("CUDA 12.4", "CUDA 13.0"), Language::pt)
                .find("CUDA 12.4, "),
            std::string::npos);
}

TEST(Recorded, AReasonInsideAnotherOneIsTranslatedToo) {
  EXPECT_EQ(translated(said<reasons::no_device_because>(said<reasons::no_driver>()), Language::pt),
            "sem dispositivo: não há driver NVIDIA neste nó");
  const Reason wrong = said<reasons::wrong_elements>(
      2, 10, 3, said<reasons::instead_of_by>("2.5", "3", "2.1e+06 ulp", "4"));
  EXPECT_EQ(
      translated(said<reasons::found_when>(said<reasons::on_other_inputs>(), wrong), Language::fr),
      "sur d’autres entrées\u00A0: 2 éléments sur 10 sont faux, le premier à l’indice 3\u00A0: 2,5 "
      "au lieu de 3 (erreur 2,1e+06\u00A0ulp, tolérance 4)");
}

TEST(Recorded, WhatIsNotOursIsQuoted) {
  for (const char* const foreign :
       {"", "no", "a shell: command not found", "{0}", "use of memory", "no device: {0}{1}{9}"}) {
    EXPECT_EQ(translated(foreign, Language::pt), foreign);
    EXPECT_EQ(translated(said<reasons::no_device_because>(foreign), Language::pt),
              "sem dispositivo: " + std::string(foreign));
  }
}

TEST(Recorded, WhatAFileSaysOfItsSentencesIsNotTrusted) {
  const Explanations all{{"of another version", {"no_such_key", {}}},
                         {"with too few values", {"too_slow", {"1"}}},
                         {"of itself", {"no_device_because", {"of itself"}}},
                         {"of more than it is", {"both", {"of more than", "more than it is"}}}};
  for (const auto& [sentence, reason] : all) {
    EXPECT_EQ(translated(explained(sentence, all), Language::pt), sentence);
    EXPECT_EQ(kind_of_sentence(explained(sentence, all)), sentence);
  }
  const Reason itself = explained("of itself", all);
  EXPECT_EQ(said_together({itself, itself}), "of itself");
}

TEST(Recorded, AnExplanationIsThatOfItsOwnFile) {
  const std::string sentence = "a device is not here";
  const Explanations one{{sentence, {"no_device", {}}}};
  const Explanations other{{sentence, {"built_without_cuda", {}}}};
  EXPECT_EQ(translated(explained(sentence, one), Language::fr), "pas de GPU");
  EXPECT_EQ(translated(explained(sentence, other), Language::fr), "compilé sans CUDA");
  EXPECT_EQ(translated(sentence, Language::fr), sentence);
}

TEST(Recorded, SentencesOfAKindAreOneFromLeastToMost) {
  const Reason few = said<reasons::time_taken_away>("3", "0.1");
  const Reason many = said<reasons::time_taken_away>("12", "4.2");
  EXPECT_EQ(kind_of_sentence(few), kind_of_sentence(many));
  EXPECT_TRUE(said_together({few, many}).starts_with("3–12"));
}

}  // namespace
}  // namespace bench::test
