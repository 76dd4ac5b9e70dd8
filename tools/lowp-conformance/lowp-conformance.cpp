//===- lowp-conformance.cpp - Write and check conformance vectors ---------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/conformance.md describes the commands and the files.
//
//===----------------------------------------------------------------------===//

#include "lowp/Conformance/Suite.h"
#include "lowp/Driver/CommandLine.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::lowp;
using namespace mlir::lowp::conformance;
using llvm::StringRef;
namespace cl = llvm::cl;

static constexpr llvm::StringLiteral kName = "lowp-conformance";

/// Larger files are not what this tool writes.
static constexpr uint64_t kMaxFileSize = uint64_t(1) << 32;

namespace {

enum class Command { Write, Check, Run, Programs, Random };

struct Options {
  Command command;
  std::string folder;
  uint64_t seed;
  std::string filter;
  std::string results;
  unsigned programs;
  unsigned cases;
  unsigned optLevel;
  bool quiet;
  std::string target;
  std::string driver; ///< empty for NVIDIA's
};

/// Counts cases and says which differ.
class Tally {
public:
  explicit Tally(bool quiet) : quiet(quiet) {}

  void add(StringRef name, const std::string &difference) {
    ++count;
    if (!difference.empty()) {
      ++different;
      llvm::outs() << "differs " << name << ": " << difference << "\n";
    } else if (!quiet) {
      llvm::outs() << "ok " << name << "\n";
    }
  }
  unsigned getDifferent() const { return different; }
  int finish(const llvm::Twine &what) const {
    llvm::outs() << count << " cases" << what << ", " << different
                 << " differ\n";
    return different == 0 ? 0 : 1;
  }

private:
  bool quiet;
  unsigned count = 0, different = 0;
};

} // namespace

static int report(llvm::Error error) {
  llvm::WithColor::error(llvm::errs(), kName)
      << llvm::toString(std::move(error)) << "\n";
  return 1;
}

static int report(const llvm::Twine &message) {
  return report(llvm::createStringError(message));
}

static std::string inFolder(StringRef folder, StringRef name) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readFile(const std::string &path) {
  auto fail = [&](std::error_code code) {
    return llvm::createStringError("cannot read '" + path +
                                   "': " + code.message());
  };
  uint64_t size;
  if (std::error_code code = llvm::sys::fs::file_size(path, size))
    return fail(code);
  if (size > kMaxFileSize)
    return fail(std::make_error_code(std::errc::file_too_large));
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fail(buffer.getError());
  return std::move(*buffer);
}

/// The cases of a folder whose names the filter takes.
static llvm::Expected<std::vector<Case>> readCases(const Options &options) {
  auto manifest = readFile(inFolder(options.folder, kManifestName));
  if (!manifest)
    return manifest.takeError();
  auto inputs = readFile(inFolder(options.folder, kInputsName));
  if (!inputs)
    return inputs.takeError();
  auto outputs =
      readFile(options.results.empty() ? inFolder(options.folder, kOutputsName)
                                       : options.results);
  if (!outputs)
    return outputs.takeError();
  auto cases = readSuite((*manifest)->getBuffer(), (*inputs)->getBuffer(),
                         (*outputs)->getBuffer());
  if (!cases)
    return llvm::createStringError("'" +
                                   inFolder(options.folder, kManifestName) +
                                   "': " + llvm::toString(cases.takeError()));
  llvm::Regex filter(options.filter);
  llvm::erase_if(*cases,
                 [&](const Case &test) { return !filter.match(test.name); });
  return cases;
}

/// The first difference of a case; "" where there is none.
static std::string compareAll(const Spec &spec, llvm::ArrayRef<Array> expected,
                              llvm::ArrayRef<Array> actual) {
  Interface io = llvm::cantFail(getInterface(spec));
  for (auto [array, left, right] :
       llvm::zip_equal(io.outputs, expected, actual))
    if (std::string difference = compare(array, left, right);
        !difference.empty())
      return difference;
  return "";
}

static int writeCases(const Options &options) {
  std::vector<Case> cases = generateSuite(options.seed);
  llvm::Regex filter(options.filter);
  llvm::erase_if(cases,
                 [&](const Case &test) { return !filter.match(test.name); });
  Files files = writeSuite(cases, options.seed);
  if (std::error_code code = llvm::sys::fs::create_directories(options.folder))
    return report("cannot make '" + options.folder + "': " + code.message());
  OutputFiles output;
  output.add(inFolder(options.folder, kInputsName), std::move(files.inputs));
  output.add(inFolder(options.folder, kOutputsName), std::move(files.outputs));
  output.add(inFolder(options.folder, kManifestName),
             std::move(files.manifest));
  if (llvm::Error error = output.write())
    return report(std::move(error));
  llvm::outs() << cases.size() << " cases\n";
  return 0;
}

