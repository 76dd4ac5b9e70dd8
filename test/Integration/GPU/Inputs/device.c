// Calls the entries of device.mlir on a device: of the simulated driver whose
// path is the first argument, or of NVIDIA's for "-".

#include "lowp-c/Device.h"
#include "../../Inputs/caller.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#define SAYS(text) (strstr(lowp_last_error(), text) != NULL)

/// Memory of the device with a copy of `bytes` bytes.
static void *upload(const void *host, int64_t bytes, void **allocated) {
  void *data = NULL;
  CHECK(lowp_device_allocate(bytes, allocated, &data) == LOWP_OK);
  CHECK((uintptr_t)data % 16 == 0);
  CHECK(lowp_device_copy(data, host, bytes) == LOWP_OK);
  return data;
}

static MemRef1 vectorOf(void *data, int64_t size) {
  MemRef1 vector = {data, data, 0, size, 1};
  return vector;
}

static void testScale(const char *entry, float factor) {
  uint16_t x[8] = {0x3f80, 0x4000, 0x4040, 0x4080}; // 1 2 3 4
  float s = 2, scaled[8];
  void *allocated;
  void *data = upload(x, sizeof x, &allocated);
  MemRef2 argument = {data, data, 0, {2, 4}, {4, 1}};
  MemRef0 scalar = {&s, &s, 0};
  LowpBuffer arguments[] = {buffer(&argument, 2, LOWP_BF16),
                            buffer(&scalar, 0, LOWP_F32)};
  MemRef2 result;
  MemRef0 scalarResult = {0};
  LowpBuffer results[] = {buffer(&result, 2, LOWP_F32),
                          buffer(&scalarResult, 0, LOWP_F32)};
  int count = strcmp(entry, "scale") == 0 ? 2 : 1;
  CHECK(lowp_call(entry, arguments, 2, results, count) == LOWP_OK);
  CHECK(strcmp(lowp_last_error(), "") == 0);
  CHECK(result.sizes[0] == 2 && result.strides[0] == 4 && result.offset == 0);
  CHECK(lowp_device_copy(scaled, result.aligned, sizeof scaled) == LOWP_OK);
  for (int i = 0; i < 8; ++i)
    CHECK(scaled[i] == (i < 4 ? (i + 1) * factor : 0));
  CHECK(count == 1 || *(float *)scalarResult.aligned == 2);
  lowp_free(result.allocated);
  lowp_free(scalarResult.allocated);

  // No rows: no pointer is needed, and no kernel has something to do.
  argument.sizes[0] = 0;
  argument.aligned = NULL;
  CHECK(lowp_call(entry, arguments, 2, results, count) == LOWP_OK);
  CHECK(result.sizes[0] == 0);
  lowp_free(result.allocated);
  lowp_free(count == 2 ? scalarResult.allocated : NULL);

  // Memory of the host; memory that is not aligned.
  argument.sizes[0] = 2;
  argument.aligned = aligned_alloc(16, 32);
  CHECK(lowp_call(entry, arguments, 2, results, count) ==
        LOWP_INVALID_ARGUMENT);
  CHECK(SAYS("argument 0: expected memory of a device, but got 0x"));
  free(argument.aligned);
  argument.aligned = (char *)data + 2;
  CHECK(lowp_call(entry, arguments, 2, results, count) ==
        LOWP_INVALID_ARGUMENT);
  CHECK(SAYS("argument 0: expected data aligned to 16 bytes, but got 0x"));
  lowp_free(allocated);
}

