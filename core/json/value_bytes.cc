#include "core/json/value_bytes.h"

#include <algorithm>
#include <string>

#include "core/json/json_limits.h"

namespace plumbline {

namespace {

// block returns what an allocation of `bytes` takes of the heap of glibc, which is the widest.
constexpr std::size_t block(std::size_t bytes) {
  return std::max<std::size_t>(32, (bytes + 8 + 15) / 16 * 16);
}

constexpr std::size_t kTextInPlace = 15;  // Bytes that a std::string holds without an allocation.
constexpr std::size_t kStringBytes = block(sizeof(std::string));
constexpr std::size_t kArrayBytes = block(sizeof(Json::array_t));
constexpr std::size_t kObjectBytes = block(sizeof(Json::object_t));
// A node of a tree of red and black: three pointers and a colour, and the member.
constexpr std::size_t kMemberBytes = block(4 * sizeof(void*) + sizeof(Json::object_t::value_type));
// A list that grows has up to twice the room that it needs, until it is long.
constexpr std::size_t kItemBytes = 2 * sizeof(Json);

std::size_t text_bytes(const std::string& text) {
  return text.capacity() > kTextInPlace ? block(text.capacity() + 1) : 0;
}

// parts_bytes returns what `value` has beside itself.
std::size_t parts_bytes(const Json& value) {
  std::size_t bytes = 0;
  if (const auto* const text = value.get_ptr<const Json::string_t*>()) {
    bytes = kStringBytes + text_bytes(*text);
  } else if (const auto* const items = value.get_ptr<const Json::array_t*>()) {
    bytes = kArrayBytes + (items->capacity() > 0 ? block(items->capacity() * sizeof(Json)) : 0);
    for (const Json& item : *items) bytes += parts_bytes(item);
  } else if (const auto* const members = value.get_ptr<const Json::object_t*>()) {
    bytes = kObjectBytes;
    for (const auto& [key, member] : *members) {
      bytes += kMemberBytes + text_bytes(key) + parts_bytes(member);
    }
  }
  return bytes;
}

// end_of_string returns where the string ends that begins behind the quotation mark before `at`.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
  return std::min(at, text.size());
}

}  // namespace

std::size_t value_bytes(const Json& value) { return sizeof(Json) + parts_bytes(value); }

std::size_t value_bytes_of_text(std::string_view text) {
  std::size_t bytes = sizeof(Json);
  for (std::size_t at = 0; at < text.size(); ++at) {
    switch (text[at]) {
      case '[':
        bytes += kArrayBytes + block(kItemBytes);
        break;
      case '{':
        bytes += kObjectBytes;
        break;
      case ',':
        bytes += kItemBytes;
        break;
      case ':':
        bytes += kMemberBytes;
        break;
      case '"': {
        const std::size_t end = end_of_string(text, at + 1);
        const std::size_t size = end - at - 1;
        bytes += kStringBytes;
        if (size > kTextInPlace) bytes += block(size > kLongJsonBytes ? size : 2 * size);
        at = end;
        break;
      }
      default:
        break;
    }
  }
  return bytes;
}

}  // namespace plumbline
