#include "harness/measure/memory_kinds.hpp"

#include <cstring>

#include "harness/base/clock.hpp"
#include "harness/base/reasons.hpp"

namespace bench::cuda {
namespace {

constexpr std::size_t page = 4096;

/// Pieces of the inputs, from the one to the other.
void copy_spots(const Arrays& from, const Arrays& to, const std::vector<Spot>& spots) {
  for (const auto& [input, piece] : spots) {
    if (input >= to.inputs.size()) continue;
    std::memcpy(at(to.inputs[input], piece.offset), at(from.inputs[input], piece.offset),
                piece.bytes);
  }
}

}  // namespace

HostArraysPlace::HostArraysPlace(const Device& device, DeviceArrays& on_device, HostArrays& host,
                                 const Problem* reference)
    : EndToEndPlace(device, on_device, host, reference) {
  arrays_ = on_host_;
}

MappedPlace::MappedPlace(const Device& device, DeviceArrays& on_device, HostArrays& host,
                         const Problem* reference)
    : HostArraysPlace(device, on_device, host, reference) {
  arrays_ = on_device.mapped(extents_);
}

double HostArraysPlace::seconds(const Run& run, std::size_t calls) {
  device_.wait();
  const Stopwatch stopwatch;
  for (std::size_t i = 0; i < calls; ++i) run(arrays_);
  device_.wait();
  return stopwatch.seconds();
}

std::optional<Reason> HostArraysPlace::repair_inputs() {
  if (!host_.repair_inputs()) return {};
  return said<reasons::wrote_into_input>();
}

OtherMemoryPlace::OtherMemoryPlace(const Device& device, DeviceArrays& on_device, HostArrays& host,
                                   const Problem* reference, HostArrays& own)
    : EndToEndPlace(device, on_device, host, reference),
      own_(own),
      own_arrays_(reference != nullptr ? own.reference_arrays(reference->inputs.size())
                                       : own.arrays()) {}

void OtherMemoryPlace::poison_output() {
  own_.poison_output(own_arrays_, true);
  poison_on_device();
}

void OtherMemoryPlace::poison_output(const std::vector<Piece>& some) {
  for (const Piece& one : some) bench::poison(own_arrays_, one);
  poison_on_device(some);
}

void OtherMemoryPlace::restored(const std::vector<Spot>& spots) {
  copy_spots(on_host_, own_arrays_, spots);
  EndToEndPlace::restored(spots);
}

void OtherMemoryPlace::empty_caches() {
  own_.evict(own_arrays_, true);
  device_.empty_caches();
  device_.wait();
}

void OtherMemoryPlace::fetch(const std::vector<Piece>& some) {
  for (const auto& [offset, bytes] : some) {
    make_same(at(on_host_.result, offset), at(own_arrays_.result, offset), bytes);
  }
}

std::optional<Reason> OtherMemoryPlace::repair_guards() {
  auto damage = own_.repair_guards();
  auto others = EndToEndPlace::repair_guards();
  return damage ? damage : others;
}

std::optional<Reason> OtherMemoryPlace::repair_inputs() {
  auto others = EndToEndPlace::repair_inputs();
  if (!own_.take_inputs(host_)) return others;
  return said<reasons::wrote_into_input>();
}

double PageablePlace::seconds(const Run& run, std::size_t calls) {
  return EndToEndPlace::seconds(run, calls, own_arrays_);
}

double ManagedPlace::seconds(const Run& run, std::size_t calls) {
  const auto* const output = static_cast<const volatile unsigned char*>(own_arrays_.result);
  const std::size_t bytes = extents_.output;
  device_.wait();
  const Stopwatch stopwatch;
  for (std::size_t i = 0; i < calls; ++i) {
    run(own_arrays_);
    device_.wait();
    for (std::size_t offset = 0; offset < bytes; offset += page) static_cast<void>(output[offset]);
    if (bytes > 0) static_cast<void>(output[bytes - 1]);
  }
  return stopwatch.seconds();
}

void ManagedPlace::empty_caches() {
  // Their pages come back by being read.
  own_.take_inputs(host_);
  OtherMemoryPlace::empty_caches();
}

}  // namespace bench::cuda
