#include "harness/base/shell_quoted.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>

namespace bench::test {
namespace {

TEST(ShellQuoted, AWordStaysOneWord) {
  EXPECT_EQ(shell_quoted("results/a-1.0_b.json"), "results/a-1.0_b.json");
  EXPECT_EQ(shell_quoted("a b"), "'a b'");
  EXPECT_EQ(shell_quoted("it's; rm"), "'it'\\''s; rm'");
  EXPECT_EQ(shell_quoted("joão"), "'joão'");
  EXPECT_EQ(shell_quoted(""), "''");
}

TEST(ShellQuoted, WhatATerminalObeysIsWrittenInDigits) {
  EXPECT_EQ(shell_quoted("a\nb"), "$'a\\012b'");
  EXPECT_EQ(shell_quoted("\x1b[2J'\\"), "$'\\033[2J\\047\\134'");
  EXPECT_EQ(shell_quoted("\xff"), "$'\\377'");
}

TEST(ShellQuoted, BashReadsItBack) {
  for (const std::string word : {"a\nb", "\x1b]0;it's\x07", "\xff\\012 $(true) \xe3", "a b"}) {
    const std::string command = "bash <<'END'\nprintf %s " + shell_quoted(word) + "\nEND\n";
    // NOLINTNEXTLINE(bugprone-command-processor): a shell is what is tested
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> said(popen(command.c_str(), "r"), pclose);
    std::string read(100, '\0');
    read.resize(std::fread(read.data(), 1, read.size(), said.get()));
    EXPECT_EQ(read, word);
  }
}

}  // namespace
}  // namespace bench::test
