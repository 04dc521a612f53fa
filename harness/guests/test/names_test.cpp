#include "harness/guests/names.hpp"

#include <gtest/gtest.h>

namespace bench::guests {
namespace {

using Names = std::vector<std::string>;

TEST(Names, AreThoseOfFoldersWhereFilesHaveTheSame) {
  EXPECT_EQ(names_of({"c/rui/copy.c", "c/g1/ana/copy.c", "c/g2/ana/copy.c", "c/own.c"}),
            (Names{"rui-copy", "g1-ana-copy", "g2-ana-copy", "own"}));
}

TEST(Names, OfMoodleDoNotDependOnTheOrder) {
  const std::string end = "_assignsubmission_file/copy.c";
  const std::string first = "c/Ana Silva_70001" + end;
  const std::string second = "c/Ana Silva_70010" + end;
  EXPECT_EQ(names_of({first, second}), (Names{"Ana_Silva_70001-copy", "Ana_Silva_70010-copy"}));
  EXPECT_EQ(names_of({second, first}), (Names{"Ana_Silva_70010-copy", "Ana_Silva_70001-copy"}));
  EXPECT_EQ(names_of({second}), Names{"Ana_Silva-copy"});
}

TEST(Names, OfADownloadWithoutFoldersAreTheSame) {
  const std::string middle = "_assignsubmission_file_";
  EXPECT_EQ(names_of({"Eva_4" + middle + "copy.c", "Rui Lima_3" + middle + "my copy (1).c"}),
            (Names{"Eva-copy", "Rui_Lima-my_copy__1_"}));
}

}  // namespace
}  // namespace bench::guests
