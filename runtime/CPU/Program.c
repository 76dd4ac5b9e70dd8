//===- Program.c - The runtime inside every compiled program --------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled to one object when lowp is built, embedded in the compiler, and
// linked into every program it writes: the C ABI of include/lowp-c/Runtime.h,
// and the functions that generated code calls. Needs libc only.
//
// A call runs with a list of the buffers that the program has allocated. When
// a check of the program fails, control returns to the entry by longjmp and
// the list is released, so that a failed call leaks nothing. What a thread does
// of a loop is a call of its own in this respect.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "lowp-c/Runtime.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Floating-point environment
//===----------------------------------------------------------------------===//

// The control register belongs to the process: another library may have set
// flush-to-zero (torch.set_flush_denormal, or any object linked with
// -ffast-math). <fenv.h> does not cover that bit, so it is set by hand.
#if defined(__x86_64__)
typedef uint32_t FloatEnv;
static FloatEnv getFloatEnv(void) { return __builtin_ia32_stmxcsr(); }
static void setFloatEnv(FloatEnv env) { __builtin_ia32_ldmxcsr(env); }
static const FloatEnv kDefaultFloatEnv = 0x1f80;
#elif defined(__aarch64__)
typedef uint64_t FloatEnv;
static FloatEnv getFloatEnv(void) {
  FloatEnv env;
  __asm__ volatile("mrs %0, fpcr" : "=r"(env));
  return env;
}
static void setFloatEnv(FloatEnv env) {
  __asm__ volatile("msr fpcr, %0" : : "r"(env));
}
static const FloatEnv kDefaultFloatEnv = 0;
#else
#error "the floating-point control register of this host is not known"
#endif

void lowp_rt_reset_float_env(void) { setFloatEnv(kDefaultFloatEnv); }

//===----------------------------------------------------------------------===//
// State of a call
//===----------------------------------------------------------------------===//

typedef LowpHeader Header;

typedef struct Call {
  jmp_buf onFailure;
  int32_t status;
  /// The live buffers of the call, a ring through this element.
  Header buffers;
} Call;

static _Thread_local Call *currentCall;
static _Thread_local char lastError[1024];
static _Atomic int64_t liveAllocations;

int32_t lowp_rt_error(int32_t status, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(lastError, sizeof lastError, format, list);
  va_end(list);
  return status;
}

LowpHeader *lowp_rt_buffers(void) { return &currentCall->buffers; }

void lowp_rt_add_buffer(Header *header, Header *ring) {
  header->previous = header->next = NULL;
  if (ring) {
    header->next = ring->next;
    header->previous = ring;
    ring->next->previous = header;
    ring->next = header;
  }
  atomic_fetch_add_explicit(&liveAllocations, 1, memory_order_relaxed);
}

void lowp_rt_unlink_buffer(Header *header) {
  header->previous->next = header->next;
  header->next->previous = header->previous;
  header->previous = header->next = NULL;
}

void lowp_rt_release_buffer(Header *header) {
  if (header->previous)
    lowp_rt_unlink_buffer(header);
  atomic_fetch_sub_explicit(&liveAllocations, 1, memory_order_relaxed);
  if (header->release)
    header->release(header);
  else
    free(header);
}

void lowp_rt_abandon(int32_t status) {
  currentCall->status = status;
  longjmp(currentCall->onFailure, 1);
}

/// Null when there is no such memory.
static void *allocate(int64_t size, Header *ring) {
  // One byte at least, so that every buffer has its own address.
  Header *header = NULL;
  if (size >= 0 && size <= INT64_MAX - (int64_t)sizeof(Header))
    header = malloc(sizeof(Header) + (size ? size : 1));
  if (!header)
    return NULL;
  header->release = NULL;
  lowp_rt_add_buffer(header, ring);
  return header + 1;
}

//===----------------------------------------------------------------------===//
// What generated code calls
//===----------------------------------------------------------------------===//

void *_mlir_memref_to_llvm_alloc(int64_t size) {
  void *buffer = allocate(size, &currentCall->buffers);
  if (!buffer) {
    lowp_rt_error(LOWP_OUT_OF_MEMORY, "cannot allocate a buffer of %lld bytes",
                  (long long)size);
    lowp_rt_abandon(LOWP_OUT_OF_MEMORY);
  }
  return buffer;
}

