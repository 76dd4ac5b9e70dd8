//===- CInterface.cpp - The C interface of a program ----------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CInterface.h"

#include "lowp-c/Runtime.h"
#include "lowp/IR/LowpDialect.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::lowp;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static FailureOr<EntrySignature::Value> readValue(Attribute attribute) {
  auto dictionary = dyn_cast<DictionaryAttr>(attribute);
  if (!dictionary)
    return failure();
  auto dtype = dictionary.getAs<StringAttr>("dtype");
  auto shape = dictionary.getAs<DenseI64ArrayAttr>("shape");
  if (!dtype || !shape)
    return failure();
  EntrySignature::Value value;
  value.dtype = dtype.str();
  value.shape.assign(shape.asArrayRef().begin(), shape.asArrayRef().end());
  value.scalar = dictionary.contains("scalar");
  value.written = dictionary.contains("written");
  value.step = dictionary.contains("step");
  return value;
}

static FailureOr<EntrySignature> readEntry(LLVM::LLVMFuncOp function,
                                           DictionaryAttr dictionary) {
  EntrySignature entry;
  auto name = dictionary.getAs<StringAttr>("name");
  auto arguments = dictionary.getAs<ArrayAttr>("arguments");
  auto results = dictionary.getAs<ArrayAttr>("results");
  if (!name || !arguments || !results)
    return failure();
  entry.name = name.str();
  entry.symbol = function.getSymName().str();
  for (auto [attributes, values] : {std::make_pair(arguments, &entry.arguments),
                                    std::make_pair(results, &entry.results)})
    for (Attribute attribute : attributes) {
      auto value = readValue(attribute);
      if (failed(value))
        return failure();
      values->push_back(*value);
    }
  // A memref takes two pointers, an offset, sizes and strides.
  unsigned expected = 0;
  for (const EntrySignature::Value &value : entry.arguments)
    expected += value.scalar ? 1 : 3 + 2 * value.shape.size();
  if (function.getFunctionType().getNumParams() != expected)
    return failure();
  return entry;
}

FailureOr<std::vector<EntrySignature>> lowp::takeEntries(ModuleOp module) {
  std::vector<EntrySignature> entries;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    auto attribute = function->getAttrOfType<DictionaryAttr>(kEntryAttrName);
    if (!attribute)
      continue;
    auto entry = readEntry(function, attribute);
    if (failed(entry))
      return function.emitOpError(
          "has a 'lowp.entry' attribute that does not fit its type");
    function->removeAttr(kEntryAttrName);
    entries.push_back(std::move(*entry));
  }
  return entries;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static LowpDType getDType(StringRef name) {
  return llvm::StringSwitch<LowpDType>(name)
      .Case("bool", LOWP_BOOL)
      .Case("i8", LOWP_I8)
      .Case("i16", LOWP_I16)
      .Case("i32", LOWP_I32)
      .Case("i64", LOWP_I64)
      .Case("u8", LOWP_U8)
      .Case("u16", LOWP_U16)
      .Case("u32", LOWP_U32)
      .Case("u64", LOWP_U64)
      .Case("f16", LOWP_F16)
      .Case("bf16", LOWP_BF16)
      .Case("f32", LOWP_F32)
      .Case("f64", LOWP_F64)
      .Case("f8E4M3FN", LOWP_F8E4M3FN)
      .Case("f8E5M2", LOWP_F8E5M2)
      .Case("f8E8M0FNU", LOWP_F8E8M0FNU)
      .Case("f6E2M3FN", LOWP_F6E2M3FN)
      .Case("f6E3M2FN", LOWP_F6E3M2FN)
      .Default(LOWP_F4E2M1FN);
}

