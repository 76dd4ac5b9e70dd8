//===- lowp-run.cpp - Compile a program and run it ------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Driver/CommandLine.h"
#include "lowp/Driver/Driver.h"
#include "lowp/Driver/Files.h"
#include "lowp/Driver/Program.h"
#include "lowp/Report/Report.h"
#include "lowp/Support/Npy.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::lowp;
namespace cl = llvm::cl;

static constexpr llvm::StringLiteral kName = "lowp-run";

static llvm::Error makeError(const Twine &message) {
  return llvm::createStringError(message);
}

/// The arguments from the files: one .npz with arg0, arg1, ..., or a .npy for
/// each. The step of stochastic rounding, a last argument, may be left out.
static llvm::Expected<std::vector<Array>>
readArguments(const ProgramEntry &entry, ArrayRef<std::string> files) {
  std::vector<Array> arguments;
  if (files.size() == 1 && StringRef(files[0]).ends_with(".npz")) {
    auto arrays = readNpz(files[0]);
    if (!arrays)
      return arrays.takeError();
    for (size_t i = 0; i < entry.arguments.size(); ++i) {
      std::string key = "arg" + std::to_string(i);
      const Array *array = findArray(*arrays, key);
      if (array)
        arguments.push_back(*array);
      else if (i + 1 < entry.arguments.size() || !entry.arguments[i].step)
        return makeError("'" + files[0] + "' has no array '" + key + "'");
    }
  } else {
    for (const std::string &file : files) {
      llvm::Expected<Array> array = readNpy(file);
      if (!array)
        return array.takeError();
      arguments.push_back(std::move(*array));
    }
  }
  if (arguments.size() + 1 == entry.arguments.size() &&
      entry.arguments.back().step)
    arguments.push_back(makeFirstStep());
  return arguments;
}

static void addResults(OutputFiles &output, ArrayRef<Array> results,
                       ArrayRef<std::string> files) {
  if (files.size() == 1 && StringRef(files[0]).ends_with(".npz")) {
    std::vector<std::pair<std::string, const Array *>> named;
    for (size_t i = 0; i < results.size(); ++i)
      named.emplace_back("out" + std::to_string(i), &results[i]);
    output.add(files[0], formatNpz(named));
    return;
  }
  for (auto [file, result] : llvm::zip(files, results))
    output.add(file, formatNpy(result));
}

/// Prints the error of each result; false if one is beyond `maxRelative`.
static llvm::Expected<bool> compareResults(const ProgramEntry &entry,
                                           ArrayRef<Array> results,
                                           StringRef file,
                                           std::optional<double> maxRelative) {
  auto expected = readNpz(file);
  if (!expected)
    return expected.takeError();
  bool within = true;
  for (size_t i = 0; i < results.size(); ++i) {
    std::string key = "out" + std::to_string(i);
    const Array *reference = findArray(*expected, key);
    if (!reference)
      return makeError("'" + file + "' has no array '" + key + "'");
    llvm::Expected<ArrayError> error =
        compareArrays(results[i], *reference, entry.results[i].dtype);
    if (!error)
      return makeError(key + ": " + llvm::toString(error.takeError()));
    bool good = !maxRelative || error->relative <= *maxRelative;
    within &= good;
    llvm::outs() << key
                 << llvm::format(": max|err| %.4g, |err|/|ref| %.4g",
                                 error->maxAbs, error->relative);
    if (maxRelative)
      llvm::outs() << llvm::format(" (limit %g) ", *maxRelative)
                   << (good ? "ok" : "FAIL");
    llvm::outs() << "\n";
  }
  return within;
}

