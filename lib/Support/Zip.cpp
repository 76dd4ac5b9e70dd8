//===- Zip.cpp - Zip archives ---------------------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As much of the format as numpy's .npz files use: members that are stored or
// deflated, one disk, no encryption; Zip64 where sizes need it (numpy writes
// its extra field for every member). The central directory is what counts:
// local headers may leave sizes open.
//
//===----------------------------------------------------------------------===//

#include "Zip.h"

#include "llvm/Support/Endian.h"

#include <limits>
#include <zlib.h>

using namespace mlir::lowp;
using llvm::StringRef;
using llvm::support::endian::read16le;
using llvm::support::endian::read32le;
using llvm::support::endian::read64le;

static llvm::Error error(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

namespace {
struct Member {
  StringRef name;
  uint16_t flags = 0, method = 0;
  uint32_t crc = 0;
  uint64_t compressedSize = 0, size = 0, offset = 0;
};
} // namespace

/// Takes those of the sizes that did not fit from the Zip64 extra field.
static llvm::Error readZip64(StringRef extra, Member &member) {
  while (extra.size() >= 4) {
    uint16_t id = read16le(extra.data()), size = read16le(extra.data() + 2);
    extra = extra.drop_front(4);
    if (size > extra.size())
      return error("an extra field of the zip directory is cut off");
    StringRef field = extra.take_front(size);
    extra = extra.drop_front(size);
    if (id != 1)
      continue;
    for (uint64_t *value :
         {&member.size, &member.compressedSize, &member.offset}) {
      if (*value != std::numeric_limits<uint32_t>::max())
        continue;
      if (field.size() < 8)
        return error("the Zip64 field of the zip directory is cut off");
      *value = read64le(field.data());
      field = field.drop_front(8);
    }
  }
  return llvm::Error::success();
}

static llvm::Expected<std::string> extract(StringRef bytes,
                                           const Member &member) {
  auto fail = [&](const llvm::Twine &message) {
    return error("member '" + member.name + "': " + message);
  };
  if (member.flags & 1)
    return fail("is encrypted");
  if (member.offset > bytes.size() || bytes.size() - member.offset < 30 ||
      read32le(bytes.data() + member.offset) != 0x04034b50)
    return fail("has no local header");
  const char *header = bytes.data() + member.offset;
  uint64_t start = member.offset + 30 + read16le(header + 26) +
                   uint64_t(read16le(header + 28));
  if (start > bytes.size() || bytes.size() - start < member.compressedSize)
    return fail("is cut off");
  StringRef data = bytes.substr(start, member.compressedSize);

  std::string result;
  if (member.method == 0) {
    if (member.size != member.compressedSize)
      return fail("has two sizes");
    result = data.str();
  } else if (member.method == 8) {
    // Deflate shrinks by 1032 at most, so that a size cannot lie much.
    if (member.size / 1032 > member.compressedSize)
      return fail("claims more bytes than it can hold");
    if (member.size > std::numeric_limits<uInt>::max() ||
        member.compressedSize > std::numeric_limits<uInt>::max())
      return fail("is larger than 4 GiB");
    result.resize(member.size);
    z_stream stream = {};
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(data.data()));
    stream.avail_in = data.size();
    // Where there is nothing to write, zlib still wants a place.
    Bytef nothing;
    stream.next_out =
        result.empty() ? &nothing : reinterpret_cast<Bytef *>(&result[0]);
    stream.avail_out = result.size();
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
      return fail("cannot be inflated");
    int status = inflate(&stream, Z_FINISH);
    bool complete = status == Z_STREAM_END && stream.avail_out == 0;
    inflateEnd(&stream);
    if (!complete)
      return fail("is damaged");
  } else {
    return fail("uses compression method " + llvm::Twine(member.method) +
                "; expected stored or deflated");
  }
  if (crc32_z(0, reinterpret_cast<const Bytef *>(result.data()),
              result.size()) != member.crc)
    return fail("is damaged: its checksum differs");
  return result;
}