static void testResults(void) {
  int32_t x[4] = {1, 2, 3, 4}, y[4];
  void *allocated;
  MemRef1 argument = vectorOf(upload(x, sizeof x, &allocated), 4), a, b;
  LowpBuffer arguments[] = {buffer(&argument, 1, LOWP_I32)};
  LowpBuffer results[] = {buffer(&a, 1, LOWP_I32), buffer(&b, 1, LOWP_I32)};
  CHECK(lowp_call("copies", arguments, 1, results, 2) == LOWP_OK);
  CHECK(a.aligned != b.aligned && a.aligned != argument.aligned);
  lowp_free(a.allocated);
  CHECK(lowp_device_copy(y, b.aligned, sizeof y) == LOWP_OK);
  CHECK(memcmp(x, y, sizeof x) == 0);
  lowp_free(b.allocated);
  lowp_free(allocated);

  float values[4] = {0};
  results[0].dtype = LOWP_F32;
  CHECK(lowp_call("constant", NULL, 0, results, 1) == LOWP_OK);
  CHECK(lowp_device_copy(values, a.aligned, 12) == LOWP_OK);
  CHECK(values[0] == 1 && values[1] == 2 && values[2] == 3);
  lowp_free(a.allocated);

  float out[4] = {0};
  argument = vectorOf(upload(out, sizeof out, &allocated), 4);
  arguments[0].dtype = LOWP_F32;
  CHECK(lowp_call("written", arguments, 1, NULL, 0) == LOWP_OK);
  CHECK(lowp_device_copy(out, argument.aligned, sizeof out) == LOWP_OK);
  CHECK(out[0] == 0 && out[1] == 5);
  lowp_free(allocated);

  // A size that the device knows.
  int64_t n = 300, count = 0;
  argument = vectorOf(upload(&n, sizeof n, &allocated), 1);
  arguments[0].dtype = LOWP_I64;
  MemRef0 scalar = {0};
  results[1] = buffer(&scalar, 0, LOWP_I64);
  CHECK(lowp_call("count", arguments, 1, results, 2) == LOWP_OK);
  memcpy(&count, scalar.aligned, sizeof count);
  CHECK(count == 300 && a.size == 300);
  float last = 0;
  CHECK(lowp_device_copy(&last, (float *)a.aligned + 299, 4) == LOWP_OK);
  CHECK(last == 1);
  lowp_free(a.allocated);
  lowp_free(scalar.allocated);
  lowp_free(allocated);

  uint8_t flag = 1;
  int64_t integer = -7, index = 9;
  uint16_t half = 0x3c00, bf16 = 0xffc1;
  void *given[] = {&flag, &integer, &half, &bf16, &index};
  int32_t types[] = {LOWP_BOOL, LOWP_I64, LOWP_F16, LOWP_BF16, LOWP_I64};
  int sizes[] = {1, 8, 2, 2, 8};
  MemRef0 in[5], got[5];
  LowpBuffer inputs[5], outputs[5];
  for (int i = 0; i < 5; ++i) {
    in[i] = (MemRef0){given[i], given[i], 0};
    inputs[i] = buffer(&in[i], 0, types[i]);
    outputs[i] = buffer(&got[i], 0, types[i]);
  }
  CHECK(lowp_call("scalars", inputs, 5, outputs, 5) == LOWP_OK);
  for (int i = 0; i < 5; ++i) {
    CHECK(memcmp(given[i], got[i].aligned, sizes[i]) == 0);
    lowp_free(got[i].allocated);
  }
}

