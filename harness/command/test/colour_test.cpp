#include "harness/command/colour.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

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

TEST(Colour, BeginsAfterTheIndentationOfEachLine) {
  EXPECT_EQ(coloured({{"plain\n"},
                      {"  a  failed: wrong at 17,\n       and not only there\n", Style::failed},
                      {"  b  skipped: no device\n", Style::skipped},
                      {"  c  1.00\n", Style::best},
                      {"\n  sentence\n"},
                      {"warning: x\n         y\n", Style::warning}}),
            "plain\n"
            "  \033[31ma  failed: wrong at 17,\033[0m\n       \033[31mand not only there\033[0m\n"
            "  \033[2mb  skipped: no device\033[0m\n"
            "  \033[1mc  1.00\033[0m\n"
            "\n  sentence\n"
            "\033[33mwarning: x\033[0m\n         \033[33my\033[0m\n");
}

TEST(Colour, NothingElseIsObeyed) {
  EXPECT_EQ(coloured({{"a\033[2J\n"}, {"b\033[31m\n", Style::best}}),
            "a?[2J\n\033[1mb?[31m\033[0m\n");
}

TEST(Colour, AMessageIsRed) { EXPECT_EQ(red("wrong"), "\033[31mwrong\033[0m"); }

}  // namespace
}  // namespace bench::test
