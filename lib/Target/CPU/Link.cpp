//===- Link.cpp - Linking a program with its runtime ----------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Link.h"

#include "mlir/IR/Diagnostics.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

// The build writes this: kFiles, an array of {name, data, size}, with the
// runtime's objects, and stubs of libc and libm, which hold a name only and
// spare us the search for the real ones.
#include "EmbeddedRuntime.inc"

static FailureOr<std::string> findLinker(Location loc) {
  for (StringRef name : {"ld.lld", "ld.lld-22"})
    if (auto path = llvm::sys::findProgramByName(name, {LOWP_LLVM_TOOLS_DIR}))
      return *path;
  for (StringRef name : {"ld.lld-22", "ld.lld"})
    if (auto path = llvm::sys::findProgramByName(name))
      return *path;
  return emitError(loc) << "cannot find the linker 'ld.lld', neither beside "
                           "LLVM's tools nor in PATH; install lld-22";
}

static LogicalResult writeFile(StringRef path, StringRef data, Location loc) {
  std::error_code error;
  llvm::raw_fd_ostream stream(path, error);
  if (!error) {
    stream << data;
    stream.close();
    error = stream.error();
    stream.clear_error();
  }
  if (error)
    return emitError(loc) << "cannot write temporary file '" << path
                          << "': " << error.message();
  return success();
}

FailureOr<std::string> lowp::linkProgram(StringRef object, bool shared,
                                         bool forGPU, Location loc) {
  auto linker = findLinker(loc);
  if (failed(linker))
    return failure();
  SmallString<128> folder;
  if (std::error_code error =
          llvm::sys::fs::createUniqueDirectory("lowp", folder))
    return emitError(loc) << "cannot make a temporary folder: "
                          << error.message();
  llvm::scope_exit cleanUp([&] { llvm::sys::fs::remove_directories(folder); });
  auto inFolder = [&](const Twine &name) {
    SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    return std::string(path);
  };

  std::string program = inFolder("program.o"), output = inFolder("output");
  std::string messages = inFolder("messages");
  if (failed(writeFile(program, object, loc)))
    return failure();
  SmallVector<std::string> arguments{*linker, shared ? "-shared" : "-r", "-o",
                                     output, program};
  if (shared)
    llvm::append_range(arguments, std::initializer_list<StringRef>{
                                      "--hash-style=gnu", "--build-id=none",
                                      "--eh-frame-hdr", "-z", "now", "-z",
                                      "relro", "--gc-sections"});
  for (const EmbeddedFile &file : kFiles) {
    StringRef name(file.name);
    if ((!shared && !name.ends_with(".o")) ||
        (!forGPU && name.starts_with("GPU-")))
      continue;
    std::string path = inFolder(name);
    if (failed(writeFile(
            path, {reinterpret_cast<const char *>(file.data), file.size}, loc)))
      return failure();
    arguments.push_back(path);
  }

  SmallVector<StringRef> references(arguments.begin(), arguments.end());
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(messages),
                                          StringRef(messages)};
  std::string reason;
  int status = llvm::sys::ExecuteAndWait(*linker, references, std::nullopt,
                                         redirects, 0, 0, &reason);
  if (status != 0) {
    if (auto text = llvm::MemoryBuffer::getFile(messages))
      reason += (*text)->getBuffer().trim();
    return emitError(loc) << "'" << *linker << "' failed: " << reason;
  }
  auto result = llvm::MemoryBuffer::getFile(output, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!result)
    return emitError(loc) << "cannot read what '" << *linker
                          << "' wrote: " << result.getError().message();
  return (*result)->getBuffer().str();
}