void _mlir_memref_to_llvm_free(void *buffer) {
  if (buffer)
    lowp_rt_release_buffer((Header *)buffer - 1);
}

__attribute__((noreturn)) void lowp_rt_assertion_failed(const char *message) {
  lowp_rt_error(LOWP_ASSERTION_FAILED, "assertion of the program failed: %s",
                message);
  lowp_rt_abandon(LOWP_ASSERTION_FAILED);
}

/// memref.copy between buffers of which one is not contiguous.
typedef struct UnrankedMemRef {
  int64_t rank;
  void *descriptor;
} UnrankedMemRef;

static void copyStrided(int64_t elementSize, int64_t rank, const int64_t *sizes,
                        const char *from, const int64_t *fromStrides, char *to,
                        const int64_t *toStrides) {
  if (rank == 0) {
    memcpy(to, from, elementSize);
    return;
  }
  if (rank == 1 && *fromStrides == 1 && *toStrides == 1) {
    memcpy(to, from, elementSize * *sizes);
    return;
  }
  for (int64_t i = 0; i < *sizes; ++i)
    copyStrided(elementSize, rank - 1, sizes + 1,
                from + i * *fromStrides * elementSize, fromStrides + 1,
                to + i * *toStrides * elementSize, toStrides + 1);
}

