// What C programs that call compiled programs share.

#ifndef LOWP_TEST_CALLER_H
#define LOWP_TEST_CALLER_H

#include "lowp-c/Runtime.h"

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      printf("line %d: %s (last error: %s)\n", __LINE__, #condition,           \
             lowp_last_error());                                               \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

typedef struct {
  void *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
} MemRef2;
typedef struct {
  void *allocated, *aligned;
  int64_t offset, size, stride;
} MemRef1;
typedef struct {
  void *allocated, *aligned;
  int64_t offset;
} MemRef0;

static LowpBuffer buffer(void *descriptor, int64_t rank, LowpDType dtype) {
  LowpBuffer result = {descriptor, rank, dtype, 0};
  return result;
}

#endif // LOWP_TEST_CALLER_H
