/*===- lowp-c/CudaDriver.h - The driver API that programs use -----*- C -*-===*\
|*                                                                            *|
|* Part of the Lowp project, under the Apache License v2.0 with LLVM          *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* The part of the CUDA driver API that a program compiled for a GPU calls,   *|
|* so that building one needs no CUDA toolkit. Names, values and layouts are  *|
|* those of the API; include either this header or <cuda.h>.                  *|
|*                                                                            *|
|* Nothing is linked: who uses the API fills a LowpCudaDriver by dlsym, who   *|
|* provides it defines the functions of LOWP_CUDA_FUNCTIONS.                  *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef LOWP_C_CUDADRIVER_H
#define LOWP_C_CUDADRIVER_H

#ifdef CUDA_VERSION
#error "lowp-c/CudaDriver.h declares what <cuda.h> does; include one of them"
#endif

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Enumerations of the API are ints here: a driver may return values that are
   newer than this header. */
typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUmemPoolHandle_st *CUmemoryPool;

/** LOWP_CUDA_RESULTS(X): X(name, value, what cuGetErrorString says). */
#define LOWP_CUDA_RESULTS(X)                                                   \
  X(CUDA_SUCCESS, 0, "no error")                                               \
  X(CUDA_ERROR_INVALID_VALUE, 1, "invalid argument")                           \
  X(CUDA_ERROR_OUT_OF_MEMORY, 2, "out of memory")                              \
  X(CUDA_ERROR_NOT_INITIALIZED, 3, "initialization error")                     \
  X(CUDA_ERROR_DEINITIALIZED, 4, "driver shutting down")                       \
  X(CUDA_ERROR_STUB_LIBRARY, 34, "CUDA driver is a stub library")              \
  X(CUDA_ERROR_NO_DEVICE, 100, "no CUDA-capable device is detected")           \
  X(CUDA_ERROR_INVALID_DEVICE, 101, "invalid device ordinal")                  \
  X(CUDA_ERROR_INVALID_IMAGE, 200, "device kernel image is invalid")           \
  X(CUDA_ERROR_INVALID_CONTEXT, 201, "invalid device context")                 \
  X(CUDA_ERROR_NO_BINARY_FOR_GPU, 209,                                         \
    "no kernel image is available for execution on the device")                \
  X(CUDA_ERROR_INVALID_PTX, 218, "a PTX JIT compilation failed")               \
  X(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, 221,                                    \
    "PTX JIT compiler library not found")                                      \
  X(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222,                                   \
    "the provided PTX was compiled with an unsupported toolchain.")            \
  X(CUDA_ERROR_INVALID_HANDLE, 400, "invalid resource handle")                 \
  X(CUDA_ERROR_NOT_FOUND, 500, "named symbol not found")                       \
  X(CUDA_ERROR_NOT_READY, 600, "device not ready")                             \
  X(CUDA_ERROR_ILLEGAL_ADDRESS, 700,                                           \
    "an illegal memory access was encountered")                                \
  X(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701,                                   \
    "too many resources requested for launch")                                 \
  X(CUDA_ERROR_LAUNCH_TIMEOUT, 702, "the launch timed out and was terminated") \
  X(CUDA_ERROR_CONTEXT_IS_DESTROYED, 709, "context is destroyed")              \
  X(CUDA_ERROR_ASSERT, 710, "device-side assert triggered")                    \
  X(CUDA_ERROR_ILLEGAL_INSTRUCTION, 715,                                       \
    "an illegal instruction was encountered")                                  \
  X(CUDA_ERROR_MISALIGNED_ADDRESS, 716, "misaligned address")                  \
  X(CUDA_ERROR_LAUNCH_FAILED, 719, "unspecified launch failure")               \
  X(CUDA_ERROR_NOT_PERMITTED, 800, "operation not permitted")                  \
  X(CUDA_ERROR_NOT_SUPPORTED, 801, "operation not supported")                  \
  X(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, 803,                                    \
    "system has unsupported display driver / cuda driver combination")         \
  X(CUDA_ERROR_UNKNOWN, 999, "unknown error")

enum {
#define LOWP_CUDA_RESULT(name, value, text) name = value,
  LOWP_CUDA_RESULTS(LOWP_CUDA_RESULT)
#undef LOWP_CUDA_RESULT
};

typedef int CUdevice_attribute;
enum {
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
  CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
  CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115
};

typedef int CUjit_option;
enum {
  /* Buffers are a char *, their sizes an unsigned as the pointer itself. What
     is written ends in a NUL; the sizes become the bytes before that. */
  CU_JIT_INFO_LOG_BUFFER = 3,
  CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
  CU_JIT_ERROR_LOG_BUFFER = 5,
  CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6
};

