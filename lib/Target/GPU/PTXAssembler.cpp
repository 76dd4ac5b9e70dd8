//===- PTXAssembler.cpp - Find and run ptxas ------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Target/PTX.h"
#include "lowp/Target/TargetInfo.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace mlir::lowp;

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

/// A file that is gone when the object is.
class TemporaryFile {
public:
  explicit TemporaryFile(StringRef suffix) {
    error = fs::createTemporaryFile("lowp", suffix, name);
  }
  ~TemporaryFile() {
    if (!error)
      fs::remove(name);
  }
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;

  std::error_code getError() const { return error; }
  StringRef getName() const { return name; }

  std::string read() const {
    auto buffer = llvm::MemoryBuffer::getFile(name, /*IsText=*/false,
                                              /*RequiresNullTerminator=*/false);
    return buffer ? (*buffer)->getBuffer().str() : std::string();
  }

private:
  SmallString<128> name;
  std::error_code error;
};

/// Runs a program; its standard output and error go to `output`.
LogicalResult run(StringRef program, ArrayRef<StringRef> arguments,
                  std::string &output) {
  TemporaryFile log("log");
  if (log.getError()) {
    output = "cannot make a temporary file: " + log.getError().message();
    return failure();
  }
  SmallVector<StringRef> argv{program};
  llvm::append_range(argv, arguments);
  std::optional<StringRef> redirects[] = {StringRef(), log.getName(),
                                          log.getName()};
  std::string problem;
  int status = llvm::sys::ExecuteAndWait(program, argv, /*Env=*/std::nullopt,
                                         redirects, /*SecondsToWait=*/0,
                                         /*MemoryLimit=*/0, &problem);
  output = problem.empty() ? log.read() : problem;
  return success(status == 0);
}

std::optional<PTXAssembler> probe(StringRef program) {
  if (!fs::can_execute(program))
    return std::nullopt;
  std::string output;
  if (failed(run(program, {"--version"}, output)))
    return std::nullopt;
  // "Cuda compilation tools, release 13.5, V13.5.37"
  StringRef release = StringRef(output).split(", release ").second;
  PTXAssembler assembler;
  assembler.path = program.str();
  if (assembler.release.tryParse(release.take_until(
          [](char c) { return c == ',' || llvm::isSpace(c); })))
    return std::nullopt;
  return assembler;
}

/// Adds ptxas of each nvidia-cuda-nvcc wheel of a Python environment.
void addWheels(StringRef environment, SmallVectorImpl<std::string> &found) {
  SmallString<128> lib(environment);
  path::append(lib, "lib");
  SmallVector<std::string> wheels;
  std::error_code ec;
  for (fs::directory_iterator python(lib, ec), end; python != end && !ec;
       python.increment(ec)) {
    if (!path::filename(python->path()).starts_with("python3"))
      continue;
    SmallString<128> nvidia(python->path());
    path::append(nvidia, "site-packages", "nvidia");
    std::error_code inner;
    for (fs::directory_iterator wheel(nvidia, inner); wheel != end && !inner;
         wheel.increment(inner)) {
      SmallString<128> candidate(wheel->path());
      path::append(candidate, "bin", "ptxas");
      wheels.push_back(candidate.str().str());
    }
  }
  // A folder has no order.
  llvm::sort(wheels);
  llvm::append_range(found, wheels);
}

SmallVector<std::string> getCandidates() {
  SmallVector<std::string> candidates;
  if (auto onPath = llvm::sys::findProgramByName("ptxas"))
    candidates.push_back(*onPath);
  if (auto home = llvm::sys::Process::GetEnv("CUDA_HOME")) {
    SmallString<128> candidate(*home);
    path::append(candidate, "bin", "ptxas");
    candidates.push_back(candidate.str().str());
  }
  if (auto environment = llvm::sys::Process::GetEnv("VIRTUAL_ENV"))
    addWheels(*environment, candidates);
  static int anchor;
  std::string tool = fs::getMainExecutable(nullptr, &anchor);
  SmallString<128> venv = path::parent_path(path::parent_path(tool));
  path::append(venv, "venv");
  addWheels(venv, candidates);
  return candidates;
}

} // namespace

