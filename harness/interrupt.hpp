#pragma once

#include <functional>

namespace bench {

/// Blocks SIGINT and SIGTERM in the calling thread and all that it starts later. Call it before any
/// thread exists: a sample cannot be aborted, so another thread must take the signals.
void block_interrupts();

/// Starts the thread that waits for those signals. When one comes it calls `last_words` and leaves
/// the process with 128 + the signal's number.
void on_interrupt(std::function<void(const char* signal)> last_words);

}  // namespace bench