static std::string getSignatures(ArrayRef<EntrySignature> entries,
                                 StringRef target) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream);
  auto writeValue = [&](const EntrySignature::Value &value, bool isArgument) {
    json.object([&] {
      json.attribute("dtype", value.dtype);
      json.attributeArray("shape", [&] {
        for (int64_t dim : value.shape) {
          if (dim < 0)
            json.value(nullptr);
          else
            json.value(dim);
        }
      });
      json.attribute("scalar", value.scalar);
      if (isArgument)
        json.attribute("written", value.written);
      if (value.step)
        json.attribute("step", true);
    });
  };
  json.object([&] {
    json.attribute("abi", LOWP_ABI_VERSION);
    json.attribute("target", target);
    json.attributeArray("entries", [&] {
      for (const EntrySignature &entry : entries)
        json.object([&] {
          json.attribute("name", entry.name);
          json.attributeArray("arguments", [&] {
            for (const EntrySignature::Value &value : entry.arguments)
              writeValue(value, /*isArgument=*/true);
          });
          json.attributeArray("results", [&] {
            for (const EntrySignature::Value &value : entry.results)
              writeValue(value, /*isArgument=*/false);
          });
        });
    });
  });
  return text;
}

namespace {
class Writer {
public:
  explicit Writer(llvm::Module &module)
      : module(module), context(module.getContext()), builder(context),
        pointer(llvm::PointerType::getUnqual(context)),
        i64(builder.getInt64Ty()), i32(builder.getInt32Ty()),
        valueInfo(llvm::StructType::get(context, {pointer, i64, i32, i32})),
        entryInfo(llvm::StructType::get(
            context, {pointer, pointer, pointer, i64, pointer, i64})) {}

  void write(ArrayRef<EntrySignature> entries, StringRef target) {
    SmallVector<llvm::Constant *> infos;
    for (const EntrySignature &entry : entries)
      infos.push_back(llvm::ConstantStruct::get(
          entryInfo,
          {addData(llvm::ConstantDataArray::getString(context, entry.name)),
           addInvoke(entry), addValues(entry.arguments),
           builder.getInt64(entry.arguments.size()), addValues(entry.results),
           builder.getInt64(entry.results.size())}));
    auto *tableType = llvm::ArrayType::get(entryInfo, infos.size());
    llvm::GlobalVariable *table = addHidden(
        "lowp_rt_entries", llvm::ConstantArray::get(tableType, infos));
    addHidden("lowp_rt_num_entries", builder.getInt64(entries.size()));
    addHidden("lowp_rt_signatures",
              llvm::ConstantDataArray::getString(
                  context, getSignatures(entries, target)));
    // What runtime/GPU asks a device for.
    addHidden("lowp_rt_target",
              llvm::ConstantDataArray::getString(context, target));
    for (auto [i, entry] : llvm::enumerate(entries))
      if (isIdentifier(entry.name))
        addEntry(entry, llvm::ConstantExpr::getInBoundsGetElementPtr(
                            tableType, table,
                            ArrayRef<llvm::Constant *>{builder.getInt64(0),
                                                       builder.getInt64(i)}));
  }

private:
  static bool isIdentifier(StringRef name) {
    return !name.empty() && llvm::all_of(name, [](char c) {
      return llvm::isAlnum(c) || c == '_';
    });
  }

  llvm::Constant *addData(llvm::Constant *value) {
    auto *global = new llvm::GlobalVariable(
        module, value->getType(), /*isConstant=*/true,
        llvm::GlobalValue::PrivateLinkage, value, "lowp.data");
    return global;
  }

  llvm::GlobalVariable *addHidden(StringRef name, llvm::Constant *value) {
    auto *global = new llvm::GlobalVariable(
        module, value->getType(), /*isConstant=*/true,
        llvm::GlobalValue::ExternalLinkage, value, name);
    global->setVisibility(llvm::GlobalValue::HiddenVisibility);
    return global;
  }

  llvm::Constant *addValues(ArrayRef<EntrySignature::Value> values) {
    SmallVector<llvm::Constant *> infos;
    for (const EntrySignature::Value &value : values)
      infos.push_back(llvm::ConstantStruct::get(
          valueInfo,
          {addData(llvm::ConstantDataArray::get(
               context, ArrayRef<uint64_t>(reinterpret_cast<const uint64_t *>(
                                               value.shape.data()),
                                           value.shape.size()))),
           builder.getInt64(value.shape.size()),
           builder.getInt32(getDType(value.dtype)),
           builder.getInt32(value.scalar)}));
    return addData(llvm::ConstantArray::get(
        llvm::ArrayType::get(valueInfo, infos.size()), infos));
  }

