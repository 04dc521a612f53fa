#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <set>
#include <string>

#include "harness/guests/compile.hpp"
#include "harness/guests/device/device.h"
#include "harness/guests/report.hpp"
#include "harness/guests/translate.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

using namespace bench::guests;

TEST(InPlainCpp, ALaunchIsACall) {
  EXPECT_EQ(
      in_plain_cpp("f<<<a / 2, dim3(1, 2)>>>(x, g(n));"),
      "::bench_guest::Launch(BENCH_HERE, a / 2, dim3(1, 2)).given(x, g(n))([=] { f(x, g(n)); });");
  EXPECT_EQ(in_plain_cpp("s::f<float, 4>\n  <<<1, 2>>>();"),
            "::bench_guest::Launch(BENCH_HERE, 1, 2).given()([=] { s::f<float, 4>\n  (); });");
}

TEST(InPlainCpp, WhatIsNoCodeStays) {
  for (const char* const text :
       {"// f<<<1, 2>>>(x);\n", "/* f<<<1,\n2>>>(x); */", "puts(\"f<<<1, 2>>>(x)\");",
        "int i = 1'000 << 2 >> 1;", "f<<<1, 2", "f<<<1, 2>>>", ""}) {
    EXPECT_EQ(in_plain_cpp(text), text);
  }
}

TEST(InPlainCpp, DynamicSharedMemoryIsAPointer) {
  EXPECT_EQ(in_plain_cpp("extern __shared__ __align__(16) unsigned char all[];"),
            "unsigned char* all = static_cast<unsigned char*>("
            "::bench::cuda::stand_in::dynamic_shared_bytes());");
}

TEST(InPlainCpp, LinesStayWhereTheyAre) {
  const std::string text = "a\n/* b\nc */\nf<<<1,\n2>>>(x,\ny);\nextern __shared__ int t[];\nd";
  const std::string plain = in_plain_cpp(text);
  EXPECT_EQ(std::count(plain.begin(), plain.end(), '\n'), 7);
  EXPECT_TRUE(plain.ends_with(";\nd"));
}

TEST(InPlainCpp, AnAlignmentComesFirst) {
  expect_contains(in_plain_cpp("__shared__ alignas(sizeof(float4)) float a[4];"),
                  "alignas(sizeof(float4)) __shared__  float a[4];");
  for (const char* const dynamic :
       {"extern __shared__ alignas(16) char s[];", "extern __align__(16) __shared__ char s[];",
        "extern __shared__ __align__(16) char s[];"}) {
    expect_contains(in_plain_cpp(dynamic), "char* s = ");
  }
}

TEST(InWordsOfCuda, IsTheSameProgram) {
  EXPECT_EQ(in_words_of_cuda("hipMemset(x, 0, 4); // hipMemset\nputs(\"hipFree\"); hippo();"),
            "cudaMemset(x, 0, 4); // hipMemset\nputs(\"hipFree\"); hippo();");
  EXPECT_EQ(in_words_of_cuda("hipThreadIdx_x + hipBlockDim_y * hipGridDim_z"),
            "threadIdx.x + blockDim.y * gridDim.z");
  EXPECT_EQ(in_words_of_hip("cudaMalloc(&x, 4);"), "hipMalloc(&x, 4);");
}

TEST(InWordsOfCuda, ALaunchIsCudasAndKeepsItsLines) {
  EXPECT_EQ(in_words_of_cuda("hipLaunchKernelGGL(f, dim3(1, 2), 64, 0, 0, x,\n g(n, 1));"),
            "f<<< dim3(1, 2), 64, 0, 0>>>( x,\n g(n, 1));");
  EXPECT_EQ(in_words_of_cuda("hipLaunchKernelGGL(HIP_KERNEL_NAME(f<float, 2>), 1, 2, 0, s);"),
            "f<float, 2><<< 1, 2, 0, s>>>();");
  EXPECT_EQ(in_words_of_cuda("hipLaunchKernelGGL(f, 1"), "cudaLaunchKernelGGL(f, 1");
  EXPECT_EQ(in_words_of_cuda("hipLaunchKernel((void*)f, 1, 2, args, 0, s);"),
            "cudaLaunchKernel((void*)f, 1, 2, args, 0, s);");
}

