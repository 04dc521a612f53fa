# ruff: noqa: E501, UP031
"""Wrong CUDA, as students write it: each is right at some round size, in some order of its threads, or on memory that is
zero at first. What is said of it begins with its line or asks the question that helps."""
# CTest: release full

import re

from test_cuda_features import WHOLE, WMMA
from test_cuda_guests import HEAD, INDEX, WITHOUT_NVCC, copying, pytestmark, rows  # noqa: F401

COPY = "  if (i < n) out[i] = in[i];\n"
MISTAKES = {}


def mistake(name, text, *words):
    MISTAKES[name] = (text, words)


HOST = "void copy_f32(const float* in, float* out, size_t n) {\n"
mistake("fixed_grid", copying(COPY, "64, 256"), "left out")
mistake("fixed_grid_large", copying(COPY, "1024, 256"), "left out")
mistake("swapped_launch", copying(COPY, "256, (n + 255) / 256"))
mistake("truncated_grid", copying(COPY, "n / 256 + (n < 256), 256"), "left out")
mistake(
    "stride_of_block",
    copying("  for (; i < n; i += blockDim.x) out[i] = in[i];\n", "8, 64"),
    "index of its own",
)
mistake(
    "stride_twice",
    copying("  for (; i < n; i += 2 * gridDim.x * blockDim.x) out[i] = in[i];\n", "16, 128"),
    "left out",
)
mistake("stride_of_grid", copying("  for (; i < n; i += gridDim.x) out[i] = in[i];\n", "16, 128"))
mistake("no_bounds", copying("  out[i] = in[i];\n"), "element 1013 of in")
mistake("bounds_le", copying("  if (i <= n) out[i] = in[i];\n"))
mistake("thread_only", copying("  if (t < n) out[t] = in[t];\n"), "index of its own")
mistake(
    "block_times_256",
    copying(
        "  size_t j = blockIdx.x * 256 + t;\n  if (j < n) out[j] = in[j];\n", "(n + 127) / 128, 128"
    ),
)
mistake(
    "index_overflow",
    copying(
        "  unsigned bytes = (unsigned)i * 16384u, j = bytes / 16384u;\n  if (i < n) out[j] = in[j];\n"
    ),
    "left out",
)
mistake(
    "short_index",
    copying(
        "  unsigned short j = blockIdx.x * blockDim.x + threadIdx.x;\n  if (j < n) out[j] = in[j];\n"
    ),
)
mistake(
    "float_index", copying("  float f = blockIdx.x * 1e-7f;\n  if (i < n) out[i] = in[i] + f;\n")
)
TURN = "__global__ void k(const float* in, float* out, size_t rows, size_t cols) {\n  size_t r = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.x * blockDim.x + threadIdx.x;\n%s}\nvoid transpose_f32(const float* in, float* out, size_t rows, size_t cols) {\n  k<<<dim3(%s), dim3(16, 16)>>>(in, out, rows, cols);\n}\n"
GRID_OF = "(cols + 15) / 16, (rows + 15) / 16"
mistake(
    "swapped_2d_grid",
    TURN
    % (
        "  if (r < rows && c < cols) out[c * rows + r] = in[r * cols + c];\n",
        "(rows + 15) / 16, (cols + 15) / 16",
    ),
)
mistake(
    "swapped_bounds",
    TURN % ("  if (r < cols && c < rows) out[c * rows + r] = in[r * cols + c];\n", GRID_OF),
)
mistake(
    "wrong_pitch",
    TURN % ("  if (r < rows && c < cols) out[c * cols + r] = in[r * cols + c];\n", GRID_OF),
)
mistake(
    "square_tile",
    TURN
    % (
        "  __shared__ float s[16][16];\n  s[threadIdx.y][threadIdx.x] = in[r * cols + c];\n  __syncthreads();\n  out[(blockIdx.x * 16 + threadIdx.y) * rows + blockIdx.y * 16 + threadIdx.x] = s[threadIdx.x][threadIdx.y];\n",
        "cols / 16, rows / 16",
    ),
)
mistake(
    "tile_without_barrier",
    TURN
    % (
        "  __shared__ float s[16][16];\n  if (r < rows && c < cols) s[threadIdx.y][threadIdx.x] = in[r * cols + c];\n  r = blockIdx.y * 16 + threadIdx.x; c = blockIdx.x * 16 + threadIdx.y;\n  if (r < rows && c < cols) out[c * rows + r] = s[threadIdx.x][threadIdx.y];\n",
        GRID_OF,
    ),
    "barrier",
)
SUM = "__global__ void k(const float* x, size_t n, double* sum, double* partial) {\n  __shared__ double s[256];\n  int t = threadIdx.x; size_t i = blockIdx.x * (size_t)blockDim.x + t;\n  double v = 0;\n  for (; i < n; i += (size_t)gridDim.x * blockDim.x) v += (double)x[i] * x[i];\n%s}\nvoid sum_of_squares_f32(const float* x, size_t n, double* sum, double* partial) {\n%s}\n"
CLEARED = "  cudaMemset(sum, 0, 8);\n  k<<<32, 256>>>(x, n, sum, partial);\n"
TREE = "  s[t] = v;\n  __syncthreads();\n  for (int d = 128; d > 0; d >>= 1) { if (t < d) s[t] += s[t + d]; __syncthreads(); }\n"
mistake(
    "tree_no_barrier",
    SUM
    % (
        "  s[t] = v;\n  __syncthreads();\n  for (int d = 128; d > 0; d >>= 1) { if (t < d) s[t] += s[t + d]; }\n  if (t == 0) atomicAdd(sum, s[0]);\n",
        CLEARED,
    ),
    "is a barrier missing",
)
mistake(
    "tree_no_first_barrier",
    SUM
    % (
        "  s[t] = v;\n  for (int d = 128; d > 0; d >>= 1) { if (t < d) s[t] += s[t + d]; __syncthreads(); }\n  if (t == 0) atomicAdd(sum, s[0]);\n",
        CLEARED,
    ),
    "is a barrier missing",
)
mistake(
    "barrier_in_if",
    SUM
    % (
        "  s[t] = v;\n  __syncthreads();\n  for (int d = 128; d > 0; d >>= 1) {\n    if (t < d) { s[t] += s[t + d];\n      __syncthreads(); } }\n  if (t == 0) atomicAdd(sum, s[0]);\n",
        CLEARED,
    ),
    "line 10: __syncthreads is reached by 128 of 256",
)
mistake(
    "not_cleared",
    SUM
    % (TREE + "  if (t == 0) atomicAdd(sum, s[0]);\n", "  k<<<32, 256>>>(x, n, sum, partial);\n"),
    "set to zero",
)
mistake(
    "not_atomic",
    SUM % (TREE + "  if (t == 0) *sum += s[0];\n", CLEARED),
    "should the update be atomic",
)
mistake("not_atomic_all", SUM % ("  *sum += v;\n", CLEARED), "should the update be atomic")
mistake(
    "store_total",
    SUM % (TREE + "  if (t == 0) *sum = s[0];\n", "  k<<<32, 256>>>(x, n, sum, partial);\n"),
    "index of its own",
)
mistake(
    "total_of_other_blocks",
    SUM
    % (
        TREE
        + "  if (t == 0) partial[blockIdx.x] = s[0];\n  if (blockIdx.x == 0 && t == 0) { double a = 0; for (unsigned b = 0; b < gridDim.x; ++b) a += partial[b]; *sum = a; }\n",
        "  k<<<32, 256>>>(x, n, sum, partial);\n",
    ),
)
mistake(
    "clear_in_block_0",
    SUM
    % (
        "  if (blockIdx.x == 0 && t == 0) *sum = 0;\n"
        + TREE
        + "  if (t == 0) atomicAdd(sum, s[0]);\n",
        "  k<<<32, 256>>>(x, n, sum, partial);\n",
    ),
)
mistake(
    "warp_mask",
    SUM
    % (
        "  if (t % 32 < 16)\n    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);\n  if (t % 32 == 0) atomicAdd(sum, v);\n",
        CLEARED,
    ),
    "line 7: ",
)
mistake(
    "warp_mask_without_self",
    SUM
    % (
        "  if (t % 32 < 16)\n    v += __shfl_down_sync(0x0000ff00, v, 8);\n  if (t % 32 == 0) atomicAdd(sum, v);\n",
        CLEARED,
    ),
    "line 7: ",
)
mistake(
    "warp_leftover",
    SUM
    % (
        "  for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);\n  if (t % 32 == 0) atomicAdd(sum, v);\n",
        CLEARED,
    ),
)
mistake(
    "last_warp_volatile",
    SUM
    % (
        "  s[t] = v;\n  __syncthreads();\n  for (int d = 128; d > 32; d >>= 1) { if (t < d) s[t] += s[t + d]; __syncthreads(); }\n  volatile double* q = s;\n  if (t < 32) { q[t] += q[t + 32]; q[t] += q[t + 16]; q[t] += q[t + 8]; q[t] += q[t + 4]; q[t] += q[t + 2]; q[t] += q[t + 1]; }\n  if (t == 0) atomicAdd(sum, s[0]);\n",
        CLEARED,
    ),
    "is a barrier missing",
)
BINS = "__global__ void k(const float* x, size_t n, unsigned* counts, int bins, float lo, float hi, float scale) {\n%s}\nvoid histogram_f32(const float* x, size_t n, uint32_t* counts, size_t bins, float lo, float hi) {\n%s  k<<<16, 256, bins * 4>>>(x, n, counts, (int)bins, lo, hi, bins / (hi - lo));\n}\n"
LOOP = "  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)\n    if (x[i] >= lo && x[i] < hi) %s;\n"
BIN = "min((int)((x[i] - lo) * scale), bins - 1)"
CLEAR = "  cudaMemset(counts, 0, bins * 4);\n"
mistake(
    "histogram_not_atomic",
    BINS % (LOOP % ("counts[%s]++" % BIN), CLEAR),
    "should the update be atomic",
)
mistake(
    "histogram_not_cleared", BINS % (LOOP % ("atomicAdd(&counts[%s], 1u)" % BIN), ""), "set to zero"
)
SHARED = "  extern __shared__ unsigned h[];\n"
ADDED = "  for (int b = threadIdx.x; b < bins; b += blockDim.x) atomicAdd(&counts[b], h[b]);\n"
CLEAR_SHARED = "  for (int b = threadIdx.x; b < bins; b += blockDim.x) h[b] = 0;\n"
mistake(
    "histogram_shared_not_cleared",
    BINS
    % (SHARED + LOOP % ("atomicAdd(&h[%s], 1u)" % BIN) + "  __syncthreads();\n" + ADDED, CLEAR),
    "set to zero",
)
mistake(
    "histogram_no_barrier",
    BINS
    % (
        SHARED
        + CLEAR_SHARED
        + "  __syncthreads();\n"
        + LOOP % ("atomicAdd(&h[%s], 1u)" % BIN)
        + ADDED,
        CLEAR,
    ),
    "barrier",
)
mistake(
    "histogram_no_first_barrier",
    BINS
    % (
        SHARED
        + CLEAR_SHARED
        + LOOP % ("atomicAdd(&h[%s], 1u)" % BIN)
        + "  __syncthreads();\n"
        + ADDED,
        CLEAR,
    ),
    "barrier",
)
mistake(
    "histogram_shared_plus",
    BINS
    % (
        SHARED
        + CLEAR_SHARED
        + "  __syncthreads();\n"
        + LOOP % ("h[%s] += 1" % BIN)
        + "  __syncthreads();\n"
        + ADDED,
        CLEAR,
    ),
    "atomic",
)
mistake(
    "histogram_256_bins_of_block",
    BINS
    % (
        "  __shared__ unsigned h[256];\n  h[threadIdx.x] = 0;\n  __syncthreads();\n"
        + LOOP % ("atomicAdd(&h[%s], 1u)" % BIN)
        + "  __syncthreads();\n  if (threadIdx.x < 10) atomicAdd(&counts[threadIdx.x], h[threadIdx.x]);\n",
        CLEAR,
    ),
)
mistake(
    "bytes",
    HOST
    + "  float* p; cudaMalloc(&p, n * sizeof(float));\n  cudaMemcpy(p, in, n * sizeof(float), cudaMemcpyDeviceToDevice);\n  cudaMemcpy(out, p, n, cudaMemcpyDeviceToDevice);\n  cudaFree(p);\n}\n",
    "bytes for elements",
)
mistake(
    "malloc_elements",
    HEAD
    + INDEX
    + COPY
    + "}\n"
    + HOST
    + "  float* p; cudaMalloc(&p, n);\n  k<<<(n + 255) / 256, 256>>>(in, p, n);\n  k<<<(n + 255) / 256, 256>>>(p, out, n);\n  cudaFree(p);\n}\n",
)
mistake(
    "copies_up",
    HEAD
    + INDEX
    + COPY
    + "}\n"
    + HOST
    + "  float* p; cudaMalloc(&p, 4 * n);\n  cudaMemcpy(p, in, 4 * n, cudaMemcpyHostToDevice);\n  k<<<(n + 255) / 256, 256>>>(p, out, n);\n  cudaFree(p);\n}\n",
    "line 7: cudaMemcpy(p, in, 4 * n, cudaMemcpyHostToDevice): in is on the device already; launch on it",
)
mistake(
    "copies_down",
    HEAD
    + INDEX
    + COPY
    + "}\n"
    + HOST
    + "  float* p; cudaMalloc(&p, 4 * n);\n  k<<<(n + 255) / 256, 256>>>(in, p, n);\n  cudaMemcpy(out, p, 4 * n, cudaMemcpyDeviceToHost);\n  cudaFree(p);\n}\n",
    "line 8: cudaMemcpy(out, p, 4 * n, cudaMemcpyDeviceToHost): out is on the device already; let",
)
mistake(
    "stream_not_waited",
    HEAD
    + INDEX
    + COPY
    + "}\n"
    + HOST
    + "  float* p; cudaMalloc(&p, 4 * n);\n  cudaStream_t a, b; cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);\n  k<<<(n + 255) / 256, 256, 0, a>>>(in, p, n);\n  k<<<(n + 255) / 256, 256, 0, b>>>(p, out, n);\n  cudaStreamSynchronize(b); cudaStreamSynchronize(a); cudaStreamDestroy(a); cudaStreamDestroy(b); cudaFree(p);\n}\n",
)
MANAGED = (
    HEAD
    + INDEX
    + COPY
    + "}\n"
    + HOST
    + "  float* p; cudaMallocManaged(&p, 4 * n);\n  k<<<(n + 255) / 256, 256>>>(in, p, n);\n%s  cudaMemcpy(out, &last, 0 * 4, cudaMemcpyHostToDevice); k<<<(n + 255) / 256, 256>>>(p, out, n);\n  cudaFree(p);\n}\n"
)
mistake(
    "managed_not_waited",
    MANAGED % "  float last = p[n - 1];\n",
    "line 8: the host reads memory that the device may still write (line 3): wait before",
)
mistake(
    "managed_written_under_a_kernel",
    MANAGED
    % "  cudaDeviceSynchronize(); float last = 0; k<<<1, 1>>>(p, out, 1);\n  p[0] = in != 0;\n",
    "line 9: the host writes memory that the device may still read (line 3): wait before",
)
mistake(
    "mapped_not_waited",
    (MANAGED % "  float last = p[n - 1];\n")
    .replace("cudaMallocManaged(&p, 4 * n)", "cudaMallocHost(&p, 4 * n)")
    .replace("cudaFree(", "cudaFreeHost("),
    "line 8: the host reads memory that the device may still write (line 3): wait before",
)
mistake(
    "streams_without_order",
    HEAD
    + INDEX
    + COPY
    + "}\n__global__ void next(const float* in, float* out, size_t n) {\n"
    + INDEX
    + "  if (i < n) out[i] += 0 * in[i];\n}\n"
    + HOST
    + "  cudaStream_t a, b; cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);\n  k<<<(n + 255) / 256, 256, 0, a>>>(in, out, n);\n  next<<<(n + 255) / 256, 256, 0, b>>>(in, out, n);\n  cudaStreamSynchronize(a); cudaStreamSynchronize(b); cudaStreamDestroy(a); cudaStreamDestroy(b);\n}\n",
    "lines 3 and 7: one thread reads and another writes the same element of out, and nothing orders them: does one stream wait for the other (cudaStreamWaitEvent)?",
)
mistake(
    "tail_float4",
    copying(
        "  size_t j = 4 * i;\n  if (j + 3 < n) ((float4*)out)[i] = ((const float4*)in)[i];\n",
        "(n + 1023) / 1024, 256",
    ),
)
mistake(
    "over_float4",
    copying(
        "  if (4 * i < n) ((float4*)out)[i] = ((const float4*)in)[i];\n", "(n + 1023) / 1024, 256"
    ),
)
mistake(
    "neighbour_shared",
    copying(
        "  __shared__ float s[256];\n  if (i < n) s[t] = in[i];\n  if (i < n) out[i] = s[t] + 0 * s[(t + 1) % 256];\n"
    ),
)
mistake(
    "in_place_neighbour",
    copying("  if (i < n) out[i] = in[i];\n  if (i + 1 < n) out[i] = out[i + 1];\n"),
)
mistake(
    "uninitialised_shared",
    copying(
        "  __shared__ float s[257];\n  s[t] = i < n ? in[i] : 0;\n  __syncthreads();\n  if (i < n) out[i] = s[t] + s[256];\n"
    ),
)
mistake(
    "shared_too_small",
    copying(
        "  __shared__ float s[128];\n  s[t] = i < n ? in[i] : 0;\n  __syncthreads();\n  if (i < n) out[i] = s[t];\n"
    ),
    "past the end of s, which has 512 bytes",
)
mistake("kernel_called", HEAD + INDEX + COPY + "}\n" + HOST + "  k(in, out, n);\n}\n")
mistake("assert_fails", "#include <cassert>\n" + copying("  assert(n % 256 == 0);\n" + COPY))
mistake(
    "early_return",
    copying(
        "  if (i >= n) return;\n  __shared__ float s[256];\n  s[t] = in[i];\n  __syncthreads();\n  out[i] = s[t];\n"
    ),
    "line 6: __syncthreads is reached by 245 of 256",
)

