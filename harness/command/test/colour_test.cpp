#include "harness/command/colour.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/test/support.hpp"

namespace bench::test {
namespace {

bool wanted(bool terminal, const std::map<std::string, std::string>& variables) {
  return colours_wanted(terminal, [&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(Colour, OnlyOnATerminalThatHasThem) {
  EXPECT_TRUE(wanted(true, {{"TERM", "xterm"}}));
  EXPECT_FALSE(wanted(false, {{"TERM", "xterm"}}));
  EXPECT_FALSE(wanted(true, {{"TERM", "dumb"}}));
  EXPECT_FALSE(wanted(true, {}));
}

TEST(Colour, TheUserDecides) {
  EXPECT_FALSE(wanted(true, {{"TERM", "xterm"}, {"NO_COLOR", "1"}}));
  EXPECT_TRUE(wanted(true, {{"TERM", "xterm"}, {"NO_COLOR", ""}})) << "empty is as if unset";
  EXPECT_TRUE(wanted(false, {{"CLICOLOR_FORCE", "1"}}));
  EXPECT_FALSE(wanted(false, {{"CLICOLOR_FORCE", "0"}}));
  EXPECT_FALSE(wanted(true, {{"TERM", "xterm"}, {"NO_COLOR", "1"}, {"CLICOLOR_FORCE", "1"}}));
}

const ColourWords english = colour_words(Language::en);

constexpr const char* table =
    "node · processor\n"
    "\n"
    "energy · f32 · 1000 · cold cache\n"
    "  variant           time  × plain  × best\n"
    "  serial/naive   3.00 ms     1.00    0.50\n"
    "  openmp/simd    1.50 ms     2.00    1.00\n"
    "  cuda/library ‡ 0.50 ms     6.00    3.00\n"
    "  cuda/wide      failed: wrong at 17,\n"
    "                   and not only there\n"
    "  cuda/slow      skipped: no device\n"
    "  openmp/simd is 2.0× as fast as the plain loop on 8\n"
    "  threads.\n"
    "\n"
    "time: median\n"
    "warning: others were\n"
    "         working here\n";

constexpr const char* with_colours =
    "node · processor\n"
    "\n"
    "energy · f32 · 1000 · cold cache\n"
    "  variant           time  × plain  × best\n"
    "  serial/naive   3.00 ms     1.00    0.50\n"
    "  \033[1mopenmp/simd    1.50 ms     2.00    1.00\033[0m\n"
    "  cuda/library ‡ 0.50 ms     6.00    3.00\n"
    "  \033[31mcuda/wide      failed: wrong at 17,\033[0m\n"
    "                   \033[31mand not only there\033[0m\n"
    "  \033[2mcuda/slow      skipped: no device\033[0m\n"
    "  openmp/simd is 2.0× as fast as the plain loop on 8\n"
    "  threads.\n"
    "\n"
    "time: median\n"
    "\033[33mwarning: others were\033[0m\n"
    "         \033[33mworking here\033[0m\n";

TEST(Colour, TablesGetThemByTheirWords) { EXPECT_EQ(coloured(table, english), with_colours); }

TEST(Colour, TablesOfEveryLanguage) {
  EXPECT_EQ(coloured("  variante  × melhor\n  a   0,50\n  b   1,00\n  c   omitida: x\naviso: y\n",
                     colour_words(Language::pt)),
            "  variante  × melhor\n  a   0,50\n  \033[1mb   1,00\033[0m\n"
            "  \033[2mc   omitida: x\033[0m\n\033[33maviso: y\033[0m\n");
  EXPECT_EQ(coloured("  a   échec : x\navertissement : y\n", colour_words(Language::fr)),
            "  \033[31ma   échec : x\033[0m\n\033[33mavertissement : y\033[0m\n");
}

TEST(Colour, DoubtsAreAsYellowInEveryLanguage) {
  for (const auto& [language, doubt] :
       std::vector<std::pair<Language, std::string>>{{Language::en, "doubt: x"},
                                                     {Language::pt, "dúvida: x"},
                                                     {Language::es, "duda: x"},
                                                     {Language::fr, "doute : x"}}) {
    EXPECT_EQ(coloured(doubt + "\n      y\n", doubt_words(language)),
              "\033[33m" + doubt + "\033[0m\n      \033[33my\033[0m\n");
  }
}

TEST(Colour, WithoutAWordNothingIsKnownByIt) {
  EXPECT_EQ(coloured("  a  b  1.00\n\nplain\n", {}), "  a  b  1.00\n\nplain\n");
}

TEST(Colour, EqualRowsAreEquallyBest) {
  EXPECT_EQ(coloured("  v  × best\n  a  1.00\n  b  1.00\n", english),
            "  v  × best\n  \033[1ma  1.00\033[0m\n  \033[1mb  1.00\033[0m\n");
}

TEST(Colour, OtherTextStaysAsItIs) {
  for (const std::string text : {"", "\n", "no newline", "a\n\nb\n", "  x  – \n", "{\"a\": 1}\n"}) {
    EXPECT_EQ(coloured(text, english), text);
  }
}

TEST(Colour, AMessageIsRed) { EXPECT_EQ(red("wrong"), "\033[31mwrong\033[0m"); }

}  // namespace
}  // namespace bench::test