TEST(BeyondTheCpu, IsNamed) {
  EXPECT_EQ(beyond_the_cpu("#include <thrust/sort.h>"), "thrust/sort.h");
  EXPECT_EQ(beyond_the_cpu("asm volatile(\"mov.u32 %0, %%laneid;\" : \"=r\"(x));"),
            "inline PTX (asm)");
  EXPECT_EQ(beyond_the_cpu("extern __shared__ int t[];"),
            "a dynamic shared array outside of a kernel");
  EXPECT_EQ(beyond_the_cpu("template <class T> T f() { return 1; }\n"
                           "__global__ void g() { __shared__ int t; }"),
            "");
}

constexpr const char* frames =
    "    #0 0x1 in k(float const*) /home/ana/mine.cu:9\n    #1 0x2 in f x.hpp:3\n";
const std::vector<NamedArray> arrays{{"x", 0x1000, 100, 4}};

TEST(Explained, AnElementBesideAnArray) {
  for (const char* const where :
       {"0x1190 is located 0 bytes to the right of 400-byte region [0x1000,0x1190)",
        "0x1190 is located 0 bytes after 400-byte region [0x1000,0x1190)"}) {
    const std::string report =
        std::string("ERROR: AddressSanitizer: heap-buffer-overflow\nREAD of size 4\n") + frames +
        "\n" + where + "\n";
    EXPECT_EQ(explained(report, {"mine.cu"}, arrays),
              "line 9: reads element 100 of x, which has 100");
  }
  const std::string before = std::string("ERROR: AddressSanitizer\nWRITE of size 4\n") + frames +
                             "0xff8 is located 8 bytes before 400-byte region [0x1000,0x1190)\n";
  EXPECT_EQ(explained(before, {"mine.cu"}, arrays),
            "line 9: writes element -2 of x, which has 100");
}

TEST(LineNamed, IsOneOfTheUsersFiles) {
  EXPECT_EQ(line_named(" /tmp/a b/mine.cu:5", {"mine.cu", "in/x.cuh"}), "mine.cu:5");
  EXPECT_EQ(line_named(" in/x.cuh:7", {"mine.cu", "in/x.cuh"}), "in/x.cuh:7");
  EXPECT_EQ(line_named(" /usr/not_mine.cu:5", {"mine.cu"}), "");
}

TEST(Explained, SaysWhatItIsMadeOf) {
  const std::string report = std::string("AddressSanitizer: stack-overflow\n") + frames;
  const Reason found = explained(report, {"mine.cu"}, {});
  EXPECT_EQ(found.key, "found_when");
  ASSERT_EQ(found.values.size(), 2U);
  EXPECT_EQ(found.values[0].key, "line_number");
  EXPECT_EQ(found.values[1].key, "stack_overflow");
}

TEST(Explained, SharedArrays) {
  for (const char* const where :
       {"0x20 is located 4 bytes to the right of global variable 'tile' defined in 'mine.cu:3:1' "
        "(0x10) of size 64",
        "0x20 is located 4 bytes after global variable 'k(float*)::tile' defined in 'mine.cu:3' "
        "(0x10) of size 64"}) {
    const std::string report =
        std::string("AddressSanitizer: global-buffer-overflow\nWRITE of size 4\n") + frames + where;
    EXPECT_EQ(explained(report, {"mine.cu"}, {}),
              "line 9: writes 4 bytes past the end of tile, which has 64 bytes");
  }
}

TEST(Explained, Races) {
  const std::string report =
      "WARNING: ThreadSanitizer: data race\n  Write of size 4 at 0x1000 by main thread:\n"
      "    #0 k(float*) /x/mine.cu:12 (4+0x1)\n  Previous read of size 4 by thread T2:\n"
      "    #0 k(float*) /x/mine.cu:9 (4+0x2)\n  Location is heap block of size 400 at 0x1000\n";
  EXPECT_EQ(explained(report, {"mine.cu"}, arrays),
            "lines 9 and 12: one thread reads and another writes the same element of x, and "
            "nothing orders them: is a barrier missing, or between blocks a second launch?");
}