  llvm::Value *loadPointer(llvm::Value *array, unsigned index) {
    return builder.CreateLoad(
        pointer, builder.CreateConstInBoundsGEP1_64(pointer, array, index));
  }

  /// Integers narrower than a byte are bytes in memory.
  llvm::Type *getStorageType(llvm::Type *type) {
    return type->isIntegerTy() && type->getIntegerBitWidth() < 8
               ? builder.getInt8Ty()
               : type;
  }

  /// void invoke(ptr arguments, ptr results): loads the fields of each memref
  /// descriptor, calls the function, and stores what it returns.
  llvm::Function *addInvoke(const EntrySignature &entry) {
    llvm::Function *function = module.getFunction(entry.symbol);
    auto *invoke = llvm::Function::Create(
        llvm::FunctionType::get(builder.getVoidTy(), {pointer, pointer}, false),
        llvm::GlobalValue::InternalLinkage, "lowp.invoke." + entry.name,
        module);
    builder.SetInsertPoint(llvm::BasicBlock::Create(context, "", invoke));
    SmallVector<llvm::Value *> operands;
    for (auto [i, value] : llvm::enumerate(entry.arguments)) {
      llvm::Value *slot = loadPointer(invoke->getArg(0), i);
      unsigned fields = value.scalar ? 1 : 3 + 2 * value.shape.size();
      for (unsigned field = 0; field < fields; ++field) {
        llvm::Type *type =
            function->getFunctionType()->getParamType(operands.size());
        llvm::Type *storage = getStorageType(type);
        // All fields of a descriptor have the size of a word.
        llvm::Value *loaded = builder.CreateLoad(
            storage, builder.CreateConstInBoundsGEP1_64(i64, slot, field));
        operands.push_back(storage == type ? loaded
                                           : builder.CreateTrunc(loaded, type));
      }
    }
    llvm::CallInst *call = builder.CreateCall(function, operands);
    for (unsigned i = 0, e = entry.results.size(); i < e; ++i) {
      llvm::Value *result = call;
      if (e > 1)
        result = builder.CreateExtractValue(call, i);
      llvm::Type *storage = getStorageType(result->getType());
      if (storage != result->getType())
        result = builder.CreateZExt(result, storage);
      builder.CreateStore(result, loadPointer(invoke->getArg(1), i));
    }
    builder.CreateRetVoid();
    return invoke;
  }

  /// int32_t lowp_entry_F(arguments, numArguments, results, numResults)
  void addEntry(const EntrySignature &entry, llvm::Constant *info) {
    llvm::FunctionCallee runtime = module.getOrInsertFunction(
        "lowp_rt_call", llvm::FunctionType::get(
                            i32, {pointer, pointer, i64, pointer, i64}, false));
    auto *function = llvm::Function::Create(
        llvm::FunctionType::get(i32, {pointer, i64, pointer, i64}, false),
        llvm::GlobalValue::ExternalLinkage, "lowp_entry_" + entry.name, module);
    builder.SetInsertPoint(llvm::BasicBlock::Create(context, "", function));
    SmallVector<llvm::Value *> operands{info};
    for (llvm::Argument &argument : function->args())
      operands.push_back(&argument);
    builder.CreateRet(builder.CreateCall(runtime, operands));
  }

  llvm::Module &module;
  llvm::LLVMContext &context;
  llvm::IRBuilder<> builder;
  llvm::Type *pointer, *i64, *i32;
  llvm::StructType *valueInfo, *entryInfo;
};
} // namespace

void lowp::addCInterface(llvm::Module &module, ArrayRef<EntrySignature> entries,
                         StringRef target) {
  Writer(module).write(entries, target);
}
