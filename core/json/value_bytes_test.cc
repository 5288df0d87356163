// What values take is counted with an allocator that counts.

#include "core/json/value_bytes.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/json/json.h"

namespace {

// Of this thread: of all that `new` gave and `delete` has not taken back.
thread_local std::size_t blocks_bytes = 0;

constexpr std::size_t kHeadBytes = 16;  // Before each block: how long it is.

// chunk_of returns what glibc takes for a block, whatever it has left over from others.
std::size_t chunk_of(std::size_t size) {
  return std::max<std::size_t>(32, (size + sizeof(std::size_t) + 15) / 16 * 16);
}

void* counted(std::size_t size) {
  char* const block = static_cast<char*>(std::malloc(kHeadBytes + size));
  if (block == nullptr) std::abort();
  std::memcpy(block, &size, sizeof(size));
  blocks_bytes += chunk_of(size);
  return block + kHeadBytes;
}

void uncounted(void* given) noexcept {
  if (given == nullptr) return;
  char* const block = static_cast<char*>(given) - kHeadBytes;
  std::size_t size = 0;
  std::memcpy(&size, block, sizeof(size));
  blocks_bytes -= chunk_of(size);
  std::free(block);
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void operator delete(void* block) noexcept { uncounted(block); }
void operator delete[](void* block) noexcept { uncounted(block); }
void operator delete(void* block, std::size_t /*size*/) noexcept { uncounted(block); }
void operator delete[](void* block, std::size_t /*size*/) noexcept { uncounted(block); }

namespace plumbline {
namespace {

// allocated_by returns what the value of `text` takes of the heap.
std::size_t allocated_by(const std::string& text, std::size_t* by_value = nullptr) {
  const std::size_t before = blocks_bytes;
  const Result<Json> value = parse_json(text);
  EXPECT_TRUE(value.ok()) << text.substr(0, 100);
  const std::size_t taken = blocks_bytes - before;
  if (by_value != nullptr) *by_value = value_bytes(value.value());
  return taken;
}

std::string list_of(const std::string& piece, std::size_t times) {
  std::string text = piece;
  for (std::size_t i = 1; i < times; ++i) text += "," + piece;
  return text;
}

std::vector<std::string> texts() {
  std::string pairs = "\"k0\":1";
  for (int i = 1; i < 3'000; ++i) pairs += ",\"k" + std::to_string(i) + "\":[]";
  std::string long_keys = "\"first\":1";
  for (int i = 0; i < 300; ++i) {
    long_keys += ",\"" + std::string(40, 'k') + std::to_string(i) + R"(":{"a":"b"})";
  }
  return {"0",
          "[]",
          "{}",
          R"("short")",
          "\"" + std::string(100'000, 'x') + "\"",
          "[" + list_of("[]", 100'000) + "]",
          "[" + list_of("{}", 50'000) + "]",
          "[" + list_of("0", 100'000) + "]",
          "[" + list_of("[0]", 30'000) + "]",
          "[" + list_of("[0,0,0,0,0]", 30'000) + "]",
          "[" + list_of("\"\"", 30'000) + "]",
          "[" + list_of("\"sixteen letters!\"", 30'000) + "]",
          "[" + list_of("\"\\u00e9\\n\\\"" + std::string(600, 'y') + "\"", 300) + "]",
          "[" + list_of(R"({"a":1,"b":"two","c":[null,true]})", 5'000) + "]",
          "{" + pairs + "}",
          "{" + long_keys + "}"};
}

TEST(ValueBytesTest, NoValueTakesMoreThanIsSaidOfIt) {
  for (const std::string& text : texts()) {
    std::size_t by_value = 0;
    const std::size_t taken = allocated_by(text, &by_value);
    EXPECT_GE(by_value + taken / 1'000, taken) << text.substr(0, 60);  // A heap has some odd ends.
    EXPECT_GE(value_bytes_of_text(text), taken) << text.substr(0, 60);
  }
}

TEST(ValueBytesTest, NorIsMuchMoreSaidThanItTakes) {
  for (const std::string& text : texts()) {
    std::size_t by_value = 0;
    const std::size_t taken = allocated_by(text, &by_value);
    EXPECT_LE(by_value, taken + taken / 4 + 64) << text.substr(0, 60);
    EXPECT_LE(value_bytes_of_text(text), 3 * taken + 128) << text.substr(0, 60);
  }
}

TEST(ValueBytesTest, AListOfEmptyListsTakesFifteenTimesItsText) {
  const std::string text = "[" + list_of("[]", 100'000) + "]";
  EXPECT_GT(value_bytes_of_text(text), 15 * text.size());
}

std::string a_value(int depth) {
  switch (*rc::gen::inRange(0, depth > 3 ? 3 : 5)) {
    case 0:
      return std::to_string(*rc::gen::arbitrary<int>());
    case 1:
      return dump_json(Json(*rc::gen::string<std::string>()));
    case 2:
      return "null";
    case 3: {
      std::string items;
      for (int n = *rc::gen::inRange(0, 6), i = 0; i < n; ++i) {
        items += (i == 0 ? "" : ", ") + a_value(depth + 1);
      }
      return "[" + items + "]";
    }
    default: {
      std::string members;
      for (int n = *rc::gen::inRange(0, 6), i = 0; i < n; ++i) {
        members += (i == 0 ? "\"" : ",\"") + std::string(static_cast<std::size_t>(i) * 7, 'k') +
                   std::to_string(i) + "\": " + a_value(depth + 1);
      }
      return "{" + members + "}";
    }
  }
}

RC_GTEST_PROP(ValueBytesPropTest, WhateverIsReadTakesNoMoreThanIsSaid, ()) {
  const std::string text = a_value(0);
  std::size_t by_value = 0;
  const std::size_t taken = allocated_by(text, &by_value);
  RC_ASSERT(by_value + taken / 50 >= taken);
  RC_ASSERT(value_bytes_of_text(text) >= taken);
}

}  // namespace
}  // namespace plumbline