/// What is said of a race of two threads in line 2 of a kernel, that line and the array's place
/// given.
std::string said_of_race(const std::string& line, const std::string& place,
                         const std::string& head = "__global__ void k(float* x) {") {
  const std::string report =
      "WARNING: ThreadSanitizer: data race\n  Write of size 4 at 0x1000 by main thread:\n"
      "    #0 k(float*) /x/mine.cu:2 (4+0x1)\n  Previous write of size 4 by thread T2:\n"
      "    #0 k(float*) /x/mine.cu:2 (4+0x2)\n  Location is " +
      place + "\n";
  return explained(report, {"mine.cu"}, arrays, {{"mine.cu", head + "\n" + line + "\n}\n"}}).text;
}

TEST(Explained, ARaceByWhatItsLineDoes) {
  const std::string x = "heap block of size 400 at 0x1000 allocated by main thread:\n";
  const std::string dynamic = "heap block of size 8 at 0x2000 allocated by main thread:\n";
  const std::string tile = "global 'k(float*)::tile' of size 4 at 0x1";
  const std::string shared = "__global__ void k(float* x) { __shared__ int tile[8], one;";
  const auto ends = [](const std::string& said, const std::string& end) {
    EXPECT_TRUE(said.starts_with("line 2: two threads write the same element")) << said;
    EXPECT_TRUE(said.ends_with("nothing orders them: " + end)) << said;
  };
  const std::string own_index = "does each thread have an index of its own?";
  ends(said_of_race("x[i] = 1;  // += 1", x), own_index);
  ends(said_of_race("for (i = 0; i < f(n); i += g(1)) x[i] = 1;", x), own_index);
  const std::string atomic = "should the update be atomic (atomicAdd)?";
  for (const char* const update : {"x[i] += 1;", "++*x;", "x[0] -= 2;", "x[b]++;"}) {
    ends(said_of_race(update, x), atomic);
  }
  const std::string barrier = "is a barrier missing (__syncthreads, within a warp __syncwarp)";
  ends(said_of_race("tile[i] = 1;", tile, shared), barrier + "?");
  ends(said_of_race("tile[i] += tile[j];", tile, shared), barrier + ", or " + atomic);
  ends(said_of_race("alias[i] += alias[j];", tile, shared), barrier + ", or " + atomic);
  ends(said_of_race("all[i] += 1;", dynamic, "extern __shared__ int all[];"),
       barrier + ", or " + atomic);
  ends(said_of_race("one += 1;", "global 'k(float*)::one' of size 4 at 0x1", shared), atomic);
}

TEST(Explained, AKernelThatIsCalledWithoutALaunch) {
  const std::string report =
      "ERROR: AddressSanitizer: use-after-poison on address 0x10 at pc 0x7\nREAD of size 4\n"
      "    #0 0x1 in e(float) /x/mine.cu:1\n    #1 0x2 in k(float const*) /x/mine.cu:2\n"
      "    #2 0x3 in copy_f32 /x/mine.cu:5\n";
  const std::string source = "float e(float);\n__global__ void __launch_bounds__(256)\nk(float*);";
  EXPECT_EQ(explained(report, {"mine.cu"}, {}, {{"mine.cu", source}}),
            "line 5: k is a kernel: launch it, k<<<blocks, threads>>>(…)");
}

TEST(CoarseFunctions, AreThoseWhoseErrorOnlyADeviceHas) {
  EXPECT_EQ(coarse_functions("y = __sinf(x) + __expf(x) + sinf(x); // __cosf"),
            (std::set<std::string>{"__expf", "__sinf"}));
}

TEST(LineOfDouble, WhereAFloatBecomesOne) {
  const std::string ptx =
      ".loc 1 4 3\ncvt.rn.f64.s64 %fd1, %rd27;\nmul.f64 %fd2, %fd1, 0d3B;\n"  // within sinf()
      ".loc 2 5 3\ncvt.f64.f32 %fd3, %f1;\n.loc 1 7 3\ncvt.f64.f32 %fd4, %f2;\n"
      ".loc 1 6 3\ncvt.f64.f32 %fd4, %f2;\n.file 1 \"/m/mine.cu\"\n.file 2 \"/m/x.hpp\"\n";
  EXPECT_EQ(line_of_double(ptx, "mine.cu"), 6);
  EXPECT_EQ(line_of_double(ptx, "x.hpp"), 5);
  EXPECT_EQ(line_of_double(ptx, "other.cu"), 0);
  EXPECT_TRUE(speaks_of_double("double sum;"));
  EXPECT_FALSE(speaks_of_double("__double2float_rn(x);  // double"));
}