static int checkCases(const Options &options) {
  auto cases = readCases(options);
  if (!cases)
    return report(cases.takeError());
  Tally tally(options.quiet);
  for (const Case &test : *cases) {
    auto expected = compute(test.spec, test.inputs);
    if (!expected)
      return report("entry '" + test.name +
                    "': " + llvm::toString(expected.takeError()));
    tally.add(test.name, compareAll(test.spec, *expected, test.outputs));
  }
  return tally.finish("");
}

static int runCases(const Options &options) {
  auto cases = readCases(options);
  if (!cases)
    return report(cases.takeError());
  size_t all = cases->size();
  llvm::erase_if(*cases, [](const Case &test) {
    return !Programs::isSupported(test.spec);
  });
  Programs programs;
  std::vector<size_t> functions;
  for (const Case &test : *cases)
    functions.push_back(
        programs.add(test.spec, num::Dims(test.spec.shape.size(), -1)));
  if (llvm::Error error =
          programs.compile(options.optLevel, options.target, options.driver))
    return report(std::move(error));
  Tally tally(options.quiet);
  for (auto [test, function] : llvm::zip_equal(*cases, functions)) {
    auto actual = programs.run(function, test.spec, test.inputs);
    if (!actual)
      return report("entry '" + test.name +
                    "': " + llvm::toString(actual.takeError()));
    tally.add(test.name, compareAll(test.spec, test.outputs, *actual));
  }
  if (programs.getLiveAllocations() != 0)
    return report("programs do not free what they allocate");
  return tally.finish(" of " + llvm::Twine(all) + " over " +
                      llvm::Twine(programs.size()) + " programs");
}

/// The programs that `run` compiles, for other targets: one file for each.
static int writePrograms(const Options &options) {
  if (std::error_code code = llvm::sys::fs::create_directories(options.folder))
    return report("cannot make '" + options.folder + "': " + code.message());
  llvm::Regex filter(options.filter);
  Programs programs;
  OutputFiles output;
  for (const Case &test : generateSuite(options.seed)) {
    if (!Programs::isSupported(test.spec) || !filter.match(test.name))
      continue;
    size_t known = programs.size();
    size_t function =
        programs.add(test.spec, num::Dims(test.spec.shape.size(), -1));
    // It bears the name of the first case that it serves.
    if (function < known)
      continue;
    std::string name = test.name + ".mlir";
    llvm::replace(name, '/', '-');
    output.add(inFolder(options.folder, name),
               programs.getText(function) + "\n");
  }
  if (llvm::Error error = output.write())
    return report(std::move(error));
  llvm::outs() << programs.size() << " programs\n";
  return 0;
}

/// Random operations, compiled, on random shapes and inputs.
static int runRandom(const Options &options) {
  Random random(options.seed);
  Programs programs;
  struct Kind {
    Spec spec;
    num::Dims dims;
    size_t function;
  };
  std::vector<Kind> kinds;
  while (programs.size() < options.programs) {
    Kind kind;
    kind.spec = randomSpec(random);
    if (!Programs::isSupported(kind.spec))
      continue;
    kind.dims.assign(kind.spec.shape.size(), -1);
    // Some sizes are known when the program is compiled.
    if (random.chance(25))
      for (size_t dim = 0; dim < kind.dims.size(); ++dim)
        if (random.chance(50))
          kind.dims[dim] = kind.spec.shape[dim];
    kind.function = programs.add(kind.spec, kind.dims);
    kinds.push_back(std::move(kind));
  }
  if (llvm::Error error =
          programs.compile(options.optLevel, options.target, options.driver))
    return report(std::move(error));

  Tally tally(/*quiet=*/true);
  for (unsigned i = 0; i < options.cases; ++i) {
    Kind &kind = kinds[i % kinds.size()];
    kind.spec.shape = randomShape(kind.spec, kind.dims, random);
    kind.spec.key.seed = random.next();
    kind.spec.key.step = random.bits();
    Interface io = llvm::cantFail(getInterface(kind.spec));
    std::vector<Array> inputs = randomInputs(kind.spec, io, random);
    auto expected = compute(kind.spec, inputs);
    if (!expected)
      return report(expected.takeError());
    auto actual = programs.run(kind.function, kind.spec, inputs);
    if (!actual)
      return report(llvm::toString(actual.takeError()) + "\n" +
                    programs.getText(kind.function));
    std::string difference = compareAll(kind.spec, *expected, *actual);
    std::string sizes;
    for (int64_t size : kind.spec.shape)
      sizes += (sizes.empty() ? "" : "x") + std::to_string(size);
    tally.add(std::to_string(i) + " (" + sizes + ")",
              difference.empty()
                  ? ""
                  : difference + "\n" + programs.getText(kind.function));
    if (tally.getDifferent() == 20)
      break;
  }
  if (programs.getLiveAllocations() != 0)
    return report("programs do not free what they allocate");
  return tally.finish(" over " + llvm::Twine(programs.size()) + " programs");
}