void memrefCopy(int64_t elementSize, const UnrankedMemRef *from,
                const UnrankedMemRef *to) {
  const MemRefHead *source = from->descriptor, *target = to->descriptor;
  int64_t rank = from->rank;
  for (int64_t i = 0; i < rank; ++i)
    if (source->dims[i] == 0)
      return;
  copyStrided(
      elementSize, rank, source->dims,
      source->aligned + source->offset * elementSize, source->dims + rank,
      target->aligned + target->offset * elementSize, target->dims + rank);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

typedef struct DTypeInfo {
  const char *name;
  int32_t size;
  /// Integers that may stand for each other, and for the types they carry.
  int32_t storage;
} DTypeInfo;

static const DTypeInfo kDTypes[] = {
    {NULL, 0, 0},         {"bool", 1, 0},       {"i8", 1, LOWP_U8},
    {"i16", 2, LOWP_U16}, {"i32", 4, LOWP_U32}, {"i64", 8, LOWP_U64},
    {"u8", 1, LOWP_U8},   {"u16", 2, LOWP_U16}, {"u32", 4, LOWP_U32},
    {"u64", 8, LOWP_U64}, {"f16", 2, 0},        {"bf16", 2, 0},
    {"f32", 4, 0},        {"f64", 8, 0},        {"f8E4M3FN", 1, 0},
    {"f8E5M2", 1, 0},     {"f8E8M0FNU", 1, 0},  {"f6E2M3FN", 1, 0},
    {"f6E3M2FN", 1, 0},   {"f4E2M1FN", 1, 0},
};

static const DTypeInfo *dtypeInfo(int32_t dtype) {
  if (dtype <= 0 || dtype >= (int32_t)(sizeof kDTypes / sizeof kDTypes[0]))
    return NULL;
  return &kDTypes[dtype];
}

static int acceptsDType(int32_t declared, int32_t given) {
  if (declared == given)
    return 1;
  const DTypeInfo *want = dtypeInfo(declared), *have = dtypeInfo(given);
  if (!have)
    return 0;
  if (want->storage)
    return want->storage == have->storage;
  // bf16 and the narrow floats as their bits.
  return (given == LOWP_U16 || given == LOWP_U8) && want->size == have->size &&
         declared != LOWP_BOOL;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static int32_t checkLabel(const LowpEntryInfo *entry, const char *kind,
                          int64_t index, const LowpBuffer *buffer,
                          const LowpValueInfo *info) {
  if (!buffer->descriptor)
    return lowp_rt_error(LOWP_INVALID_ARGUMENT,
                         "'%s' %s %lld: descriptor is null", entry->name, kind,
                         (long long)index);
  if (buffer->rank != info->rank)
    return lowp_rt_error(LOWP_INVALID_ARGUMENT,
                         "'%s' %s %lld: expected rank %lld, but got rank %lld",
                         entry->name, kind, (long long)index,
                         (long long)info->rank, (long long)buffer->rank);
  if (!acceptsDType(info->dtype, buffer->dtype)) {
    const DTypeInfo *have = dtypeInfo(buffer->dtype);
    return lowp_rt_error(
        LOWP_INVALID_ARGUMENT, "'%s' %s %lld: expected %s elements, but got %s",
        entry->name, kind, (long long)index, dtypeInfo(info->dtype)->name,
        have ? have->name : "an unknown dtype");
  }
  return LOWP_OK;
}

static int32_t checkArgument(const LowpEntryInfo *entry, int64_t index,
                             const LowpBuffer *buffer,
                             const LowpValueInfo *info) {
  int32_t status = checkLabel(entry, "argument", index, buffer, info);
  if (status)
    return status;
  const MemRefHead *head = buffer->descriptor;
  const int64_t *sizes = head->dims, *strides = sizes + info->rank;
  int64_t count = 1;
  for (int64_t i = 0; i < info->rank; ++i) {
    if (sizes[i] < 0 || (info->shape[i] >= 0 && sizes[i] != info->shape[i])) {
      if (info->shape[i] < 0)
        return lowp_rt_error(
            LOWP_INVALID_ARGUMENT,
            "'%s' argument %lld: size of dimension %lld is negative",
            entry->name, (long long)index, (long long)i);
      return lowp_rt_error(
          LOWP_INVALID_ARGUMENT,
          "'%s' argument %lld: expected %lld for dimension %lld, but "
          "got %lld",
          entry->name, (long long)index, (long long)info->shape[i],
          (long long)i, (long long)sizes[i]);
    }
    if (__builtin_mul_overflow(count, sizes[i], &count))
      return lowp_rt_error(
          LOWP_INVALID_ARGUMENT,
          "'%s' argument %lld: the number of elements overflows", entry->name,
          (long long)index);
  }
  if (count == 0)
    return LOWP_OK;
  int64_t bytes;
  if (__builtin_mul_overflow(count, dtypeInfo(info->dtype)->size, &bytes))
    return lowp_rt_error(LOWP_INVALID_ARGUMENT,
                         "'%s' argument %lld: the number of bytes overflows",
                         entry->name, (long long)index);
  int64_t stride = 1;
  for (int64_t i = info->rank - 1; i >= 0; --i) {
    if (sizes[i] != 1 && strides[i] != stride)
      return lowp_rt_error(
          LOWP_INVALID_ARGUMENT,
          "'%s' argument %lld: expected contiguous row-major elements, "
          "but the stride of dimension %lld is %lld",
          entry->name, (long long)index, (long long)i, (long long)strides[i]);
    stride *= sizes[i];
  }
  if (!head->aligned)
    return lowp_rt_error(LOWP_INVALID_ARGUMENT,
                         "'%s' argument %lld: data is null", entry->name,
                         (long long)index);
  int32_t size = dtypeInfo(info->dtype)->size;
  uintptr_t first = (uintptr_t)head->aligned + head->offset * size;
  if (first % size)
    return lowp_rt_error(
        LOWP_INVALID_ARGUMENT,
        "'%s' argument %lld: data is not aligned to its %d-byte "
        "elements",
        entry->name, (long long)index, size);
  if (&lowp_rt_device && !info->scalar && first % lowp_rt_device.alignment)
    return lowp_rt_error(
        LOWP_INVALID_ARGUMENT,
        "'%s' argument %lld: expected data aligned to %d bytes, but "
        "got %p",
        entry->name, (long long)index, (int)lowp_rt_device.alignment,
        (void *)first);
  return LOWP_OK;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// A descriptor as generated code wants it: contiguous, offset 0.
static void *copyDescriptor(const LowpBuffer *buffer, int32_t elementSize,
                            int64_t *storage) {
  const MemRefHead *head = buffer->descriptor;
  MemRefHead *copy = (MemRefHead *)storage;
  copy->allocated = copy->aligned = head->aligned + head->offset * elementSize;
  copy->offset = 0;
  int64_t stride = 1;
  for (int64_t i = buffer->rank - 1; i >= 0; --i) {
    copy->dims[i] = head->dims[i];
    copy->dims[buffer->rank + i] = stride;
    // Where there are no elements, sizes may be as large as they like.
    (void)__builtin_mul_overflow(stride, head->dims[i], &stride);
  }
  return copy;
}

static int64_t descriptorWords(int64_t rank) { return 3 + 2 * rank; }

/// Makes the caller the only owner of a result. Generated code hands out
/// buffers of its own; a buffer that came from elsewhere, or that is already
/// another result's, is copied.
static int32_t claimResult(Call *call, const LowpValueInfo *info,
                           MemRefHead *head, void **claimed) {
  int64_t elementSize = dtypeInfo(info->dtype)->size, count = 1;
  for (int64_t i = 0; i < info->rank; ++i)
    count *= head->dims[i];
  if (&lowp_rt_device)
    return lowp_rt_device.claim(head, count * elementSize, claimed);
  for (Header *i = call->buffers.next; i != &call->buffers; i = i->next) {
    if ((char *)(i + 1) != head->allocated)
      continue;
    lowp_rt_unlink_buffer(i);
    *claimed = i + 1;
    return LOWP_OK;
  }
  char *data = allocate(count * elementSize, NULL);
  if (!data)
    return lowp_rt_error(LOWP_OUT_OF_MEMORY,
                         "cannot allocate the copy of a result");
  int64_t strides[info->rank + 1], stride = 1;
  for (int64_t i = info->rank - 1; i >= 0; --i) {
    strides[i] = stride;
    stride *= head->dims[i];
  }
  if (count)
    copyStrided(elementSize, info->rank, head->dims,
                head->aligned + head->offset * elementSize,
                head->dims + info->rank, data, strides);
  head->allocated = head->aligned = data;
  head->offset = 0;
  memcpy(head->dims + info->rank, strides, info->rank * sizeof(int64_t));
  *claimed = data;
  return LOWP_OK;
}

/// Runs the entry on checked arguments. Kept apart from the checks: whatever
/// lives across setjmp here is not changed after it.
static int32_t runEntry(const LowpEntryInfo *entry, void *const *arguments,
                        void *const *results, void **claimed) {
  Call call;
  call.status = LOWP_OK;
  call.buffers.previous = call.buffers.next = &call.buffers;
  if (&lowp_rt_device) {
    call.status = lowp_rt_device.begin(entry, arguments);
    if (call.status != LOWP_OK)
      return call.status;
  }
  Call *outer = currentCall;
  currentCall = &call;
  const FloatEnv env = getFloatEnv();
  setFloatEnv(kDefaultFloatEnv);
  if (setjmp(call.onFailure) == 0) {
    entry->invoke(arguments, results);
    lowp_rt_finish_stores();
    for (int64_t i = 0; i < entry->numResults && call.status == LOWP_OK; ++i)
      if (!entry->results[i].scalar)
        call.status =
            claimResult(&call, &entry->results[i], results[i], &claimed[i]);
  }
  setFloatEnv(env);
  currentCall = outer;
  // Buffers left of a call that succeeds were never freed by the program. They
  // count as live, so that a test sees the leak.
  while (call.buffers.next != &call.buffers) {
    if (call.status != LOWP_OK)
      lowp_rt_release_buffer(call.buffers.next);
    else
      lowp_rt_unlink_buffer(call.buffers.next);
  }
  if (&lowp_rt_device)
    call.status = lowp_rt_device.end(call.status);
  for (int64_t i = 0; call.status != LOWP_OK && i < entry->numResults; ++i)
    lowp_free(claimed[i]);
  return call.status;
}

int32_t lowp_rt_run_part(void (*work)(void *), void *argument, char **message) {
  Call part;
  part.status = LOWP_OK;
  part.buffers.previous = part.buffers.next = &part.buffers;
  Call *outer = currentCall;
  currentCall = &part;
  if (setjmp(part.onFailure) == 0)
    work(argument);
  currentCall = outer;
  *message = NULL;
  if (part.status == LOWP_OK)
    return LOWP_OK;
  while (part.buffers.next != &part.buffers)
    lowp_rt_release_buffer(part.buffers.next);
  // This thread's text goes with it.
  *message = strdup(lastError);
  return part.status;
}

void lowp_rt_fail(int32_t status, const char *message) {
  lowp_rt_error(status, "%s", message);
  lowp_rt_abandon(status);
}

int32_t lowp_rt_call(const LowpEntryInfo *entry, const LowpBuffer *arguments,
                     int64_t numArguments, LowpBuffer *results,
                     int64_t numResults) {
  lastError[0] = 0;
  if (numArguments != entry->numArguments)
    return lowp_rt_error(
        LOWP_INVALID_ARGUMENT, "'%s' expects %lld arguments, but got %lld",
        entry->name, (long long)entry->numArguments, (long long)numArguments);
  if (numResults != entry->numResults)
    return lowp_rt_error(LOWP_INVALID_ARGUMENT,
                         "'%s' has %lld results, but got room "
                         "for %lld",
                         entry->name, (long long)entry->numResults,
                         (long long)numResults);
  int64_t words = 0;
  for (int64_t i = 0; i < numArguments; ++i) {
    int32_t status =
        checkArgument(entry, i, &arguments[i], &entry->arguments[i]);
    if (status)
      return status;
    words += descriptorWords(arguments[i].rank);
  }
  for (int64_t i = 0; i < numResults; ++i) {
    int32_t status =
        checkLabel(entry, "result", i, &results[i], &entry->results[i]);
    if (status)
      return status;
    words += descriptorWords(results[i].rank);
  }

  // Descriptors, pointers to them, claimed results; all of one word each.
  int64_t pointers = numArguments + 2 * numResults;
  int64_t *storage = calloc(words + pointers + 1, sizeof(int64_t));
  if (!storage)
    return lowp_rt_error(LOWP_OUT_OF_MEMORY, "cannot allocate the call of '%s'",
                         entry->name);
  void **argumentSlots = (void **)(storage + words);
  void **resultSlots = argumentSlots + numArguments;
  void **claimed = resultSlots + numResults;
  int64_t *next = storage;
  for (int64_t i = 0; i < numArguments; ++i) {
    const LowpValueInfo *info = &entry->arguments[i];
    int32_t size = dtypeInfo(info->dtype)->size;
    MemRefHead *head = copyDescriptor(&arguments[i], size, next);
    argumentSlots[i] = info->scalar ? (void *)head->aligned : (void *)head;
    next += descriptorWords(info->rank);
  }
  for (int64_t i = 0; i < numResults; ++i) {
    resultSlots[i] = next;
    next += descriptorWords(entry->results[i].rank);
  }

  int32_t status = runEntry(entry, argumentSlots, resultSlots, claimed);
  // A scalar result moves to a buffer, as the caller expects.
  for (int64_t i = 0; i < numResults && status == LOWP_OK; ++i) {
    const LowpValueInfo *info = &entry->results[i];
    if (!info->scalar)
      continue;
    int64_t value;
    memcpy(&value, resultSlots[i], sizeof value);
    MemRefHead *head = resultSlots[i];
    char *data = claimed[i] = allocate(sizeof value, NULL);
    if (!data) {
      status =
          lowp_rt_error(LOWP_OUT_OF_MEMORY, "cannot allocate a scalar result");
      for (int64_t j = 0; j < numResults; ++j)
        lowp_free(claimed[j]);
      break;
    }
    memcpy(data, &value, sizeof value);
    head->allocated = head->aligned = data;
    head->offset = 0;
  }
  for (int64_t i = 0; i < numResults && status == LOWP_OK; ++i)
    memcpy(results[i].descriptor, resultSlots[i],
           descriptorWords(results[i].rank) * sizeof(int64_t));
  free(storage);
  return status;
}

LOWP_EXPORT int32_t lowp_call(const char *name, const LowpBuffer *arguments,
                              int64_t numArguments, LowpBuffer *results,
                              int64_t numResults) {
  for (int64_t i = 0; name && i < lowp_rt_num_entries; ++i)
    if (strcmp(lowp_rt_entries[i].name, name) == 0)
      return lowp_rt_call(&lowp_rt_entries[i], arguments, numArguments, results,
                          numResults);
  return lowp_rt_error(LOWP_UNKNOWN_ENTRY, "the program has no entry '%s'",
                       name ? name : "(null)");
}

LOWP_EXPORT const char *lowp_last_error(void) { return lastError; }

LOWP_EXPORT void lowp_free(void *allocated) {
  _mlir_memref_to_llvm_free(allocated);
}

LOWP_EXPORT int64_t lowp_live_allocations(void) {
  return atomic_load_explicit(&liveAllocations, memory_order_relaxed);
}

LOWP_EXPORT uint32_t lowp_abi_version(void) { return LOWP_ABI_VERSION; }

LOWP_EXPORT const char *lowp_signatures(void) { return lowp_rt_signatures; }