# Of the workloads that each course has, and of a flag that is handed on.
mistake(
    "terms_beyond_the_last",
    """#define T 16
__global__ void mk(const float* a,const float* b,float* c,size_t m,size_t n,size_t k){
 __shared__ float as[T][T],bs[T][T]; size_t row=blockIdx.y*T+threadIdx.y,col=blockIdx.x*T+threadIdx.x; float s=0;
 for(size_t t=0;t<(k+T-1)/T;++t){
  as[threadIdx.y][threadIdx.x]=row<m?a[row*k+t*T+threadIdx.x]:0;
  bs[threadIdx.y][threadIdx.x]=col<n?b[(t*T+threadIdx.y)*n+col]:0;
  __syncthreads();
  for(int p=0;p<T;++p) s+=as[threadIdx.y][p]*bs[p][threadIdx.x];
  __syncthreads();
 }
 if(row<m&&col<n) c[row*n+col]=s;
}
void matmul_f32(const float* a,const float* b,float* c,size_t m,size_t n,size_t k){
 dim3 grid((n+T-1)/T,(m+T-1)/T); mk<<<grid,dim3(T,T)>>>(a,b,c,m,n,k);
}""",
    "of b, which has",
)
mistake(
    "halo_of_one_side",
    """#define BX 32
#define BY 8
__global__ void sk(const float* from,float* to,size_t rows,size_t cols){
 __shared__ float t[BY+2][BX+2]; size_t j=blockIdx.x*(size_t)BX+threadIdx.x,i=blockIdx.y*(size_t)BY+threadIdx.y; unsigned x=threadIdx.x+1,y=threadIdx.y+1; size_t k=i*cols+j; bool in=i<rows&&j<cols;
 if(in){t[y][x]=from[k]; if(x==1&&j>0)t[y][0]=from[k-1];  if(y==1&&i>0)t[0][x]=from[k-cols]; if(y==BY&&i+1<rows)t[BY+1][x]=from[k+cols];}
 __syncthreads();
 if(!in)return;
 if(i==0||i+1==rows||j==0||j+1==cols)to[k]=from[k]; else to[k]=t[y][x]+0.2f*(t[y-1][x]+t[y+1][x]+t[y][x-1]+t[y][x+1]-4*t[y][x]);
}
void stencil_f32(const float* u,float* out,float* spare,size_t rows,size_t cols,size_t steps){
 const float* from=u; if(!steps)cudaMemcpyAsync(out,u,rows*cols*4,cudaMemcpyDeviceToDevice);
 for(size_t s=1;s<=steps;++s){float* to=(steps-s)%2==0?out:spare; sk<<<dim3((cols+BX-1)/BX,(rows+BY-1)/BY),dim3(BX,BY)>>>(from,to,rows,cols); from=to;}
}""",
    "wrong with 37x131",
)
mistake(
    "last_block_of_a_scan",
    """#include <stdint.h>
#define B 256
__global__ void sb(const float* x,float* out,size_t n,double* sums){
 __shared__ double s[B]; size_t i=blockIdx.x*(size_t)B+threadIdx.x; s[threadIdx.x]=i<n?x[i]:0; __syncthreads();
 for(unsigned d=1;d<B;d*=2){ double v=threadIdx.x>=d?s[threadIdx.x-d]:0; __syncthreads(); s[threadIdx.x]+=v; __syncthreads(); }
 if(i<n)out[i]=s[threadIdx.x]; if(threadIdx.x==B-1)sums[blockIdx.x]=s[B-1];
}
__global__ void ss(double* s,size_t b){ double t=0; for(size_t i=0;i<b;++i){double v=s[i];s[i]=t;t+=v;} }
__global__ void ad(float* out,const float* x,size_t n,const double* sums){ size_t i=blockIdx.x*(size_t)B+threadIdx.x; if(i<n) out[i]=(float)(sums[blockIdx.x]+out[i]); }
void scan_f32(const float* x,float* out,size_t n,double* sums,uint32_t* flags){ (void)flags; size_t blocks=n/B; if(!blocks)return; sb<<<blocks,B>>>(x,out,n,sums); ss<<<1,1>>>(sums,blocks); ad<<<blocks,B>>>(out,x,n,sums); }""",
    "is the grid rounded up?",
)
mistake(
    "second_barrier",
    """#define T 128
__global__ void nk(const float* x,const float* y,const float* z,const float* m,float* a,size_t n){
 __shared__ float4 t[T]; size_t i=blockIdx.x*(size_t)T+threadIdx.x; float xi=i<n?x[i]:0,yi=i<n?y[i]:0,zi=i<n?z[i]:0,ax=0,ay=0,az=0;
 for(size_t base=0;base<n;base+=T){ size_t j=base+threadIdx.x; t[threadIdx.x]=j<n?make_float4(x[j],y[j],z[j],m[j]):make_float4(0,0,0,0); __syncthreads();
  for(unsigned q=0;q<T;++q){float dx=t[q].x-xi,dy=t[q].y-yi,dz=t[q].z-zi,s=dx*dx+dy*dy+dz*dz+0.001f,p=t[q].w/(s*sqrtf(s));ax+=p*dx;ay+=p*dy;az+=p*dz;}  }
 if(i<n){a[i]=ax;a[n+i]=ay;a[2*n+i]=az;}}
void n_body_f32(const float* x,const float* y,const float* z,const float* m,float* a,size_t n){ nk<<<(n+T-1)/T,T>>>(x,y,z,m,a,n); }""",
)
FENCES = re.compile(r"^ *__threadfence\(\);\n", re.MULTILINE)
mistake("flag_without_a_fence", FENCES.sub("", WHOLE["volatile_flags"]), "lines 11 and 12")
mistake("pipeline_without_a_wait", WHOLE["pipeline"].replace("  __pipeline_wait_prior(0);\n", ""))
mistake(
    "pipeline_waits_for_too_few",
    WHOLE["pipeline_of_two_buffers"].replace("wait_prior(1)", "wait_prior(2)"),
)
mistake(
    "pipeline_without_a_barrier",
    WHOLE["pipeline"]
    .replace("  __syncthreads();\n", "")
    .replace("t[0][threadIdx.x];", "t[0][threadIdx.x] + 0 * t[0][threadIdx.x ^ 64];"),
    "nothing orders them",
)
mistake(
    "wmma_last_products",
    WMMA.replace("p < kk; p += 16) {", "p + 16 <= kk; p += 16) {"),
    "wrong with",
)
mistake("wmma_before_a_barrier", WMMA.replace("    __syncwarp();\n", "", 1), "nothing orders them")
mistake("wmma_place_of_a_tile", WMMA.replace("fa, &sa[0][0]", "fa, &sa[0][1]"), "wmma_tile")


def test_each_mistake_is_found(bench, tmp_path):
    files = {name: text for name, (text, _) in MISTAKES.items()}
    found = rows(bench, tmp_path, files, 1, **WITHOUT_NVCC)
    for name, (_, words) in MISTAKES.items():
        case = found[name]
        assert case["status"] == "failed", (name, case["reason"])
        assert [word for word in words if word not in case["reason"]] == [], (name, case["reason"])
