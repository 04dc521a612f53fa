#include "harness/cuda/graph.hpp"

#include <utility>

#include "harness/cuda/launch.hpp"

namespace bench::cuda {
namespace {

/// Launches go to a stream of their own, which records them, until the end of the scope.
class Recording {
 public:
  Recording() : before_(current_stream()) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal),
          "cudaStreamBeginCapture");
    use_stream(stream_);
  }
  ~Recording() {
    use_stream(before_);
    if (cudaGraph_t unused = nullptr;
        !ended_ && cudaStreamEndCapture(stream_, &unused) == cudaSuccess) {
      cudaGraphDestroy(unused);
    }
    cudaStreamDestroy(stream_);
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  cudaGraph_t end() {
    cudaGraph_t graph = nullptr;
    ended_ = true;
    check(cudaStreamEndCapture(stream_, &graph), "cudaStreamEndCapture");
    return graph;
  }

 private:
  cudaStream_t before_;
  cudaStream_t stream_ = nullptr;
  bool ended_ = false;
};

}  // namespace

Graph::~Graph() { cudaGraphExecDestroy(executable_); }

void Graph::run(const std::vector<std::uintptr_t>& arguments,
                const std::function<void()>& launches) {
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  std::vector<std::uintptr_t> key = arguments;
  key.push_back(static_cast<std::uintptr_t>(device));
  if (key != arguments_) {
    record_launches(launches);
    arguments_ = std::move(key);
  }
  check(cudaGraphLaunch(executable_, current_stream()), "cudaGraphLaunch");
}

void Graph::record_launches(const std::function<void()>& launches) {
  arguments_.clear();
  if (executable_ != nullptr) cudaGraphExecDestroy(std::exchange(executable_, nullptr));
  Recording recording;
  launches();
  auto* const graph = recording.end();
  const cudaError_t status = cudaGraphInstantiateWithFlags(&executable_, graph, 0);
  cudaGraphDestroy(graph);
  check(status, "cudaGraphInstantiate");
}

}  // namespace bench::cuda
