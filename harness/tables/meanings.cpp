#include "harness/tables/meanings.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>

#include "harness/tables/columns.hpp"
#include "harness/words/phrases.hpp"

namespace bench {
namespace {

constexpr Meaning meanings[] = {
    {"variant", "", "backend and name of the variant, with the marks of the row"},
    {"version", "", "variant, in the words of the course (--preset course)"},
    {"step", "", "step of bench course (--preset steps)"},
    {"workload", "", "what is computed"},
    {"backend", "", "serial, openmp or cuda; guest for user kernels"},
    {"idea", "", "what the variant adds to the one before it"},
    {"dtype", "", "type of the elements: f32, f64, i16 or u32"},
    {"size", "", "elements, elements:bins or rows x columns"},
    {"cache", "", "cold: caches are emptied before each sample; or hot"},
    {"scope", "", "what the time includes on a GPU (bench help scopes)"},
    {"threads", "", "OpenMP threads"},
    {"isa", "", "instruction set that the variant was compiled for"},
    {"status", "", "measured, failed, skipped or deliberately wrong"},
    {"reason", "", "why the variant has no time"},
    {"node", "", "node that measured it"},
    {"cpu", "", "model of the processor"},
    {"gpu", "", "model of the GPU"},
    {"date", "", "when the run began (UTC)"},
    {"revision", "", "revision of the program"},
    {"file", "", "result file that the row is from"},
    {"time", "s, ms, µs or ns", "median of the samples"},
    {"seconds", "s", "the same in seconds"},
    {"per_element", "ns", "the same divided by the number of elements"},
    {"interval", "as time", "95 % confidence interval of the median"},
    {"min", "s, ms, µs or ns", "fastest sample"},
    {"p95", "s, ms, µs or ns", "time that 95 % of the samples do not exceed"},
    {"p99", "s, ms, µs or ns", "time that 99 % of the samples do not exceed"},
    {"first", "s, ms, µs or ns", "time of the first run, which is not a sample"},
    {"unsynchronised", "s, ms, µs or ns",
     "the time until the launch returns, without waiting for the GPU"},
    {"noise", "%", "how much the samples scatter"},
    {"change", "%", "smallest change that two runs like this one can show"},
    {"samples", "", "number of samples"},
    {"bandwidth", "GB/s", "bytes that must be moved per time, in 10⁹ bytes per second"},
    {"rate", "elements/s", "elements per time"},
    {"flops", "GFLOP/s", "floating-point operations per time, in 10⁹ per second"},
    {"launches", "", "kernels that one run starts on the GPU"},
    {"registers", "", "registers of each GPU thread"},
    {"occupancy", "%", "resident threads of a multiprocessor, as a share of the maximum"},
    {"share", "%", "bandwidth relative to the bandwidth reference, mostly copy"},
    {"bound", "%",
     "lower bound on the time divided by the time, and what bounds it: memory, or the same code on "
     "data in cache"},
    {"energy", "J", "energy of one run (--energy)"},
    {"less_energy", "×", "how many times less energy than serial/naive"},
    {"cycles", "per element", "processor cycles of all threads (--counters)"},
    {"instructions", "per element", "instructions of all threads (--counters)"},
    {"ipc", "", "instructions per cycle (--counters)"},
    {"misses", "per element", "cache misses (--counters)"},
    {"mispredictions", "per element", "branch mispredictions (--counters)"},
    {"tlb", "per element", "TLB misses (--counters)"},
    {"naive", "×", "speedup over serial/naive"},
    {"best", "×", "speedup over the fastest CPU variant"},
    {"speedup", "×", "speedup over the variant of --baseline"},
    {"speedup_interval", "×", "95 % confidence interval of that speedup"},
    {"rank", "", "position among the user kernels on the same hardware; empty: measure again"},
    {"waited", "%", "samples that waited for a processor, because others used the node"},
    {"guest", "", "file of the user kernel"},
    {"same_as", "", "first user kernel with the same text, or with the same code"},
    {"error", "", "largest error of the result, with its unit"},
};

}  // namespace

const Meaning& meaning_of(std::string_view key) {
  const auto* const found = std::find_if(std::begin(meanings), std::end(meanings),
                                         [&](const Meaning& one) { return one.key == key; });
  if (found == std::end(meanings)) {
    throw std::logic_error(std::string(key) + ": no meaning in harness/tables/meanings.cpp");
  }
  return *found;
}

Json columns_json(Language language) {
  Json all = Json::array();
  for (const TableColumn& one : all_columns()) {
    const Meaning& meaning = meaning_of(one.key);
    all.push_back({{"key", one.key},
                   {"heading", say(language, one.heading, say(language, phrases::copying))},
                   {"unit", meaning.unit.empty() ? Json() : Json(meaning.unit)},
                   {"meaning", meaning.text}});
  }
  return all;
}

}  // namespace bench