llvm::VersionTuple PTXAssembler::getNewestPTXVersion() const {
  unsigned major = release.getMajor();
  unsigned minor = release.getMinor().value_or(0);
  // From release notes: 11.0 has PTX 7.0 and 13.0 has 9.0, a minor version
  // each; 12.5 has 8.5, as 12.6 has.
  if (major >= 13)
    return llvm::VersionTuple(major - 4, minor);
  if (major == 12)
    return llvm::VersionTuple(8, minor > 5 ? minor - 1 : minor);
  return llvm::VersionTuple(7, minor);
}

FailureOr<PTXAssembler>
mlir::lowp::findPTXAssembler(StringRef path, llvm::VersionTuple version,
                             function_ref<InFlightDiagnostic()> emitError) {
  auto isNewEnough = [&](const PTXAssembler &assembler) {
    return assembler.getNewestPTXVersion() >= version;
  };
  auto emitTooOld = [&](const PTXAssembler &assembler) {
    return emitError() << "'" << assembler.path << "' of release "
                       << assembler.release.getAsString()
                       << " takes PTX up to version "
                       << assembler.getNewestPTXVersion().getAsString()
                       << ", but version " << version.getAsString()
                       << " is needed";
  };

  std::string named = path.str();
  if (named.empty())
    named = llvm::sys::Process::GetEnv("LOWP_PTXAS").value_or("");
  if (!named.empty()) {
    std::optional<PTXAssembler> assembler = probe(named);
    if (!assembler)
      return emitError() << "'" << named << "' is not a working ptxas";
    if (!isNewEnough(*assembler))
      return emitTooOld(*assembler);
    return *assembler;
  }

  std::optional<PTXAssembler> newest;
  for (const std::string &candidate : getCandidates()) {
    std::optional<PTXAssembler> assembler = probe(candidate);
    if (!assembler)
      continue;
    if (isNewEnough(*assembler))
      return *assembler;
    if (!newest || newest->release < assembler->release)
      newest = assembler;
  }
  if (newest)
    return emitTooOld(*newest);
  return emitError() << "no ptxas found in LOWP_PTXAS, PATH, CUDA_HOME or a "
                        "Python environment with the nvidia-cuda-nvcc wheel";
}

FailureOr<llvm::VersionTuple> mlir::lowp::getPTXVersion(StringRef ptx) {
  size_t begin = ptx.find("\n.version ");
  if (begin == StringRef::npos)
    return failure();
  StringRef number = ptx.drop_front(begin).split(' ').second;
  number = number.take_until([](char c) { return llvm::isSpace(c); });
  llvm::VersionTuple version;
  if (version.tryParse(number))
    return failure();
  return version;
}

FailureOr<std::string>
mlir::lowp::assemblePTX(StringRef ptx, const TargetInfo &target,
                        StringRef ptxas,
                        function_ref<InFlightDiagnostic()> emitError) {
  FailureOr<llvm::VersionTuple> version = getPTXVersion(ptx);
  if (failed(version))
    return emitError() << "expected PTX with a '.version' line";
  FailureOr<PTXAssembler> assembler =
      findPTXAssembler(ptxas, *version, emitError);
  if (failed(assembler))
    return failure();

  TemporaryFile input("ptx"), output("cubin");
  for (const TemporaryFile *file : {&input, &output})
    if (file->getError())
      return emitError() << "cannot make a temporary file: "
                         << file->getError().message();
  std::error_code ec;
  llvm::raw_fd_ostream os(input.getName(), ec);
  if (!ec) {
    os << ptx;
    os.close();
    ec = os.error();
    os.clear_error();
  }
  if (ec)
    return emitError() << "cannot write '" << input.getName()
                       << "': " << ec.message();

  std::string log;
  if (failed(run(assembler->path,
                 {"-O3", "-arch", target.getName(), "-o", output.getName(),
                  input.getName()},
                 log)))
    return emitError() << "'" << assembler->path
                       << "' failed: " << StringRef(log).trim();
  return output.read();
}