/// Runs `entry` on a table and two indices.
static int32_t gather(const char *entry, int64_t first, int64_t second,
                      float *values) {
  float table[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  int64_t at[2] = {first, second};
  void *allocated[2];
  MemRef1 tableRef = vectorOf(upload(table, sizeof table, &allocated[0]), 8);
  MemRef1 atRef = vectorOf(upload(at, sizeof at, &allocated[1]), 2), result;
  LowpBuffer arguments[] = {buffer(&tableRef, 1, LOWP_F32),
                            buffer(&atRef, 1, LOWP_I64)};
  LowpBuffer results[] = {buffer(&result, 1, LOWP_F32)};
  int64_t before = lowp_live_allocations();
  int32_t status = lowp_call(entry, arguments, 2, results, 1);
  char reason[1024];
  snprintf(reason, sizeof reason, "%s", lowp_last_error());
  if (status == LOWP_OK) {
    CHECK(lowp_device_copy(values, result.aligned, 8) == LOWP_OK);
    lowp_free(result.allocated);
  }
  CHECK(lowp_live_allocations() == before);
  lowp_free(allocated[0]);
  lowp_free(allocated[1]);
  if (status != LOWP_OK)
    snprintf((char *)values, 1024, "%s", reason);
  return status;
}

static void testFailures(int isSimulated) {
  union {
    float values[2];
    char text[1024];
  } got;
  CHECK(gather("gather", 3, 7, got.values) == LOWP_OK);
  CHECK(got.values[0] == 3 && got.values[1] == 7);
  CHECK(gather("gather", 3, 8, got.values) == LOWP_ASSERTION_FAILED);
  CHECK(strstr(got.text, "an index is too large"));
  CHECK(gather("gather", 8, -1, got.values) == LOWP_ASSERTION_FAILED);
  CHECK(strstr(got.text, "an index is negative"));
  CHECK(gather("gather", 0, 1, got.values) == LOWP_OK);

  MemRef1 result;
  LowpBuffer results[] = {buffer(&result, 1, LOWP_F32)};
  CHECK(lowp_call("too_large", NULL, 0, results, 1) == LOWP_OUT_OF_MEMORY);
  CHECK(SAYS("cannot allocate a buffer of 1125899906842624 bytes on device"));

  // Sizes that are none.
  void *allocated = NULL, *data = NULL;
  CHECK(lowp_device_allocate(-1, &allocated, &data) == LOWP_INVALID_ARGUMENT);
  CHECK(SAYS("expected a number of bytes, but got -1") && !allocated && !data);
  CHECK(lowp_device_copy(&result, &result, -1) == LOWP_INVALID_ARGUMENT);
  CHECK(SAYS("expected a number of bytes, but got -1"));
  CHECK(lowp_trim() == LOWP_OK && strcmp(lowp_last_error(), "") == 0);

  CHECK(lowp_use_driver("elsewhere.so") == LOWP_INVALID_ARGUMENT);
  CHECK(SAYS("is loaded already"));
  CHECK(lowp_set_device(77) == LOWP_INVALID_ARGUMENT);
  CHECK(SAYS("but got device 77"));
  CHECK(lowp_call("nothing", NULL, 0, NULL, 0) == LOWP_UNKNOWN_ENTRY);

  // A fault on a real device is the end of its context.
  if (!isSimulated)
    return;
  CHECK(gather("faults", 1, 1 << 20, got.values) == LOWP_DEVICE_ERROR);
  CHECK(strstr(got.text, "cannot run the kernel 'faults_kernel' on device"));
  CHECK(strstr(got.text, "CUDA_ERROR_ILLEGAL_ADDRESS"));
  CHECK(strstr(got.text, "out of bounds"));
  CHECK(gather("faults", 1, 2, got.values) == LOWP_OK);
  CHECK(lowp_set_device(0) == LOWP_NO_DEVICE);
  CHECK(SAYS("the program is for sm_90a, but device 0 (simulated sm_80) is "
             "sm_80"));
}

static void testDevices(void) {
  int32_t devices[8], count = -1, device = -1;
  CHECK(lowp_list_devices(devices, 8, &count) == LOWP_OK && count >= 1);
  CHECK(lowp_get_device(&device) == LOWP_OK && device == devices[0]);
  // Why others were not chosen is no error.
  CHECK(strcmp(lowp_last_error(), "") == 0);
  CHECK(lowp_set_device(device) == LOWP_OK);
  testScale("scale", 2);
  CHECK(lowp_set_device(-1) == LOWP_OK);
  // Work in the default stream is done once that is waited for.
  CHECK(lowp_set_stream((void *)1) == LOWP_OK);
  testScale("twice", 4);
  CHECK(lowp_synchronize() == LOWP_OK);
  CHECK(lowp_set_stream(NULL) == LOWP_OK);
  CHECK(lowp_trim() == LOWP_OK);
}

static void *runThread(void *unused) {
  for (int i = 0; i < 20; ++i) {
    testScale("scale", 2);
    testScale("twice", 4);
  }
  return unused;
}

int main(int argc, char **argv) {
  int isSimulated = argc > 1 && strcmp(argv[1], "-") != 0;
  int64_t (*countLive)(void) = NULL;
  if (isSimulated) {
    CHECK(lowp_use_driver(argv[1]) == LOWP_OK);
    void *driver = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    CHECK(driver);
    *(void **)&countLive = dlsym(driver, "lowpCudaLiveAllocations");
    CHECK(countLive && countLive() == 0);
  }
  testDevices();
  testScale("scale", 2);
  testScale("twice", 4);
  testResults();
  testFailures(isSimulated);
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i)
    CHECK(pthread_create(&threads[i], NULL, runThread, NULL) == 0);
  for (int i = 0; i < 4; ++i)
    pthread_join(threads[i], NULL);
  CHECK(lowp_live_allocations() == 0);
  // The copy of the constant stays.
  CHECK(!countLive || countLive() == 1);
  for (int i = 0; i < 1000; ++i)
    testScale("twice", 4);
  CHECK(lowp_live_allocations() == 0);
  CHECK(!countLive || countLive() == 1);
  puts("all good");
  return 0;
}
