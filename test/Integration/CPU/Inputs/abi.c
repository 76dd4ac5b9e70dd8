// Calls the entries of abi.mlir through the C ABI.

#include "../../Inputs/caller.h"

#include <string.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

extern int32_t lowp_entry_main(const LowpBuffer *, int64_t, LowpBuffer *,
                               int64_t);

static int endsWith(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

static void testMain(void) {
  uint16_t x[16] = {0x3f80, 0x4000, 0x4040, 0x4080}; // 1 2 3 4
  float s = 2;
  MemRef2 argument = {x, x, 0, {2, 4}, {4, 1}};
  MemRef0 scalar = {&s, &s, 0};
  LowpBuffer arguments[] = {buffer(&argument, 2, LOWP_U16),
                            buffer(&scalar, 0, LOWP_F32)};
  MemRef2 result;
  MemRef0 scalarResult;
  LowpBuffer results[] = {buffer(&result, 2, LOWP_F32),
                          buffer(&scalarResult, 0, LOWP_F32)};
  CHECK(lowp_call("main", arguments, 2, results, 2) == LOWP_OK);
  CHECK(strcmp(lowp_last_error(), "") == 0);
  CHECK(result.sizes[0] == 2 && result.sizes[1] == 4);
  const float *data = (float *)result.aligned + result.offset;
  CHECK(data[0] == 2 && data[3] == 8 && data[7] == 0);
  CHECK(*(float *)scalarResult.aligned == 2);
  CHECK(lowp_live_allocations() == 2);
  lowp_free(result.allocated);
  lowp_free(scalarResult.allocated);
  CHECK(lowp_live_allocations() == 0);

  // The entry's own symbol; a dtype of its own; an empty tensor; an offset.
  arguments[0].dtype = LOWP_BF16;
  argument.sizes[0] = 0;
  argument.aligned = NULL;
  CHECK(lowp_entry_main(arguments, 2, results, 2) == LOWP_OK);
  CHECK(result.sizes[0] == 0);
  lowp_free(result.allocated);
  lowp_free(scalarResult.allocated);
  argument.aligned = x;
  argument.sizes[0] = 1;
  argument.offset = 3;
  CHECK(lowp_entry_main(arguments, 2, results, 2) == LOWP_OK);
  CHECK(((float *)result.aligned)[0] == 8);
  lowp_free(result.allocated);
  lowp_free(scalarResult.allocated);

  // Errors set no result and leak nothing.
  static uint16_t many[1000 * 4];
  MemRef2 large = {many, many, 0, {1000, 4}, {4, 1}};
  arguments[0] = buffer(&large, 2, LOWP_BF16);
  result.allocated = NULL;
  CHECK(lowp_call("main", arguments, 2, results, 2) == LOWP_ASSERTION_FAILED);
  CHECK(endsWith(lowp_last_error(), "too many rows"));
  CHECK(result.allocated == NULL && lowp_live_allocations() == 0);
}

static void testArguments(void) {
  uint16_t x[8] = {0};
  float s = 2;
  MemRef2 argument = {x, x, 0, {2, 4}, {4, 1}};
  MemRef0 scalar = {&s, &s, 0};
  MemRef2 result;
  MemRef0 scalarResult;
  LowpBuffer arguments[] = {buffer(&argument, 2, LOWP_BF16),
                            buffer(&scalar, 0, LOWP_F32)};
  LowpBuffer results[] = {buffer(&result, 2, LOWP_F32),
                          buffer(&scalarResult, 0, LOWP_F32)};
#define REFUSED(message)                                                       \
  CHECK(lowp_call("main", arguments, 2, results, 2) == LOWP_INVALID_ARGUMENT); \
  CHECK(endsWith(lowp_last_error(), message))

  CHECK(lowp_call("main", arguments, 1, results, 2) == LOWP_INVALID_ARGUMENT);
  CHECK(endsWith(lowp_last_error(), "expects 2 arguments, but got 1"));
  CHECK(lowp_call("main", arguments, 2, results, 1) == LOWP_INVALID_ARGUMENT);
  CHECK(lowp_call("absent", arguments, 2, results, 2) == LOWP_UNKNOWN_ENTRY);
  CHECK(lowp_call("hidden", NULL, 0, results, 1) == LOWP_UNKNOWN_ENTRY);
  arguments[0].rank = 1;
  REFUSED("argument 0: expected rank 2, but got rank 1");
  arguments[0].rank = 2;
  arguments[0].dtype = LOWP_F16;
  REFUSED("argument 0: expected bf16 elements, but got f16");
  arguments[0].dtype = 77;
  REFUSED("argument 0: expected bf16 elements, but got an unknown dtype");
  arguments[0].dtype = LOWP_BF16;
  argument.sizes[1] = 5;
  REFUSED("argument 0: expected 4 for dimension 1, but got 5");
  argument.sizes[1] = 4;
  argument.sizes[0] = -1;
  REFUSED("size of dimension 0 is negative");
  argument.sizes[0] = INT64_MAX;
  REFUSED("the number of elements overflows");
  argument.sizes[0] = INT64_MAX / 4;
  REFUSED("the number of bytes overflows");
  argument.sizes[0] = 2;
  argument.strides[0] = 1;
  argument.strides[1] = 2;
  REFUSED("but the stride of dimension 1 is 2");
  argument.strides[0] = 4;
  argument.strides[1] = 1;
  argument.aligned = NULL;
  REFUSED("argument 0: data is null");
  argument.aligned = (char *)x + 1;
  REFUSED("data is not aligned to its 2-byte elements");
  argument.aligned = x;
  arguments[0].descriptor = NULL;
  REFUSED("argument 0: descriptor is null");
  arguments[0].descriptor = &argument;
  results[0].dtype = LOWP_F64;
  REFUSED("result 0: expected f32 elements, but got f64");
  CHECK(lowp_live_allocations() == 0);
}

static void testOwnership(void) {
  int32_t x[4] = {1, 2, 3, 4};
  MemRef1 argument = {x, x, 0, 4, 1}, results[2];
  LowpBuffer in = buffer(&argument, 1, LOWP_I32);
  LowpBuffer out[] = {buffer(&results[0], 1, LOWP_I32),
                      buffer(&results[1], 1, LOWP_U32)};
  CHECK(lowp_call("malloc", &in, 1, out, 2) == LOWP_OK);
  CHECK(results[0].aligned != x && results[1].aligned != x);
  CHECK(results[0].aligned != results[1].aligned);
  CHECK(((int32_t *)results[1].aligned)[3] == 4);
  lowp_free(results[0].allocated);
  lowp_free(results[1].allocated);

  float f[4] = {1, 1, 1, 1};
  MemRef1 floats = {f, f, 0, 4, 1};
  in = buffer(&floats, 1, LOWP_F32);
  out[0].dtype = LOWP_F32;
  CHECK(lowp_call("in_place", &in, 1, out, 1) == LOWP_OK);
  CHECK(f[0] == 1 && *(float *)results[0].aligned == 7);
  lowp_free(results[0].allocated);
  CHECK(lowp_call("written", &in, 1, NULL, 0) == LOWP_OK);
  CHECK(f[1] == 5);

  for (int i = 0; i < 2; ++i) {
    CHECK(lowp_call("constant", NULL, 0, out, 1) == LOWP_OK);
    CHECK(((float *)results[0].aligned)[2] == 3);
    ((float *)results[0].aligned)[2] = 0;
    lowp_free(results[0].allocated);
  }
  lowp_free(NULL);
  CHECK(lowp_call("too_large", NULL, 0, out, 1) == LOWP_OUT_OF_MEMORY);
  CHECK(lowp_live_allocations() == 0);
}

static void testScalars(void) {
  uint8_t a = 1;
  int64_t b = -5, e = 1ll << 40;
  uint16_t c = 0x3c00, d = 0x0001;
  void *data[] = {&a, &b, &c, &d, &e};
  LowpDType types[] = {LOWP_BOOL, LOWP_I64, LOWP_F16, LOWP_BF16, LOWP_I64};
  MemRef0 in[5], out[5];
  LowpBuffer arguments[5], results[5];
  for (int i = 0; i < 5; ++i) {
    in[i].allocated = in[i].aligned = data[i];
    in[i].offset = 0;
    arguments[i] = buffer(&in[i], 0, types[i]);
    results[i] = buffer(&out[i], 0, types[i]);
  }
  CHECK(lowp_call("scalars", arguments, 5, results, 5) == LOWP_OK);
  CHECK(*(uint8_t *)out[0].aligned == 1);
  CHECK(*(int64_t *)out[1].aligned == -5);
  CHECK(*(uint16_t *)out[2].aligned == 0x3c00);
  CHECK(*(uint16_t *)out[3].aligned == 0x0001);
  CHECK(*(int64_t *)out[4].aligned == 1ll << 40);
  for (int i = 0; i < 5; ++i)
    lowp_free(out[i].allocated);
  CHECK(lowp_call("not-an-identifier", NULL, 0, &results[1], 1) ==
        LOWP_INVALID_ARGUMENT);
  results[1].dtype = LOWP_F32;
  CHECK(lowp_call("not-an-identifier", NULL, 0, &results[1], 1) == LOWP_OK);
  lowp_free(out[1].allocated);
}

static void testFloatEnvironment(void) {
#if defined(__x86_64__)
  float x = 0x1p-140f;
  uint32_t bits;
  MemRef0 in = {&x, &x, 0}, out;
  LowpBuffer argument = buffer(&in, 0, LOWP_F32);
  LowpBuffer result = buffer(&out, 0, LOWP_F32);
  unsigned before = _mm_getcsr();
  _mm_setcsr(0xffe0); // flush to zero, denormals are zero, toward zero
  CHECK(lowp_call("subnormal", &argument, 1, &result, 1) == LOWP_OK);
  CHECK((_mm_getcsr() & 0xffc0) == 0xffc0);
  _mm_setcsr(before);
  memcpy(&bits, out.aligned, sizeof bits);
  CHECK(bits == 1u << 8); // 2^-141
  lowp_free(out.allocated);
#endif
}

// Given an argument, leaves out what valgrind does not emulate.
int main(int argc, char **argv) {
  (void)argv;
  CHECK(lowp_abi_version() == LOWP_ABI_VERSION);
  testMain();
  testArguments();
  testOwnership();
  testScalars();
  if (argc == 1)
    testFloatEnvironment();
  CHECK(lowp_live_allocations() == 0);
  puts(lowp_signatures());
  return 0;
}