/* Streams that always exist. */
#define CU_STREAM_LEGACY ((CUstream)0x1)
#define CU_STREAM_PER_THREAD ((CUstream)0x2)

enum { CU_STREAM_DEFAULT = 0, CU_STREAM_NON_BLOCKING = 1 };
enum {
  CU_EVENT_DEFAULT = 0,
  CU_EVENT_BLOCKING_SYNC = 1,
  CU_EVENT_DISABLE_TIMING = 2
};

enum { CU_MEM_ALLOCATION_TYPE_PINNED = 1 };
enum { CU_MEM_HANDLE_TYPE_NONE = 0 };
enum { CU_MEM_LOCATION_TYPE_DEVICE = 1 };

typedef struct CUmemLocation {
  int type;
  int id; /* the device */
} CUmemLocation;

typedef struct CUmemPoolProps {
  int allocType;
  int handleTypes;
  CUmemLocation location;
  void *win32SecurityAttributes;
  size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54]; /* zeros */
} CUmemPoolProps;

typedef int CUmemPool_attribute;
enum {
  CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES = 1,   /* int */
  CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC = 2,         /* int */
  CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3, /* int */
  CU_MEMPOOL_ATTR_RELEASE_THRESHOLD = 4                  /* uint64_t */
};

typedef int CUpointer_attribute;
enum {
  CU_POINTER_ATTRIBUTE_CONTEXT = 1,       /* CUcontext; of a pool's: null */
  CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,   /* unsigned, CU_MEMORYTYPE_ */
  CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9 /* int */
};
enum { CU_MEMORYTYPE_HOST = 1, CU_MEMORYTYPE_DEVICE = 2 };

/**
 * LOWP_CUDA_FUNCTIONS(X): X(name, symbol, (parameters)), each returning a
 * CUresult. `name` is the API's, `symbol` the one that libcuda.so.1 exports.
 */
