#include "harness/tables/translated.hpp"

#include <gtest/gtest.h>

#include "harness/tables/recorded_phrases.hpp"

namespace bench::test {
namespace {

TEST(Recorded, IdeasAndReasonsAreSaidInTheLanguage) {
  EXPECT_EQ(translated("the same loop, divided among the threads", Language::pt),
            "o mesmo laço, repartido pelas threads");
  EXPECT_EQ(translated("built without CUDA", Language::fr), "compilé sans CUDA");
  EXPECT_EQ(translated("built without CUDA", Language::en), "built without CUDA");
}

TEST(Recorded, PlacesKeepTheirFigures) {
  EXPECT_EQ(translated("too slow for 10000000 elements: measured up to 1000000 (--size 1e6)",
                       Language::es),
            "demasiado lenta para 10000000 elementos: medida hasta 1000000 (--size 1e6)");
  EXPECT_EQ(translated("memory: needs 3.2 GB, 412 MB available (free on the node); the largest "
                       "size that fits is 51000000",
                       Language::pt),
            "memória: precisa de 3,2\u00A0GB, há 412\u00A0MB (livre no nó); o maior tamanho que "
            "cabe é 51000000");
}

TEST(Recorded, AmountsHaveTheUnitsOfTheLanguage) {
  EXPECT_EQ(translated("memory: the system refused 3.2 GB", Language::fr),
            "mémoire\u00A0: le système a refusé 3,2\u00A0Go");
}

TEST(Recorded, FiguresAreWrittenAsTheLanguageDoesAndVersionsWithAPoint) {
  EXPECT_EQ(translated("12 % of the threads' time was taken away before the measurement began, up "
                       "to 4.2 ms at a time: by interrupts, daemons, other tasks or a hypervisor",
                       Language::fr)
                .find('.'),
            std::string::npos);
  EXPECT_NE(translated("the driver knows CUDA 12.4, the program was built with 13.0: build it with "
                       "an older CUDA module",
                       Language::pt)
                .find("CUDA 12.4, "),
            std::string::npos);
}

TEST(Recorded, AReasonInsideAnotherOneIsTranslatedToo) {
  EXPECT_EQ(translated("no device: no NVIDIA driver on this node", Language::pt),
            "sem dispositivo: não há driver NVIDIA neste nó");
  EXPECT_EQ(
      translated("on other inputs: 2 of 10 elements are wrong, the first at index 3: 2.5 instead "
                 "of 3 (error 2.1e+06 ulp, tolerance 4)",
                 Language::fr),
      "sur d’autres entrées\u00A0: 2 éléments sur 10 sont faux, le premier à l’indice 3\u00A0: 2,5 "
      "au lieu de 3 (erreur 2,1e+06\u00A0ulp, tolérance 4)");
}

TEST(Recorded, WhatIsNotOursIsQuoted) {
  for (const char* foreign :
       {"", "no", "a shell: command not found", "{0}", "no device: ", "{", "use of memory",
        "too slow for  elements: measured up to  (--size )", "no device: {0}{1}{9}"}) {
    EXPECT_EQ(translated(foreign, Language::pt).find('%'), std::string::npos);
    if (std::string(foreign).find("no device") == std::string::npos) {
      EXPECT_EQ(translated(foreign, Language::pt), foreign);
    }
  }
  EXPECT_EQ(translated("no device: {0}{1}{9}", Language::pt), "sem dispositivo: {0}{1}{9}");
  std::string nested;
  for (int i = 0; i < 100'000; ++i) nested += "no device: ";
  EXPECT_TRUE(translated(nested + "x", Language::pt).starts_with("sem dispositivo: "));
}

TEST(Recorded, PlacesComeInTheOrderOfTheirNumbersAndEverySentenceKnowsItself) {
  for (const Phrase* const one : phrases::recorded) {
    const Phrase& phrase = *one;
    const std::string english(phrase.in(Language::en));
    char next = '0';
    for (std::size_t at = english.find('{'); at != std::string::npos;
         at = english.find('{', at + 1)) {
      EXPECT_EQ(english[at + 1], next++) << english;
    }
    EXPECT_EQ(translated(english, Language::fr), phrase.in(Language::fr)) << english;
  }
}

}  // namespace
}  // namespace bench::test
