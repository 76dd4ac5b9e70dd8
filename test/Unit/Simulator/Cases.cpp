//===- Cases.cpp - Writes the tables for a comparison with a GPU ----------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   LowpSimulatorCases FOLDER
//
// writes the kernel of each form and program, its operands, and what the
// simulator gives for them, for utils/compare_simulator.py:
//
//   kernels.ptx  kernels one after the other, without a header
//   arrays.bin   arrays one after the other, compressed
//   cases.json   what is where, and which targets have which kernel
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>
#include <map>

using namespace lowp::sim;
using namespace lowp::sim::test;
using llvm::StringRef;

namespace {

/// Those that a GPU may take the text for: the most specific of each.
constexpr llvm::StringLiteral targets[] = {"sm_80",   "sm_86",   "sm_89",
                                           "sm_90a",  "sm_100a", "sm_103a",
                                           "sm_110a", "sm_120a", "sm_121a"};
constexpr llvm::StringLiteral versions[] = {"7.0", "7.1", "7.7", "7.8", "8.0",
                                            "8.1", "8.3", "8.6", "8.7", "8.8",
                                            "9.0", "9.1", "9.2"};

/// What can go wrong is the simulator refusing a table of the tests.
[[noreturn]] void fail(const llvm::Twine &message) {
  llvm::errs() << "LowpSimulatorCases: error: " << message << "\n";
  std::exit(1);
}

struct Array {
  uint64_t offset, bytes, size;
};

llvm::json::Object toJson(const Array &array) {
  return llvm::json::Object{
      {"offset", array.offset}, {"bytes", array.bytes}, {"size", array.size}};
}

class Writer {
public:
  void add(const Form &form);
  void add(const ProgramCase &program);
  /// False where a file cannot be written.
  bool write(StringRef folder) const;

private:
  Array addArray(const void *data, size_t size);
  /// Equal inputs are stored once.
  Array addInput(const std::vector<uint32_t> &words);
  /// The part that forms and programs share; the kernel is run on the input.
  std::vector<uint32_t> addCase(llvm::json::Object &object, StringRef name,
                                StringRef group, StringRef body,
                                const LaunchConfig &config,
                                const std::vector<uint32_t> &input,
                                size_t outputWords);

  std::string kernels;
  std::string arrays;
  std::map<std::vector<uint32_t>, Array> inputs;
  llvm::json::Array cases;
};

} // namespace

Array Writer::addArray(const void *data, size_t size) {
  llvm::ArrayRef<uint8_t> bytes(static_cast<const uint8_t *>(data), size);
  llvm::SmallVector<uint8_t, 0> compressed;
  if (llvm::compression::zlib::isAvailable()) {
    llvm::compression::zlib::compress(
        bytes, compressed, llvm::compression::zlib::BestSpeedCompression);
    bytes = compressed;
  }
  Array array = {arrays.size(), bytes.size(), size};
  arrays.append(bytes.begin(), bytes.end());
  return array;
}

Array Writer::addInput(const std::vector<uint32_t> &words) {
  auto it = inputs.find(words);
  if (it == inputs.end())
    it = inputs.emplace(words, addArray(words.data(), 4 * words.size())).first;
  return it->second;
}

static bool isTaken(StringRef target, StringRef version,
                    const std::string &kernel) {
  auto module = Module::parse(".version " + version.str() + "\n.target " +
                              target.str() + "\n.address_size 64\n" + kernel);
  if (module)
    return true;
  llvm::consumeError(module.takeError());
  return false;
}

/// The lowest version in which a target has the kernel, by target.
static llvm::json::Object getTargets(const std::string &kernel) {
  llvm::json::Object result;
  for (StringRef target : targets) {
    // Newer versions take what older ones take. Most kernels need no more than
    // their target.
    auto lowest = llvm::find_if(versions, [&](StringRef version) {
      return isTaken(target, version, "");
    });
    if (isTaken(target, *lowest, kernel))
      result[target] = lowest->str();
    else if (isTaken(target, std::end(versions)[-1], kernel))
      result[target] =
          std::partition_point(lowest, std::end(versions),
                               [&](StringRef version) {
                                 return !isTaken(target, version, kernel);
                               })
              ->str();
  }
  return result;
}