llvm::Expected<ZipMembers> mlir::lowp::readZip(StringRef bytes) {
  // The end record is the last one, behind it at most a comment of 64 KiB.
  constexpr size_t endSize = 22;
  if (bytes.size() < endSize)
    return error("not a zip archive");
  size_t lowest =
      bytes.size() > endSize + 0xffff ? bytes.size() - endSize - 0xffff : 0;
  size_t end = bytes.size() - endSize;
  while (read32le(bytes.data() + end) != 0x06054b50) {
    if (end == lowest)
      return error("not a zip archive");
    --end;
  }
  uint64_t count = read16le(bytes.data() + end + 10);
  uint64_t offset = read32le(bytes.data() + end + 16);
  if ((count == 0xffff || offset == 0xffffffff) && end >= 20 &&
      read32le(bytes.data() + end - 20) == 0x07064b50) {
    uint64_t end64 = read64le(bytes.data() + end - 12);
    if (end64 > bytes.size() || bytes.size() - end64 < 56 ||
        read32le(bytes.data() + end64) != 0x06064b50)
      return error("the Zip64 end record is missing");
    count = read64le(bytes.data() + end64 + 32);
    offset = read64le(bytes.data() + end64 + 48);
  }

  ZipMembers members;
  for (uint64_t i = 0; i < count; ++i) {
    if (offset > bytes.size() || bytes.size() - offset < 46 ||
        read32le(bytes.data() + offset) != 0x02014b50)
      return error("the directory of the zip archive is damaged");
    const char *entry = bytes.data() + offset;
    Member member;
    member.flags = read16le(entry + 8);
    member.method = read16le(entry + 10);
    member.crc = read32le(entry + 16);
    member.compressedSize = read32le(entry + 20);
    member.size = read32le(entry + 24);
    member.offset = read32le(entry + 42);
    uint64_t nameSize = read16le(entry + 28), extraSize = read16le(entry + 30);
    uint64_t next =
        offset + 46 + nameSize + extraSize + uint64_t(read16le(entry + 32));
    if (next > bytes.size())
      return error("the directory of the zip archive is cut off");
    member.name = bytes.substr(offset + 46, nameSize);
    if (llvm::Error failure =
            readZip64(bytes.substr(offset + 46 + nameSize, extraSize), member))
      return std::move(failure);
    llvm::Expected<std::string> data = extract(bytes, member);
    if (!data)
      return data.takeError();
    members.emplace_back(member.name.str(), std::move(*data));
    offset = next;
  }
  return members;
}

std::string mlir::lowp::writeZip(const ZipMembers &members) {
  std::string archive, directory;
  auto put = [](std::string &to, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i)
      to.push_back(static_cast<char>(value >> (8 * i)));
  };
  constexpr uint64_t open = std::numeric_limits<uint32_t>::max();
  for (const auto &member : members) {
    const std::string &name = member.first, &data = member.second;
    uint64_t offset = archive.size();
    uint32_t crc =
        crc32_z(0, reinterpret_cast<const Bytef *>(data.data()), data.size());
    bool large = data.size() >= open || offset >= open;
    auto putCommon = [&](std::string &to, unsigned extraSize) {
      put(to, large ? 45 : 20, 2); // version needed
      put(to, 0, 2);               // flags
      put(to, 0, 2);               // stored
      put(to, 0, 2);               // time
      put(to, 0x21, 2);            // 1980-01-01
      put(to, crc, 4);
      put(to, large ? open : data.size(), 4);
      put(to, large ? open : data.size(), 4);
      put(to, name.size(), 2);
      put(to, extraSize, 2);
    };
    put(archive, 0x04034b50, 4);
    putCommon(archive, large ? 20 : 0);
    archive += name;
    if (large) {
      put(archive, 1, 2);
      put(archive, 16, 2);
      put(archive, data.size(), 8);
      put(archive, data.size(), 8);
    }
    archive += data;

    put(directory, 0x02014b50, 4);
    put(directory, large ? 45 : 20, 2); // version that wrote it
    putCommon(directory, large ? 28 : 0);
    put(directory, 0, 2); // comment
    put(directory, 0, 2); // disk
    put(directory, 0, 2); // internal attributes
    put(directory, 0, 4); // external attributes
    put(directory, large ? open : offset, 4);
    directory += name;
    if (large) {
      put(directory, 1, 2);
      put(directory, 24, 2);
      put(directory, data.size(), 8);
      put(directory, data.size(), 8);
      put(directory, offset, 8);
    }
  }
  uint64_t offset = archive.size(), end = offset + directory.size();
  archive += directory;
  bool large = offset >= open || members.size() >= 0xffff;
  if (large) {
    put(archive, 0x06064b50, 4);
    put(archive, 44, 8);
    put(archive, 45, 2);
    put(archive, 45, 2);
    put(archive, 0, 8); // both disks
    put(archive, members.size(), 8);
    put(archive, members.size(), 8);
    put(archive, directory.size(), 8);
    put(archive, offset, 8);
    put(archive, 0x07064b50, 4);
    put(archive, 0, 4);
    put(archive, end, 8);
    put(archive, 1, 4);
  }
  put(archive, 0x06054b50, 4);
  put(archive, 0, 4); // both disks
  put(archive, large ? 0xffff : members.size(), 2);
  put(archive, large ? 0xffff : members.size(), 2);
  put(archive, large ? open : directory.size(), 4);
  put(archive, large ? open : offset, 4);
  put(archive, 0, 2); // comment
  return archive;
}