static int runCommand(const Options &options) {
  std::string message;
  if (!llvm::Regex(options.filter).isValid(message))
    return report("--filter: " + message);
  if (options.command == Command::Random) {
    if (!options.folder.empty())
      return report("expects no folder for random");
    if (options.programs == 0)
      return report("--programs: expects at least 1");
    return runRandom(options);
  }
  if (options.folder.empty())
    return report("expects a folder");
  if (options.command == Command::Write)
    return writeCases(options);
  if (options.command == Command::Programs)
    return writePrograms(options);
  return options.command == Command::Check ? checkCases(options)
                                           : runCases(options);
}

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  // Flags of libLLVM are none of this tool's.
  cl::ResetCommandLineParser();
  cl::opt<std::string> commandName(
      cl::Positional, cl::Required,
      cl::desc("<write | check | run | programs | random>"));
  cl::opt<std::string> folder(cl::Positional, cl::desc("[folder]"));
  cl::opt<uint64_t> seed(
      "seed", cl::desc("write, programs, random: seed of the inputs"),
      cl::init(1), cl::value_desc("number"));
  cl::opt<std::string> filter(
      "filter",
      cl::desc("write, check, run, programs: entries to take, by "
               "their names"),
      cl::init(".*"), cl::value_desc("regex"));
  cl::opt<std::string> results(
      "results",
      cl::desc("check: a file to take outputs from, laid out as the "
               "folder's outputs.bin"),
      cl::value_desc("file"));
  cl::opt<unsigned> programs("programs",
                             cl::desc("random: how many programs to compile"),
                             cl::init(320), cl::value_desc("number"));
  cl::opt<unsigned> cases("cases", cl::desc("random: how many cases to run"),
                          cl::init(20000), cl::value_desc("number"));
  cl::opt<unsigned> optLevel("O",
                             cl::desc("run, random: level of optimization, 0 "
                                      "to 3"),
                             cl::init(2), cl::Prefix, cl::value_desc("level"));
  cl::opt<std::string> target(
      "target", cl::desc("run, random: what to compile for, cpu or a GPU"),
      cl::init("cpu"), cl::value_desc("name"));
  cl::opt<bool> simulate("simulate",
                         cl::desc("run, random: run without a GPU, by the "
                                  "simulator"));
  cl::opt<bool> quiet("quiet", cl::desc("Say nothing of cases that are good"));
  cl::SetVersionPrinter([](llvm::raw_ostream &stream) {
    stream << "lowp-conformance " << LOWP_VERSION << " (LLVM "
           << LLVM_VERSION_STRING << ")\n";
  });
  cl::ParseCommandLineOptions(
      argc, argv,
      "Writes and checks conformance vectors\n\n"
      "  write     writes vectors into the folder\n"
      "  check     compares the outputs in the folder, or those of --results,\n"
      "            with the scalar library\n"
      "  run       compares the outputs in the folder with compiled programs\n"
      "  programs  writes the programs that run compiles into the folder\n"
      "  random    compares compiled programs with the scalar library on "
      "random\n"
      "            cases\n");
  auto command = llvm::StringSwitch<std::optional<Command>>(commandName)
                     .Case("write", Command::Write)
                     .Case("check", Command::Check)
                     .Case("run", Command::Run)
                     .Case("programs", Command::Programs)
                     .Case("random", Command::Random)
                     .Default(std::nullopt);
  if (!command)
    return report("expects write, check, run, programs or random, but got '" +
                  commandName + "'");
  if (optLevel > 3)
    return report("-O: expects a level of 0 to 3");
  std::string driver;
  if (simulate) {
    llvm::Expected<std::string> found = findSimulatedDriver();
    if (!found)
      return report(found.takeError());
    driver = std::move(*found);
  }
  Options options = {*command, folder,   seed,  filter, results, programs,
                     cases,    optLevel, quiet, target, driver};
  return runTool(kName, [&] { return runCommand(options); });
}
