/*===- lowp-c/Runtime.h - Calling a compiled program --------------*- C -*-===*\
|*                                                                            *|
|* Part of the Lowp project, under the Apache License v2.0 with LLVM          *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* The C ABI of what `lowp-compile --emit=shared` and `--emit=obj` write.     *|
|* docs/c-abi.md explains it with examples. A shared object holds everything  *|
|* it needs beside libc and libm. For GPUs see lowp-c/Device.h as well.       *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef LOWP_C_RUNTIME_H
#define LOWP_C_RUNTIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Raised whenever a caller of an older version could misread something. */
#define LOWP_ABI_VERSION 2

/** What a call returns. Values are never renumbered. */
typedef enum LowpStatus {
  LOWP_OK = 0,
  /** The arguments or result slots do not fit the signature of the entry. */
  LOWP_INVALID_ARGUMENT = 1,
  /** The shared object has no entry of that name. */
  LOWP_UNKNOWN_ENTRY = 2,
  /** A check of the program itself (`cf.assert`) failed. */
  LOWP_ASSERTION_FAILED = 3,
  /** The program asked for memory that the system or device does not have. */
  LOWP_OUT_OF_MEMORY = 4,
  /** A program for a GPU found no driver that takes it, or no device that it
   * can run on. */
  LOWP_NO_DEVICE = 5,
  /** The driver failed, or a kernel did. */
  LOWP_DEVICE_ERROR = 6
} LowpStatus;

/**
 * Element types. Where a value has a type that C lacks (bf16, f16, f8, f6, f4),
 * its bits travel as an unsigned integer: of 16 bits, or of 8 bits with unused
 * upper bits zero. A buffer may be labelled with the type itself or with that
 * unsigned integer. Integers of one width are interchangeable.
 */
typedef enum LowpDType {
  LOWP_BOOL = 1, /* one byte, 0 or 1 */
  LOWP_I8 = 2,
  LOWP_I16 = 3,
  LOWP_I32 = 4,
  LOWP_I64 = 5,
  LOWP_U8 = 6,
  LOWP_U16 = 7,
  LOWP_U32 = 8,
  LOWP_U64 = 9,
  LOWP_F16 = 10,
  LOWP_BF16 = 11,
  LOWP_F32 = 12,
  LOWP_F64 = 13,
  LOWP_F8E4M3FN = 14,
  LOWP_F8E5M2 = 15,
  LOWP_F8E8M0FNU = 16,
  LOWP_F6E2M3FN = 17,
  LOWP_F6E3M2FN = 18,
  LOWP_F4E2M1FN = 19
} LowpDType;

/**
 * One argument or result. `descriptor` points to a ranked memref descriptor of
 * MLIR, that is, to
 *
 *     struct {
 *       void *allocated;         // what lowp_free takes
 *       void *aligned;           // data; elements start at aligned[offset]
 *       int64_t offset;          // in elements
 *       int64_t sizes[rank];
 *       int64_t strides[rank];   // in elements
 *     };
 *
 * For an argument all of it is set by the caller; the elements must be
 * contiguous in row-major order. For a result the caller provides `rank`,
 * `dtype` and room for the descriptor, and the call fills in the descriptor.
 * A scalar is a buffer of rank 0.
 */
typedef struct LowpBuffer {
  void *descriptor;
  int64_t rank;
  int32_t dtype;
  int32_t reserved; /* 0 */
} LowpBuffer;

/** LOWP_ABI_VERSION of the compiler that made the shared object. */
uint32_t lowp_abi_version(void);

/**
 * JSON that describes every entry:
 *
 *     {"abi": 2, "target": "cpu", "entries": [{"name": "main",
 *       "arguments": [{"dtype": "bf16", "shape": [null, 64], "scalar": false,
 *                      "written": false}],
 *       "results": [{"dtype": "f32", "shape": [], "scalar": true}]}]}
 *
 * A dynamic dimension is null. `written` marks a buffer that the entry writes
 * to (the program takes a memref there); other arguments are only read.
 */
const char *lowp_signatures(void);

/**
 * Calls an entry by its name in the program. On success every result owns its
 * memory, which lowp_free releases; results alias neither each other nor an
 * argument. On failure no result is set, nothing stays allocated, and
 * lowp_last_error says why. Any number of threads may call at the same time.
 * The floating-point environment is set to round-to-nearest with subnormals
 * kept for the time of the call, whatever the caller's is.
 */
int32_t lowp_call(const char *entry, const LowpBuffer *arguments,
                  int64_t numArguments, LowpBuffer *results,
                  int64_t numResults);

/**
 * Each entry F is also exported as `lowp_entry_F` of this type, where F has
 * the characters of a C identifier.
 */
typedef int32_t (*LowpEntryFn)(const LowpBuffer *arguments,
                               int64_t numArguments, LowpBuffer *results,
                               int64_t numResults);

/** What went wrong in this thread's last call; "" when it succeeded. */
const char *lowp_last_error(void);

/** Releases the `allocated` pointer of a result. Takes null. */
void lowp_free(void *allocated);

/** Buffers that are allocated now: results that nobody has freed yet. */
int64_t lowp_live_allocations(void);

#ifdef __cplusplus
}
#endif

#endif /* LOWP_C_RUNTIME_H */
