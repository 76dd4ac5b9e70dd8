//===- Driver.h - State of the simulated driver -----------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handles are numbers that are never used twice, not pointers: what a caller
// passes is looked up, and a handle that is stale or of another kind is an
// error like any other. One mutex guards all tables; it is not held while
// memory is copied, a text is parsed, or a kernel runs. What those work on is
// kept alive by shared pointers instead.
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_LIB_SIMULATOR_DRIVER_DRIVER_H
#define LOWP_LIB_SIMULATOR_DRIVER_DRIVER_H

#include "Arena.h"

#include "lowp-c/CudaDriver.h"
#include "lowp/Simulator/Requirements.h"
#include "lowp/Simulator/Simulator.h"
#include "llvm/ADT/Twine.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

// Declares what is exported, so that the compiler compares each definition with
// the list. Nothing may throw through a caller in C.
extern "C" {
#define LOWP_CUDA_FUNCTION(name, symbol, parameters)                           \
  __attribute__((visibility("default"))) CUresult symbol parameters noexcept;
LOWP_CUDA_FUNCTIONS(LOWP_CUDA_FUNCTION)
#undef LOWP_CUDA_FUNCTION
#define LOWP_CUDA_FUNCTION(type, name, parameters)                             \
  __attribute__((visibility("default"))) type name parameters noexcept;
LOWP_CUDA_SIMULATOR_FUNCTIONS(LOWP_CUDA_FUNCTION)
#undef LOWP_CUDA_FUNCTION
}

namespace lowp::sim {

/// Memory of a device, given back with the last reference: whoever still works
/// on it when it is freed finds it there.
struct Allocation {
  Allocation(Arena &arena, uint64_t address, uint64_t bytes, bool isFromPool)
      : arena(arena), address(address), bytes(bytes), isFromPool(isFromPool) {}
  ~Allocation() { arena.release(address, bytes); }
  Allocation(const Allocation &) = delete;
  Allocation &operator=(const Allocation &) = delete;

  Arena &arena;
  uint64_t address;
  uint64_t bytes;
  bool isFromPool;
};

/// All memory of a device at one time, for launches.
struct Snapshot {
  Memory memory;
  std::vector<std::shared_ptr<Allocation>> allocations;
};

/// A device and its primary context.
struct Device {
  Device(const Gpu &gpu, int ordinal) : gpu(gpu), ordinal(ordinal) {}

  const Gpu &gpu;
  int ordinal;
  /// Of the primary context.
  uint64_t contextHandle = 0;
  unsigned timesRetained = 0;

  Arena arena;
  bool hasArena = false;
  /// By address.
  std::map<uint64_t, std::shared_ptr<Allocation>> allocations;
  uint64_t allocatedBytes = 0;
  /// Of `allocations`; null after a change.
  std::shared_ptr<const Snapshot> snapshot;
};

struct Stream {
  Device *device;
};

struct Event {
  Device *device;
};

struct Pool {
  Device *device;
};

struct LoadedModule {
  Device *device;
  std::unique_ptr<Module> module;
};

struct LoadedFunction {
  std::shared_ptr<LoadedModule> module;
  const Kernel *kernel;
};

/// The objects of one kind by their handles.
template <typename T>
class Table {
public:
  /// The object, or null.
  std::shared_ptr<T> find(const void *handle) const {
    auto found = objects.find(reinterpret_cast<uint64_t>(handle));
    return found == objects.end() ? nullptr : found->second;
  }
  std::shared_ptr<T> take(const void *handle) {
    auto found = objects.find(reinterpret_cast<uint64_t>(handle));
    if (found == objects.end())
      return nullptr;
    std::shared_ptr<T> object = std::move(found->second);
    objects.erase(found);
    return object;
  }
  template <typename Predicate>
  void removeIf(Predicate predicate) {
    for (auto it = objects.begin(); it != objects.end();)
      it = predicate(*it->second) ? objects.erase(it) : std::next(it);
  }

  std::map<uint64_t, std::shared_ptr<T>> objects;
};

/// Where a pointer may point to.
enum class Side { Device, Host, Any };

struct Driver {
  /// Made at the first call, from the environment.
  static Driver &get();

  std::mutex mutex;
  bool isInitialized = false;
  std::vector<std::unique_ptr<Device>> devices;
  Table<Stream> streams;
  Table<Event> events;
  Table<Pool> pools;
  Table<LoadedModule> modules;
  Table<LoadedFunction> functions;

  /// 1000 * major + 10 * minor of CUDA; 0 if the environment is wrong.
  int version = 0;
  uint64_t memoryBytes = 0;
  /// What is wrong with the environment.
  std::string problem;
  CUresult problemResult = CUDA_SUCCESS;

  /// All of the following expect the mutex to be held.

  CUresult checkInitialized() const;
  CUresult getDevice(CUdevice ordinal, Device *&device) const;
  /// The device of the current context of this thread.
  CUresult getCurrent(Device *&device) const;
  /// The device of a stream; of the current context where the stream is one
  /// that always exists. Any needs a current context.
  CUresult getStreamDevice(CUstream stream, Device *&device) const;

  template <typename T, typename Handle>
  void insert(Table<T> &table, Handle &handle, std::shared_ptr<T> object) {
    uint64_t number = makeHandle();
    table.objects.emplace(number, std::move(object));
    handle = reinterpret_cast<Handle>(number);
  }
  uint64_t makeHandle() { return nextHandle += 16; }

  /// The live allocation that holds `address`, or null.
  std::shared_ptr<Allocation> findAllocation(uint64_t address,
                                             Device **device = nullptr) const;
  /// Checks that `bytes` bytes at `address` are memory of that side; of device
  /// memory, gives the allocation.
  CUresult checkRange(uint64_t address, uint64_t bytes, Side side,
                      std::shared_ptr<Allocation> &allocation) const;

  /// Destroys what the primary context of a device holds.
  void reset(Device &device);

private:
  Driver();
  CUresult reject(CUresult result, const llvm::Twine &text);
  void readEnvironment();

  /// Beyond the streams that have small numbers.
  uint64_t nextHandle = 0x10000;
};

using Lock = std::lock_guard<std::mutex>;

/// Notes `detail` as what made the call fail, and returns `result`.
CUresult fail(CUresult result, const llvm::Twine &detail);
CUresult failNull(llvm::StringRef argument);
/// For diagnostics: a handle or an address.
std::string toHex(uint64_t value);
template <typename T>
std::string toHex(const T *handle) {
  return toHex(reinterpret_cast<uint64_t>(handle));
}

/// The contexts that this thread has pushed; a handle each. Without a
/// destructor: what a thread destroys when it ends may call the driver still.
struct ContextStack {
  static constexpr unsigned kMaxDepth = 256;

  uint64_t handles[kMaxDepth];
  unsigned depth;

  bool empty() const { return depth == 0; }
  uint64_t top() const { return handles[depth - 1]; }
};
ContextStack &getContextStack();

} // namespace lowp::sim

/// Leaves the function where `call` fails.
#define LOWP_CHECK(call)                                                       \
  if (CUresult result = (call))                                                \
  return result

#endif // LOWP_LIB_SIMULATOR_DRIVER_DRIVER_H
