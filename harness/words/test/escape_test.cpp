#include "harness/words/escape.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "harness/base/json.hpp"
#include "harness/tables/test/documents.hpp"
#include "harness/test/source_folder.hpp"

namespace bench::test {
namespace {

TEST(Escape, ForSpreadsheets) {
  EXPECT_EQ(csv_field(hostile), "\"a_b & <c>,\"\"=1+1\"");
  EXPECT_EQ(csv_field("=1+1"), "'=1+1");
  EXPECT_EQ(csv_field("@SUM(A1),2"), "\"'@SUM(A1),2\"");
  EXPECT_EQ(csv_field("-2"), "'-2");
  EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csv_field("plain"), "plain");
  EXPECT_EQ(csv_field(" plain"), " plain");
  EXPECT_EQ(csv_field("  =1+1"), "'  =1+1");
  EXPECT_EQ(csv_field("\u00A0\u3000@x"), "'\u00A0\u3000@x");
  EXPECT_EQ(csv_field("＝1+1"), "'＝1+1");
  EXPECT_EQ(csv_field("＋1"), "'＋1");
}

TEST(Escape, ForMarkdown) {
  EXPECT_EQ(markdown_text(hostile), "a\\_b &amp; &lt;c&gt;,\"=1+1");
  EXPECT_EQ(markdown_text("a|b `c` [d](e) *f* \\"), "a\\|b \\`c\\` \\[d\\](e) \\*f\\* \\\\");
}

TEST(Escape, ForHtml) {
  EXPECT_EQ(html_text(hostile), "a_b &amp; &lt;c&gt;,&quot;=1+1");
  EXPECT_EQ(html_text("it's"), "it&#39;s");
}

TEST(Escape, ForLatex) {
  EXPECT_EQ(latex_text(hostile), "a\\_b \\& \\textless{}c\\textgreater{},\\char34{}=1+1");
  EXPECT_EQ(latex_text("\\input{x}"), "\\textbackslash{}input\\{x\\}");
  EXPECT_EQ(latex_text("100 % $x^2$ #1 ~"),
            "100 \\% \\$x\\textasciicircum{}2\\$ \\#1 \\textasciitilde{}");
  EXPECT_EQ(latex_text("a---b"), "a-{}-{}-b");
  EXPECT_EQ(latex_text("Versão × µs ⇄"), "Versão $\\times$ $\\mu$s $\\leftrightarrow$");
  EXPECT_EQ(latex_text("中"), "[U+4E2D]");
  EXPECT_EQ(latex_text("“of copy” « copie » l’a"),
            "``of copy'' \\benchopen{} copie \\benchclose{} l{'}a");
  EXPECT_EQ(latex_text("\xFF\xC3"), "[U+FFFD][U+FFFD]") << "no UTF-8";
  EXPECT_EQ(latex_text("\xC0\xBC"), "[U+FFFD][U+FFFD]") << "longer than it has to be";
  EXPECT_EQ(latex_text("\xED\xA0\x80"), "[U+FFFD][U+FFFD][U+FFFD]") << "half of a pair";
}

TEST(Escape, LatexHasEveryCharacterThatOurTablesUse) {
  using Files = std::filesystem::directory_iterator;
  for (const auto& file : Files(source_folder / "harness/words/phrases")) {
    std::ifstream stream(file.path());
    const std::string text = latex_text(serialised(Json::parse(stream)));
    const std::size_t lacks = text.find("[U+");
    EXPECT_EQ(lacks, std::string::npos) << file << ": " << text.substr(lacks, 8);
  }
  EXPECT_EQ(latex_text("≈"), "[U+2248]");
  EXPECT_EQ(latex_text("±5 – 10⁹ † ‡ ✗ ⇄ … °C"),
            "$\\pm$5 \\textendash{} 10\\textsuperscript{9} $\\dagger$ $\\ddagger$ "
            "\\textsf{\\textbf{x}} $\\leftrightarrow$ \\dots{} $^\\circ$C");
}

}  // namespace
}  // namespace bench::test