std::vector<uint32_t>
Writer::addCase(llvm::json::Object &object, StringRef name, StringRef group,
                StringRef body, const LaunchConfig &config,
                const std::vector<uint32_t> &input, size_t outputWords) {
  std::string entry = "k" + std::to_string(cases.size());
  std::string kernel = makeKernel(entry, body);
  Options options;
  options.checkUnspecified = false;
  auto output =
      run(makeModule(getHeader(), body), config, input, outputWords, options);
  if (!output)
    fail(name + ": " + llvm::toString(output.takeError()));
  object["name"] = name;
  object["group"] = group;
  object["entry"] = entry;
  object["kernel"] = llvm::json::Array{kernels.size(), kernel.size()};
  object["targets"] = getTargets(kernel);
  object["grid"] =
      llvm::json::Array{config.grid.x, config.grid.y, config.grid.z};
  object["block"] =
      llvm::json::Array{config.block.x, config.block.y, config.block.z};
  object["shared"] = config.sharedBytes;
  object["input"] = toJson(addInput(input));
  object["output_bytes"] = 4 * outputWords;
  kernels += kernel;
  return *output;
}

void Writer::add(const Form &form) {
  std::vector<uint32_t> input = makeFormInput(form);
  if (form.reference) {
    // Operands whose result the ISA leaves open become others.
    unsigned defined = 0;
    while (!form.reference(getOperands(form, input, defined).data()))
      ++defined;
    for (unsigned i = 0; i < kTuples; ++i)
      if (!form.reference(getOperands(form, input, i).data()))
        std::copy_n(&input[8 * defined], 8, &input[8 * i]);
  }
  llvm::json::Object object;
  std::vector<uint32_t> output =
      addCase(object, form.form, form.group, makeFormBody(form),
              getFormConfig(), input, 2 * kTuples);
  // Results have no more bytes than their register.
  unsigned width = getResultWidth(form);
  std::string narrow;
  for (unsigned i = 0; i < kTuples; ++i)
    narrow.append(reinterpret_cast<const char *>(&output[2 * i]), width);
  object["expected"] = toJson(addArray(narrow.data(), narrow.size()));
  object["width"] = width;
  object["stride"] = 8;
  object["operands"] = getOperandLetters(form);
  if (form.approximation) {
    const Approximation &approximation = *form.approximation;
    std::vector<double> values, errors;
    for (unsigned i = 0; i < kTuples; ++i)
      for (unsigned which = 0; which < approximation.count; ++which) {
        std::array<uint64_t, 4> x = getOperands(form, input, i);
        Bound bound = approximation.getBound(form.form, x.data(), which);
        values.push_back(bound.value);
        errors.push_back(bound.error);
      }
    object["approximation"] = llvm::json::Object{
        {"type", approximation.type},
        {"count", approximation.count},
        {"documented", approximation.documented},
        {"values", toJson(addArray(values.data(), 8 * values.size()))},
        {"errors", toJson(addArray(errors.data(), 8 * errors.size()))}};
  }
  cases.push_back(std::move(object));
}

void Writer::add(const ProgramCase &program) {
  llvm::json::Object object;
  std::vector<uint32_t> output =
      addCase(object, program.name, program.group, program.body, program.config,
              program.input, program.expected.size());
  object["expected"] = toJson(addArray(output.data(), 4 * output.size()));
  object["width"] = 4;
  object["stride"] = 4;
  cases.push_back(std::move(object));
}

bool Writer::write(StringRef folder) const {
  if (std::error_code code = llvm::sys::fs::create_directories(folder)) {
    llvm::errs() << "cannot make '" << folder << "': " << code.message()
                 << "\n";
    return false;
  }
  llvm::json::Object manifest{
      {"version", 1},
      {"compressed", llvm::compression::zlib::isAvailable()},
      {"cases", llvm::json::Array(cases)}};
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::json::Value(std::move(manifest)) << "\n";
  for (auto [name, contents] :
       {std::pair<StringRef, StringRef>("kernels.ptx", kernels),
        std::pair<StringRef, StringRef>("arrays.bin", arrays),
        std::pair<StringRef, StringRef>("cases.json", text)}) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    std::error_code code;
    llvm::raw_fd_ostream file(path, code);
    if (!code)
      file << contents;
    file.flush();
    if (code || file.has_error()) {
      llvm::errs() << "cannot write '" << path
                   << "': " << (code ? code : file.error()).message() << "\n";
      file.clear_error();
      return false;
    }
  }
  llvm::outs() << cases.size() << " cases, " << arrays.size() << " bytes\n";
  return true;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: LowpSimulatorCases FOLDER\n";
    return 1;
  }
  Writer writer;
  for (const Form &form : getForms())
    writer.add(form);
  for (const ProgramCase &program : getPrograms())
    writer.add(program);
  return writer.write(argv[1]) ? 0 : 1;
}