#define LOWP_CUDA_FUNCTIONS(X)                                                 \
  X(cuInit, cuInit, (unsigned flags))                                          \
  X(cuDriverGetVersion, cuDriverGetVersion, (int *version))                    \
  X(cuGetErrorName, cuGetErrorName, (CUresult error, const char **name))       \
  X(cuGetErrorString, cuGetErrorString, (CUresult error, const char **text))   \
  /* Devices and contexts. */                                                  \
  X(cuDeviceGetCount, cuDeviceGetCount, (int *count))                          \
  X(cuDeviceGet, cuDeviceGet, (CUdevice * device, int ordinal))                \
  X(cuDeviceGetName, cuDeviceGetName, (char *name, int size, CUdevice device)) \
  X(cuDeviceGetAttribute, cuDeviceGetAttribute,                                \
    (int *value, CUdevice_attribute attribute, CUdevice device))               \
  X(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain,                        \
    (CUcontext * context, CUdevice device))                                    \
  X(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2,                   \
    (CUdevice device))                                                         \
  X(cuCtxPushCurrent, cuCtxPushCurrent_v2, (CUcontext context))                \
  X(cuCtxPopCurrent, cuCtxPopCurrent_v2, (CUcontext * context))                \
  X(cuCtxGetCurrent, cuCtxGetCurrent, (CUcontext * context))                   \
  X(cuCtxGetDevice, cuCtxGetDevice, (CUdevice * device))                       \
  X(cuCtxSynchronize, cuCtxSynchronize, (void))                                \
  /* Streams and events. */                                                    \
  X(cuStreamCreate, cuStreamCreate, (CUstream * stream, unsigned flags))       \
  X(cuStreamDestroy, cuStreamDestroy_v2, (CUstream stream))                    \
  X(cuStreamSynchronize, cuStreamSynchronize, (CUstream stream))               \
  X(cuStreamWaitEvent, cuStreamWaitEvent,                                      \
    (CUstream stream, CUevent event, unsigned flags))                          \
  X(cuEventCreate, cuEventCreate, (CUevent * event, unsigned flags))           \
  X(cuEventRecord, cuEventRecord, (CUevent event, CUstream stream))            \
  X(cuEventDestroy, cuEventDestroy_v2, (CUevent event))                        \
  /* Modules and kernels. */                                                   \
  X(cuModuleLoadDataEx, cuModuleLoadDataEx,                                    \
    (CUmodule * module, const void *image, unsigned numOptions,                \
     CUjit_option *options, void **values))                                    \
  X(cuModuleUnload, cuModuleUnload, (CUmodule module))                         \
  X(cuModuleGetFunction, cuModuleGetFunction,                                  \
    (CUfunction * function, CUmodule module, const char *name))                \
  X(cuLaunchKernel, cuLaunchKernel,                                            \
    (CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ,      \
     unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,  \
     CUstream stream, void **parameters, void **extra))                        \
  /* Memory. */                                                                \
  X(cuMemPoolCreate, cuMemPoolCreate,                                          \
    (CUmemoryPool * pool, const CUmemPoolProps *properties))                   \
  X(cuMemPoolDestroy, cuMemPoolDestroy, (CUmemoryPool pool))                   \
  X(cuMemPoolSetAttribute, cuMemPoolSetAttribute,                              \
    (CUmemoryPool pool, CUmemPool_attribute attribute, void *value))           \
  X(cuMemPoolTrimTo, cuMemPoolTrimTo, (CUmemoryPool pool, size_t keptBytes))   \
  X(cuMemAllocFromPoolAsync, cuMemAllocFromPoolAsync,                          \
    (CUdeviceptr * address, size_t bytes, CUmemoryPool pool, CUstream stream)) \
  X(cuMemFreeAsync, cuMemFreeAsync, (CUdeviceptr address, CUstream stream))    \
  X(cuMemAlloc, cuMemAlloc_v2, (CUdeviceptr * address, size_t bytes))          \
  X(cuMemFree, cuMemFree_v2, (CUdeviceptr address))                            \
  X(cuMemcpy, cuMemcpy,                                                        \
    (CUdeviceptr target, CUdeviceptr source, size_t bytes))                    \
  X(cuMemcpyAsync, cuMemcpyAsync,                                              \
    (CUdeviceptr target, CUdeviceptr source, size_t bytes, CUstream stream))   \
  X(cuMemcpyHtoDAsync, cuMemcpyHtoDAsync_v2,                                   \
    (CUdeviceptr target, const void *source, size_t bytes, CUstream stream))   \
  X(cuMemcpyDtoHAsync, cuMemcpyDtoHAsync_v2,                                   \
    (void *target, CUdeviceptr source, size_t bytes, CUstream stream))         \
  X(cuMemcpyDtoDAsync, cuMemcpyDtoDAsync_v2,                                   \
    (CUdeviceptr target, CUdeviceptr source, size_t bytes, CUstream stream))   \
  X(cuMemsetD8Async, cuMemsetD8Async,                                          \
    (CUdeviceptr target, unsigned char value, size_t count, CUstream stream))  \
  X(cuMemsetD16Async, cuMemsetD16Async,                                        \
    (CUdeviceptr target, unsigned short value, size_t count, CUstream stream)) \
  X(cuMemsetD32Async, cuMemsetD32Async,                                        \
    (CUdeviceptr target, unsigned value, size_t count, CUstream stream))       \
  X(cuPointerGetAttribute, cuPointerGetAttribute,                              \
    (void *value, CUpointer_attribute attribute, CUdeviceptr address))         \
  /* Of an address that is not the driver's: zeros, and device -2. */          \
  X(cuPointerGetAttributes, cuPointerGetAttributes,                            \
    (unsigned count, CUpointer_attribute *attributes, void **values,           \
     CUdeviceptr address))

/**
 * LOWP_CUDA_SIMULATOR_FUNCTIONS(X): X(result type, name, (parameters)). Only
 * the simulated driver has them; with NVIDIA's they stay null.
 *
 * lowpCudaLastErrorDetail: what made the last call of this thread that failed
 * fail, such as the fault of a kernel with its line, block, thread and address;
 * "" if none has. Valid until the next call that fails in this thread.
 * lowpCudaLiveAllocations: device allocations that nobody has freed yet.
 */
#define LOWP_CUDA_SIMULATOR_FUNCTIONS(X)                                       \
  X(const char *, lowpCudaLastErrorDetail, (void))                             \
  X(int64_t, lowpCudaLiveAllocations, (void))

/** The functions by their names in the API, for who finds them at run time. */
typedef struct LowpCudaDriver {
#define LOWP_CUDA_FUNCTION(name, symbol, parameters) CUresult(*name) parameters;
  LOWP_CUDA_FUNCTIONS(LOWP_CUDA_FUNCTION)
#undef LOWP_CUDA_FUNCTION
#define LOWP_CUDA_FUNCTION(type, name, parameters) type(*name) parameters;
  LOWP_CUDA_SIMULATOR_FUNCTIONS(LOWP_CUDA_FUNCTION)
#undef LOWP_CUDA_FUNCTION
} LowpCudaDriver;

#ifdef __cplusplus
}
#endif

#endif /* LOWP_C_CUDADRIVER_H */
