// A CUDA driver of which one call fails. It passes all calls to the driver
// whose path setDriver gets, and instead of the call that failAt chooses it
// returns an error, with all calls after that where it is told so.

#include "lowp-c/CudaDriver.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// A parameter of any function here: integers and pointers, which the calling
/// conventions of 64-bit hosts pass in one register or slot of the stack each.
typedef uintptr_t Word;
typedef CUresult (*AnyFunction)(Word, Word, Word, Word, Word, Word, Word, Word,
                                Word, Word, Word);

static void *driver;
static long numCalls, numHeld, first = -1;
static int all, failure;
static const char *failed = "";

void setDriver(const char *path) {
  driver = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!driver)
    abort();
}

/// Lets the call `call` from now fail with `result`, or none for -1, and with
/// `andAll` those after it.
void failAt(long call, int result, int andAll) {
  numCalls = 0;
  first = call;
  failure = result;
  all = andAll;
  failed = "";
}

/// The function that failed; "" for none.
const char *getFailed(void) { return failed; }

/// Whether this call fails. What asks about errors does not count.
static int countCall(const char *symbol) {
  if (strncmp(symbol, "cuGetError", strlen("cuGetError")) == 0)
    return 0;
  long call = numCalls++;
  if (first < 0 || (all ? call < first : call != first))
    return 0;
  if (!*failed)
    failed = symbol;
  return 1;
}

/// What a driver does even where it reports an earlier error.
static int isDone(const char *symbol) {
  return strcmp(symbol, "cuCtxPopCurrent_v2") == 0;
}

/// What `symbol` does to the number of things that the caller holds.
static int countHeld(const char *symbol) {
  static const char *const kPairs[][2] = {
      {"cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRelease_v2"},
      {"cuCtxPushCurrent_v2", "cuCtxPopCurrent_v2"},
      {"cuStreamCreate", "cuStreamDestroy_v2"},
      {"cuEventCreate", "cuEventDestroy_v2"},
      {"cuModuleLoadDataEx", "cuModuleUnload"},
      {"cuMemPoolCreate", "cuMemPoolDestroy"},
      {"cuMemAllocFromPoolAsync", "cuMemFreeAsync"},
      {"cuMemAlloc_v2", "cuMemFree_v2"}};
  for (size_t i = 0; i < sizeof kPairs / sizeof kPairs[0]; ++i)
    for (int end = 0; end < 2; ++end)
      if (strcmp(symbol, kPairs[i][end]) == 0)
        return end ? -1 : 1;
  return 0;
}

/// How much the caller has taken and not given back.
long getNumHeld(void) { return numHeld; }

#define LOWP_CUDA_FUNCTION(name, symbol, parameters)                           \
  CUresult symbol(Word a, Word b, Word c, Word d, Word e, Word f, Word g,      \
                  Word h, Word i, Word j, Word k) {                            \
    int fails = countCall(#symbol);                                            \
    if (fails && !isDone(#symbol))                                             \
      return failure;                                                          \
    AnyFunction function;                                                      \
    *(void **)&function = dlsym(driver, #symbol);                              \
    CUresult result = function(a, b, c, d, e, f, g, h, i, j, k);               \
    if (!result)                                                               \
      numHeld += countHeld(#symbol);                                           \
    return fails ? failure : result;                                           \
  }
LOWP_CUDA_FUNCTIONS(LOWP_CUDA_FUNCTION)
#undef LOWP_CUDA_FUNCTION
