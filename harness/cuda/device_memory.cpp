#include "harness/cuda/device_memory.hpp"

#include <array>
#include <stdexcept>

#include "harness/cuda/instrument.hpp"
#include "harness/cuda/launch.hpp"
#include "harness/workload/verify.hpp"

namespace bench::cuda {

void DeviceBuffer::Free::operator()(unsigned char* memory) const { cudaFree(memory); }

DeviceBuffer::DeviceBuffer(std::size_t bytes) : bytes_(bytes) {
  void* base = nullptr;
  check(cudaMalloc(&base, bytes + 2 * guard::bytes), "cudaMalloc");
  base_.reset(static_cast<unsigned char*>(base));
  data_ = base_.get() + guard::bytes;
  poison();
  restore_guards();
}

void DeviceBuffer::upload(const void* host, const Piece& piece) {
  const auto* const from = static_cast<const unsigned char*>(host) + piece.offset;
  check(cudaMemcpyAsync(data_ + piece.offset, from, piece.bytes, cudaMemcpyHostToDevice, nullptr),
        "copy to the device");
}

void DeviceBuffer::download(void* host, const Piece& piece) const {
  auto* const to = static_cast<unsigned char*>(host) + piece.offset;
  check(cudaMemcpyAsync(to, data_ + piece.offset, piece.bytes, cudaMemcpyDeviceToHost, nullptr),
        "copy from the device");
}

void DeviceBuffer::poison(const Piece& piece) {
  check(cudaMemsetAsync(data_ + piece.offset, poison_byte, piece.bytes, nullptr),
        "cudaMemsetAsync");
}

std::uint64_t DeviceBuffer::digest(const DeviceBuffer& scratch) const {
  constexpr std::size_t word = sizeof(unsigned);
  // The last word may end in the guard band.
  const std::size_t words = (bytes_ + word - 1) / word;
  auto* const there = static_cast<unsigned long long*>(scratch.data());
  zero(there, 1);
  launch_digest(static_cast<const unsigned*>(data()), words, there);
  std::uint64_t digest = 0;
  check(cudaMemcpy(&digest, there, sizeof digest, cudaMemcpyDeviceToHost), "copy from the device");
  return digest;
}

bool DeviceBuffer::all_whole(const std::vector<const DeviceBuffer*>& buffers,
                             const DeviceBuffer& scratch) {
  BandList list;
  for (const DeviceBuffer* const one : buffers) {
    if (list.count + 2 > BandList::most) throw std::logic_error("more arrays than a launch takes");
    list.all[list.count++] = {one->base_.get(), guard::bytes, one->bands_.front};
    list.all[list.count++] = {one->data_ + one->bytes_, guard::bytes, one->bands_.back};
  }
  auto* const there = static_cast<unsigned long long*>(scratch.data());
  zero(there, 1);
  launch_compare(list, there);
  std::uint64_t others = 0;
  check(cudaMemcpy(&others, there, sizeof others, cudaMemcpyDeviceToHost), "copy from the device");
  return others == 0;
}

std::optional<Reason> DeviceBuffer::damage() const {
  std::array<unsigned char, guard::bytes> front{};
  std::array<unsigned char, guard::bytes> back{};
  check(cudaMemcpy(front.data(), base_.get(), guard::bytes, cudaMemcpyDeviceToHost),
        "copy from the device");
  check(cudaMemcpy(back.data(), data_ + bytes_, guard::bytes, cudaMemcpyDeviceToHost),
        "copy from the device");
  return guard::damage(bands_, front.data(), back.data());
}

void DeviceBuffer::restore_guards() {
  check(cudaMemset(base_.get(), bands_.front, guard::bytes), "cudaMemset");
  check(cudaMemset(data_ + bytes_, bands_.back, guard::bytes), "cudaMemset");
}

Memory managed_memory(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaMallocManaged(&memory, bytes, cudaMemAttachGlobal), "cudaMallocManaged");
  return {{memory, [](void* base) { cudaFree(base); }}, Memory::no_file};
}

Reason no_managed_memory() {
  int number = 0;
  int managed = 0;
  int concurrent = 0;
  int stays = 0;
  check(cudaGetDevice(&number), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&managed, cudaDevAttrManagedMemory, number), "managed memory");
  check(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, number),
        "managed memory");
  check(cudaDeviceGetAttribute(&stays, cudaDevAttrDirectManagedMemAccessFromHost, number),
        "managed memory");
  if (managed == 0) return "this device has no managed memory";
  if (concurrent == 0) return "this device shares no managed memory with a host that works";
  if (stays != 0) return "managed memory stays on this device: the host reads it there";
  return {};
}

void* device_address(void* data) {
  void* address = nullptr;
  check(cudaHostGetDevicePointer(&address, static_cast<unsigned char*>(data) - guard::bytes, 0),
        "cudaHostGetDevicePointer");
  return static_cast<unsigned char*>(address) + guard::bytes;
}

void Pinned::Unregister::operator()(void* data) const { cudaHostUnregister(data); }

Pinned::Pinned(const Buffer& buffer) {
  void* const base = static_cast<unsigned char*>(buffer.data()) - guard::bytes;
  check(cudaHostRegister(base, buffer.bytes() + 2 * guard::bytes, cudaHostRegisterDefault),
        "cudaHostRegister");
  data_.reset(base);
}

}  // namespace bench::cuda
