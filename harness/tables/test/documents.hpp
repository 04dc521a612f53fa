// Result files of made-up measurements, as tables get them.
#pragma once

#include <string>
#include <vector>

#include "harness/document/test/records.hpp"
#include "harness/tables/render.hpp"

namespace bench::test {

/// A name with what each format of tables has to escape.
inline const std::string hostile = "a_b & <c>,\"=1+1";

inline Document document_of(const std::vector<Case>& cases, const std::string& node = "gpu1") {
  Document document = document_of_groups({group_of(cases)});
  document.context.run.node = node;
  document.context.run.input_hash = {{"work", {{"f32/10", "xxh3:1"}}}};
  return document;
}

inline Case not_measured(Case result, Status status, const Reason& reason) {
  result.status = status;
  result.reason = reason;
  result.timing = {};
  return result;
}

/// The tables of a result file as they are without colours.
inline std::string text_of(const Document& document, const TableOptions& options = {}) {
  return unstyled(text_tables(document, options));
}

}  // namespace bench::test