/// The error of each operand that the program quantized.
static std::vector<OperandError>
measureErrors(ArrayRef<Measurement> measurements, const ProgramEntry &entry,
              ArrayRef<Array> results) {
  std::vector<OperandError> errors;
  for (const Measurement &measurement : measurements) {
    unsigned i = measurement.result;
    if (i + 1 >= results.size())
      continue;
    errors.push_back(
        {measurement.site, measurement.operand,
         getSqnrDb(results[i + 1], results[i], entry.results[i].dtype)});
  }
  return errors;
}

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  registerCommonFlags();
  cl::OptionCategory category("Running");
  cl::opt<std::string> input(cl::Positional, cl::desc("<program>"),
                             cl::init("-"), cl::cat(category));
  cl::opt<std::string> entryName(
      "entry", cl::desc("Function to run (by default main, or the only one)"),
      cl::value_desc("name"), cl::cat(category));
  cl::list<std::string> inputs(
      "input", cl::desc("A .npy file for each argument, or one .npz file"),
      cl::value_desc("file"), cl::cat(category));
  cl::list<std::string> outputs(
      "output", cl::desc("A .npy file for each result, or one .npz file"),
      cl::value_desc("file"), cl::cat(category));
  cl::opt<std::string> expect(
      "expect", cl::desc("An .npz file to compare the results with"),
      cl::value_desc("file"), cl::cat(category));
  cl::opt<double> maxRelative(
      "max-rel", cl::desc("With --expect: fail if |err|/|ref| exceeds this"),
      cl::value_desc("number"), cl::cat(category));
  cl::opt<std::string> reportFile(
      "report",
      cl::desc("JSON file for a record of each site, with the errors of what "
               "it quantized in this run"),
      cl::value_desc("file"), cl::cat(category));
  cl::opt<bool> simulate(
      "simulate",
      cl::desc("Run a program for a GPU without one, by the simulator"),
      cl::cat(category));
  cl::SetVersionPrinter([](llvm::raw_ostream &stream) {
    stream << "lowp-run " << LOWP_VERSION << " (LLVM " << LLVM_VERSION_STRING
           << ")\n";
  });
  cl::ParseCommandLineOptions(argc, argv, "Compiles a program and runs it\n");

  auto report = [](llvm::Error error) {
    llvm::WithColor::error(llvm::errs(), kName)
        << llvm::toString(std::move(error)) << "\n";
    return 1;
  };

  return runTool(kName, [&]() -> int {
    CompileOptions options = getCommonOptions();
    options.emit = EmitKind::Shared;
    options.autoRecipe.entry = entryName;
    if (!reportFile.empty())
      options.pipeline.measure =
          entryName.empty() ? "main" : entryName.getValue();
    std::string driver;
    if (simulate) {
      if (options.pipeline.target == "cpu")
        return report(makeError("expected the --target of a GPU to simulate, "
                                "but got 'cpu'"));
      llvm::Expected<std::string> found = findSimulatedDriver();
      if (!found)
        return report(found.takeError());
      driver = std::move(*found);
    }
    return compileFile(
        kName, input, options, [&](CompileResult &compiled) -> int {
          auto program = Program::load(compiled.output, driver);
          if (!program)
            return report(program.takeError());
          auto entry = (*program)->findEntry(entryName);
          if (!entry)
            return report(entry.takeError());
          // An instrumented program returns its measurements after its results.
          size_t numOwnResults = (*entry)->results.size();
          for (const Measurement &measurement : compiled.getMeasurements())
            numOwnResults = std::min<size_t>(numOwnResults, measurement.result);
          bool oneArchive =
              outputs.size() == 1 && StringRef(outputs[0]).ends_with(".npz");
          if (!outputs.empty() && !oneArchive &&
              outputs.size() != numOwnResults)
            return report(makeError("'" + (*entry)->name + "' has " +
                                    Twine(numOwnResults) +
                                    " results, but got " +
                                    Twine(outputs.size()) + " files for them"));
          auto arguments = readArguments(**entry, inputs);
          if (!arguments)
            return report(arguments.takeError());
          auto results = (*program)->call(**entry, *arguments);
          if (!results)
            return report(results.takeError());
          OutputFiles output;
          if (llvm::Error error = addRecipe(output, compiled))
            return report(std::move(error));
          if (!reportFile.empty()) {
            std::string text = compiled.getReport(
                {input, options.pipeline.recipe, options.pipeline.target},
                measureErrors(compiled.getMeasurements(), **entry, *results));
            if (auto json = llvm::json::parse(text))
              printReportTable(*json, llvm::outs());
            else
              return report(json.takeError());
            output.add(reportFile, std::move(text));
            results->resize(numOwnResults);
          }
          addResults(output, *results, outputs);
          if (llvm::Error error = output.write())
            return report(std::move(error));
          if (expect.empty()) {
            for (size_t i = 0; i < numOwnResults; ++i) {
              ProgramValue actual = (*entry)->results[i];
              actual.shape = (*results)[i].shape;
              llvm::outs() << "out" << i << ": " << formatType(actual) << "\n";
            }
            return 0;
          }
          std::optional<double> limit;
          if (maxRelative.getNumOccurrences())
            limit = maxRelative;
          auto within = compareResults(**entry, *results, expect, limit);
          if (!within)
            return report(within.takeError());
          return *within ? 0 : 1;
        });
  });
}
