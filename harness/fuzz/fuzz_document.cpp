// Any bytes as a result document: refused with a sentence, or good for tables and comparisons.

#include <cstdint>
#include <string_view>

#include "harness/base/error.hpp"
#include "harness/command/comparison_text.hpp"
#include "harness/compare/node_comparison.hpp"
#include "harness/compare/run_comparison.hpp"
#include "harness/document/document.hpp"
#include "harness/tables/render.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  bench::Document document;
  try {
    document = bench::parse_document(bytes, "fuzz");
  } catch (const bench::UsageError&) {
    return 0;
  }
  // What is accepted must not throw any more.
  std::string tables = bench::unstyled(bench::text_tables(document));
  bench::TableOptions options;
  for (const bench::TableColumn& one : bench::all_columns()) options.columns.emplace_back(one.key);
  for (const bench::Format format :
       {bench::Format::text, bench::Format::markdown, bench::Format::latex, bench::Format::html,
        bench::Format::csv, bench::Format::json}) {
    tables += bench::tables(bench::merge({document}), options, format);
  }
  const std::string comparison = bench::text(bench::compare(document, document, 0.05), 0.05);
  bench::NodeComparisonInput nodes;
  nodes.runs = {bench::node_run(document, "fuzz", {"*"})};
  const bench::NodeComparison found = bench::compare_nodes(nodes);
  const std::string words = bench::node_comparison_text(found) + bench::node_comparison_csv(found) +
                            bench::serialised(bench::node_comparison_json(found, false));
  return tables.empty() && comparison.empty() && words.empty() ? -1 : 0;
}
