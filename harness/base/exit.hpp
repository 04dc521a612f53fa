// How programs end: a contract with their callers.
#pragma once

namespace bench {

struct Exit {
  enum : int {
    fine = 0,
    wrong = 1,  ///< a result is, or an error stopped the run
    usage = 2,
    slower = 3,  ///< than expected: a case, a node, a claim
    unclear = 4,
    unlike = 5,  ///< what was to be compared
  };
  /// The exit code by which shells report a signal.
  static constexpr int by(int signal) { return 128 + signal; }
};

}  // namespace bench
