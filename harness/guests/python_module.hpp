#pragma once

namespace bench::guests {

/// bench.py, as a program for Python: its argument is the file of the guest.
extern const char* const python_module;

}  // namespace bench::guests
