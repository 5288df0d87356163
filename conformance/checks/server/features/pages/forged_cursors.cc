#include "conformance/checks/server/features/pages/forged_cursors.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "core/base/base64.h"
#include "core/json/json.h"

namespace plumbline::conformance {

namespace {

// Plain is a cursor as its server reads it, and how that is written.
struct Plain {
  std::string text;
  std::function<std::string(std::string_view)> written;
};

bool is_printable(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

bool is_decimal(char c) { return c >= '0' && c <= '9'; }

// readings_of returns the ways to read a cursor: as it is, or out of base64 of either kind.
std::vector<Plain> readings_of(std::string_view cursor) {
  std::vector<Plain> all;
  all.push_back({std::string(cursor), [](std::string_view text) { return std::string(text); }});
  if (auto text = decode_base64(cursor); text && is_printable(*text)) {
    all.push_back({*text, encode_base64});
  } else if (text = decode_base64url(cursor); text && is_printable(*text)) {
    all.push_back({*text, encode_base64url});
  }
  return all;
}

// forge_in_json puts `value` in the place of the first number in an object that is `items`; nothing
// where there is none.
std::optional<std::string> forge_in_json(const std::string& text, std::size_t items,
                                         const Json& value) {
  Result<Json> read = parse_json(text);
  if (!read.ok() || !read.value().is_object()) return std::nullopt;
  Json object = std::move(read).value();
  for (auto& [name, member] : object.items()) {
    if (!member.is_number_integer() || member != Json(items)) continue;
    member = value;
    return dump_json(object);
  }
  return std::nullopt;
}

// forge_at_end makes the number negative that a text ends with, where it is `items`.
std::optional<std::string> forge_at_end(const std::string& text, std::size_t items) {
  const std::string number = std::to_string(items);
  if (!text.ends_with(number)) return std::nullopt;
  const std::string before = text.substr(0, text.size() - number.size());
  if (!before.empty() && (is_decimal(before.back()) || before.back() == '-')) return std::nullopt;
  return before + "-" + number;
}

}  // namespace

std::vector<ForgedCursor> forged_cursors(std::string_view cursor, std::size_t items) {
  std::vector<ForgedCursor> forged;
  if (items == 0) return forged;
  const Json negative = -static_cast<std::int64_t>(items);
  const Json fraction = static_cast<double>(items) + 0.5;
  for (const Plain& plain : readings_of(cursor)) {
    for (const Json& value : {negative, Json("plumbline"), fraction}) {
      const auto text = forge_in_json(plain.text, items, value);
      if (!text) continue;
      forged.push_back({plain.written(*text), dump_json(value), !value.is_number_float()});
    }
    if (!forged.empty()) return forged;
    if (const auto text = forge_at_end(plain.text, items)) {
      forged.push_back({plain.written(*text), dump_json(negative), true});
      return forged;
    }
  }
  return forged;
}

}  // namespace plumbline::conformance
