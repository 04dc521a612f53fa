#pragma once

#include "harness/document/document.hpp"

namespace bench {

/// What documents of the first days say in names only, is said by fields of their own since:
/// elements, shape, bins, parameters, beside. Fills those that `json`, the text of the document,
/// does not have. Throws Misfit where a name cannot be understood.
void complete_from_names(Document& document, const Json& json);

/// Where lists of blocks and grids are now, one of each stood once, 0 for none.
void complete_launches(Document& document, const Json& json);

}  // namespace bench