constexpr const char* streams =
    "WARNING: ThreadSanitizer: data race\n  Read of size 4 at 0x1000 by %s:\n"
    "    #0 k(float*) /x/mine.cu:12 (4+0x1)\n\n"
    "  Previous atomic write of size 4 at 0x1000 by thread T2:\n"
    "    #0 k(float*) /x/mine.cu:9 (4+0x2)\n\n  Location is heap block of size 400 at 0x1000\n\n"
    "  Thread T2 'a stream' (tid=0, running) created by main thread at:\n\n"
    "  Thread T3 '%s' (tid=0, running) created by main thread at:\n";
std::string of_sides(const char* reader, const char* name) {
  char report[1000];
  std::snprintf(report, sizeof report, streams, reader, name);
  return explained(report, {"mine.cu"}, arrays).text;
}

TEST(Explained, TheHostThatHasNotWaited) {
  EXPECT_EQ(of_sides("main thread", "a stream"),
            "line 12: the host reads memory that the device may still write (line 9): wait before "
            "(cudaDeviceSynchronize)");
}

TEST(Explained, StreamsInNoOrder) {
  const std::string both =
      "lines 9 and 12: one thread reads and another writes the same element of x, and nothing "
      "orders them: ";
  EXPECT_EQ(of_sides("thread T3", "another stream"),
            both + "does one stream wait for the other (cudaStreamWaitEvent)?");
  EXPECT_EQ(of_sides("thread T3", "a stream"),
            both + "is a barrier missing, or between blocks a second launch?");
}

TEST(Explained, TheFileAmongThoseWithLikeNames) {
  const std::string report =
      "ERROR: AddressSanitizer\nREAD of size 4\n    #0 0x1 in k(float*) /x/warp_mine.cuh:3\n"
      "0x1190 is located 0 bytes after 400-byte region [0x1000,0x1190)\n";
  EXPECT_EQ(explained(report, {"main.cu", "mine.cuh", "warp_mine.cuh"}, arrays),
            "warp_mine.cuh:3: reads element 100 of x, which has 100");
}

TEST(Explained, NothingWhereNobodyComplained) {
  EXPECT_EQ(explained("", {"mine.cu"}, arrays), "");
  EXPECT_EQ(explained("Segmentation fault", {"mine.cu"}, arrays), "");
}

TEST(ArrayNames, WhatIsReadComesFirst) {
  EXPECT_EQ(array_names("float* out, const float* a, const float* b, size_t n, double* parts"),
            (std::vector<std::string>{"a", "b", "out", "parts"}));
}

void expect_a_device(Dialect dialect, const std::string& name, const std::string& begin) {
  if (!has_vendors_compiler(dialect)) GTEST_SKIP() << "no compiler for " << name;
  const TemporaryFolder folder;
  const std::string file = folder / name;
  std::ofstream(file) << begin +
                             "__global__ void k(float* x) { x[0] = 1; }\n"
                             "void copy_f32(const float*, float* x, size_t) { k<<<1, 1>>>(x); }\n";
  const SharedObject object =
      compile_for_device(file,
                         "#pragma GCC system_header\n#include <stddef.h>\nextern \"C\" void "
                         "copy_f32(const float*, float*, size_t);\n");
  EXPECT_TRUE(object.command.ends_with(file));
  // What the runtime of HIP allocates when it is loaded, it keeps until the process ends.
  constexpr int mode = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE;
  void* const library = dlopen(object.file->path().c_str(), mode);
  ASSERT_NE(library, nullptr) << dlerror();
  EXPECT_NE(dlsym(library, "copy_f32"), nullptr);
  const auto* const device = static_cast<const BenchDevice*>(dlsym(library, "bench_device"));
  ASSERT_NE(device, nullptr);
  EXPECT_EQ(device->guarded, 1U);
  dlclose(library);
}

TEST(CompileForDevice, MakesADeviceForItsHost) { expect_a_device(Dialect::cuda, "mine.cu", ""); }

TEST(CompileForDevice, MakesADeviceOfHip) {
  setenv("HCC_AMDGPU_TARGET", "gfx90a", 0);  // hipcc asks a GPU which it is
  expect_a_device(Dialect::hip, "mine.hip", "#include <hip/hip_runtime.h>\n");
}

}  // namespace
}  // namespace bench::test
