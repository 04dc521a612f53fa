#include "harness/node/family.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bench {
namespace {

TEST(Family, IsThisProcessAndWhatItHasStarted) {
  EXPECT_TRUE(is_of_this_process(getpid()));
  EXPECT_FALSE(is_of_this_process(getppid()));
  EXPECT_FALSE(is_of_this_process(0));
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  EXPECT_TRUE(is_of_this_process(child));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_FALSE(is_of_this_process(child)) << "it is gone";
}

}  // namespace
}  // namespace bench
