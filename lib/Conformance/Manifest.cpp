//===- Manifest.cpp - Suites as files -------------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Conformance/Attributes.h"
#include "lowp/Conformance/Suite.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"

#include <set>

using namespace mlir::lowp;
using namespace mlir::lowp::conformance;
using llvm::StringRef;
namespace json = llvm::json;

static constexpr llvm::StringLiteral kFormatName = "lowp-conformance";
static constexpr int64_t kVersion = 1;
static constexpr int64_t kAlignment = 64;

static constexpr std::pair<StringRef, DType> kDTypes[] = {
    {"u8", DType::U8},   {"u32", DType::U32},   {"i64", DType::I64},
    {"f32", DType::F32}, {"bf16", DType::BF16}, {"f16", DType::F16}};

static llvm::Error error(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

namespace {

class Writer {
public:
  explicit Writer(json::Object &object) : object(&object) {}

  template <typename T>
  void choice(StringRef name, T &value, Choices<T> choices) {
    for (const auto &[text, choice] : choices)
      if (choice == value)
        (*object)[name] = text;
  }
  void number(StringRef name, bool value) { (*object)[name] = value; }
  void number(StringRef name, float value) {
    (*object)[name] = static_cast<double>(value);
  }
  template <typename T>
  void number(StringRef name, T value) {
    (*object)[name] = value;
  }
  template <typename T>
  void numbers(StringRef name, std::vector<T> &values) {
    json::Array array;
    for (T value : values)
      array.push_back(static_cast<int64_t>(value));
    (*object)[name] = std::move(array);
  }
  template <typename Body>
  void group(StringRef name, Body body) {
    json::Object inner, *saved = object;
    object = &inner;
    body();
    object = saved;
    (*object)[name] = std::move(inner);
  }

private:
  json::Object *object;
};

json::Array describeArrays(const std::vector<ArraySpec> &specs,
                           llvm::ArrayRef<Array> arrays, std::string &file) {
  json::Array result;
  for (auto [spec, array] : llvm::zip_equal(specs, arrays)) {
    file.resize(llvm::alignTo(file.size(), kAlignment));
    result.push_back(json::Object{{"name", spec.name},
                                  {"dtype", nameOf(kDTypes, spec.dtype)},
                                  {"shape", json::Array(spec.shape)},
                                  {"offset", static_cast<int64_t>(file.size())},
                                  {"bytes", spec.numBytes()}});
    file.append(array.data.data(), array.data.size());
  }
  return result;
}

} // namespace

Files conformance::writeSuite(llvm::ArrayRef<Case> cases, uint64_t seed) {
  Files files;
  llvm::raw_string_ostream stream(files.manifest);
  stream << llvm::formatv("{{\"format\": \"{0}\", \"version\": {1}, "
                          "\"seed\": {2},\n\"entries\": [",
                          kFormatName, kVersion, seed);
  bool first = true;
  for (const Case &test : cases) {
    Interface io = llvm::cantFail(getInterface(test.spec));
    json::Object attributes;
    Writer writer(attributes);
    Spec spec = test.spec;
    visitAttributes(writer, spec);
    json::Value entry = json::Object{
        {"name", test.name},
        {"op", nameOf(kOps, test.spec.op)},
        {"attributes", std::move(attributes)},
        {"inputs", describeArrays(io.inputs, test.inputs, files.inputs)},
        {"outputs", describeArrays(io.outputs, test.outputs, files.outputs)}};
    stream << (first ? "\n" : ",\n") << entry;
    first = false;
  }
  stream << "\n]}\n";
  return files;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {

/// Keeps the first thing that is wrong.
class Reader {
public:
  explicit Reader(const json::Object &object) : object(&object) {}

  bool failed() const { return !message.empty(); }
  const std::string &getMessage() const { return message; }

  template <typename T>
  void choice(StringRef name, T &value, Choices<T> choices) {
    std::optional<StringRef> text = object->getString(name);
    std::string known;
    for (const auto &[choiceText, choice] : choices) {
      if (text == choiceText) {
        value = choice;
        return;
      }
      known += (known.empty() ? "" : ", ") + choiceText.str();
    }
    fail(name, "one of " + known);
  }
  void number(StringRef name, bool &value) {
    if (std::optional<bool> flag = object->getBoolean(name))
      value = *flag;
    else
      fail(name, "true or false");
  }
  void number(StringRef name, float &value) {
    if (std::optional<double> number = object->getNumber(name))
      value = static_cast<float>(*number);
    else
      fail(name, "a number");
  }
  template <typename T>
  void number(StringRef name, T &value) {
    const json::Value *found = object->get(name);
    if (!found || !toInteger(*found, value))
      fail(name, "an integer of its range");
  }
  template <typename T>
  void numbers(StringRef name, std::vector<T> &values) {
    const json::Array *array = object->getArray(name);
    values.clear();
    if (!array)
      return fail(name, "a list of integers");
    for (const json::Value &element : *array) {
      T value{};
      if (!toInteger(element, value))
        return fail(name, "integers of their range");
      values.push_back(value);
    }
  }
  template <typename Body>
  void group(StringRef name, Body body) {
    const json::Object *inner = object->getObject(name), *saved = object;
    if (!inner)
      return fail(name, "an object");
    object = inner;
    body();
    object = saved;
  }

private:
  template <typename T>
  static bool toInteger(const json::Value &json, T &value) {
    if constexpr (std::is_same_v<T, uint64_t>) {
      std::optional<uint64_t> number = json.getAsUINT64();
      value = number.value_or(0);
      return number.has_value();
    } else {
      std::optional<int64_t> number = json.getAsInteger();
      if (!number ||
          *number < static_cast<int64_t>(std::numeric_limits<T>::min()) ||
          *number > static_cast<int64_t>(std::numeric_limits<T>::max()))
        return false;
      value = static_cast<T>(*number);
      return true;
    }
  }
  void fail(StringRef name, const std::string &expected) {
    if (message.empty())
      message = "attribute '" + name.str() + "' is not " + expected;
  }

  const json::Object *object;
  std::string message;
};

/// The arrays of an entry out of `file`. They must be those that the
/// attributes ask for, in this order.
llvm::Expected<std::vector<Array>>
readArrays(const json::Object &entry, StringRef role,
           const std::vector<ArraySpec> &specs, StringRef file) {
  const json::Array *list = entry.getArray(role);
  if (!list || list->size() != specs.size())
    return error("expects " + llvm::Twine(specs.size()) + " " + role);
  std::vector<Array> arrays;
  for (auto [spec, value] : llvm::zip_equal(specs, *list)) {
    const json::Object *object = value.getAsObject();
    std::string what = (role.drop_back() + " '" + spec.name + "'").str();
    if (!object || object->getString("name") != StringRef(spec.name))
      return error("expects " + what);
    if (object->getString("dtype") != nameOf(kDTypes, spec.dtype))
      return error(what + ": expects dtype " + nameOf(kDTypes, spec.dtype));
    const json::Array *shape = object->getArray("shape");
    if (!shape || *shape != json::Array(spec.shape))
      return error(
          what + ": expects shape " +
          llvm::formatv("{0}", json::Value(json::Array(spec.shape))).str());
    std::optional<int64_t> offset = object->getInteger("offset"),
                           bytes = object->getInteger("bytes");
    if (!bytes || *bytes != spec.numBytes())
      return error(what + ": expects " + llvm::Twine(spec.numBytes()) +
                   " bytes");
    int64_t size = static_cast<int64_t>(file.size());
    if (!offset || *offset < 0 || *offset > size || *bytes > size - *offset)
      return error(what + ": expects an offset and bytes inside a file of " +
                   llvm::Twine(size) + " bytes");
    Array array = makeArray(spec);
    std::copy_n(file.data() + *offset, *bytes, array.data.data());
    arrays.push_back(std::move(array));
  }
  return arrays;
}

llvm::Error readEntry(const json::Object &entry, StringRef inputs,
                      StringRef outputs, Case &test) {
  Reader header(entry);
  header.choice("op", test.spec.op, Choices<OpKind>(kOps));
  if (header.failed())
    return error(header.getMessage());
  const json::Object *attributes = entry.getObject("attributes");
  if (!attributes)
    return error("expects an object 'attributes'");
  Reader reader(*attributes);
  visitAttributes(reader, test.spec);
  if (reader.failed())
    return error(reader.getMessage());
  llvm::Expected<Interface> io = getInterface(test.spec);
  if (!io)
    return io.takeError();
  auto inputArrays = readArrays(entry, "inputs", io->inputs, inputs);
  if (!inputArrays)
    return inputArrays.takeError();
  test.inputs = std::move(*inputArrays);
  auto outputArrays = readArrays(entry, "outputs", io->outputs, outputs);
  if (!outputArrays)
    return outputArrays.takeError();
  test.outputs = std::move(*outputArrays);
  return llvm::Error::success();
}

/// Whether brackets nest deeper than any manifest's: the parser recurses.
bool isTooDeep(StringRef text) {
  int depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString) {
      if (c == '\\')
        ++i;
      inString = c != '"';
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      if (++depth > 32)
        return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

} // namespace

llvm::Expected<std::vector<Case>> conformance::readSuite(StringRef manifest,
                                                         StringRef inputs,
                                                         StringRef outputs) {
  if (isTooDeep(manifest))
    return error("expects JSON that nests at most 32 deep");
  llvm::Expected<json::Value> root = json::parse(manifest);
  if (!root)
    return root.takeError();
  const json::Object *object = root->getAsObject();
  if (!object || object->getString("format") != kFormatName)
    return error("expects a manifest of format " + kFormatName);
  if (object->getInteger("version") != kVersion)
    return error("expects version " + llvm::Twine(kVersion));
  const json::Array *entries = object->getArray("entries");
  if (!entries)
    return error("expects a list 'entries'");
  std::vector<Case> cases;
  std::set<std::string> names;
  for (const json::Value &value : *entries) {
    const json::Object *entry = value.getAsObject();
    std::optional<StringRef> name =
        entry ? entry->getString("name") : std::nullopt;
    if (!name)
      return error("entry " + llvm::Twine(cases.size()) +
                   ": expects an object with a name");
    if (!names.insert(name->str()).second)
      return error("entry '" + *name + "' occurs twice");
    Case test;
    test.name = name->str();
    if (llvm::Error failure = readEntry(*entry, inputs, outputs, test))
      return error("entry '" + *name +
                   "': " + llvm::toString(std::move(failure)));
    cases.push_back(std::move(test));
  }
  return cases;
}
