// Files of other benchmark programs as result files.
#pragma once

#include <string>

#include "harness/document/document.hpp"
#include "harness/formats/formats.hpp"

namespace bench {

/// The cases of such a file are named `program/benchmark/parameters`. They have no precision, no
/// size and no check of a result; what else the file does not say is left empty. Of many samples
/// some are kept, at equal distances. Throws Misfit where a time is not above zero.
Document document_of(const Imported& imported);

}  // namespace bench
