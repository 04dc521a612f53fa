#include "harness/node/family.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

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

TEST(Family, HasEndedWhatIsDeadOrGone) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  siginfo_t info{};
  waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
  EXPECT_EQ(ended({getpid(), child, 1}), 1U) << "nobody has waited for it";
  waitpid(child, nullptr, 0);
  EXPECT_EQ(ended({getpid(), child}), 1U);
  EXPECT_EQ(ended({getpid(), getppid()}), 0U);
}

}  // namespace
}  // namespace bench
