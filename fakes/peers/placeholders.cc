#include "fakes/peers/placeholders.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <utility>

namespace plumbline::fakes {

namespace {

// kFillerBytesMax is what one {{text:N}} may ask for.
constexpr std::size_t kFillerBytesMax = 32U << 20U;

// Filler is so many bytes, `unit` again and again.
struct Filler {
  std::string_view unit;
  std::size_t bytes = 0;
};

// filler_of returns what {{text:N}} and {{base64:N}} stand for, nothing for other names.
std::optional<Filler> filler_of(std::string_view name) {
  if (name.empty()) return std::nullopt;
  const std::size_t colon = std::min(name.find(':'), name.size() - 1);
  const std::string_view kind = name.substr(0, colon);
  Filler filler;
  if (kind == "text") filler.unit = "All of this text is here only to be long. ";
  if (kind == "base64") filler.unit = "iVBORw0KGgoAAAANSUhEUgAA";
  const char* const end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data() + colon + 1, end, filler.bytes);
  if (filler.unit.empty() || error != std::errc() || rest != end) return std::nullopt;
  filler.bytes = std::min(filler.bytes, kFillerBytesMax);
  return filler;
}

std::optional<std::string> filler(std::string_view name) {
  const std::optional<Filler> wanted = filler_of(name);
  if (!wanted) return std::nullopt;
  std::string out;
  out.reserve(wanted->bytes);
  while (out.size() < wanted->bytes) out += wanted->unit.substr(0, wanted->bytes - out.size());
  return out;
}

}  // namespace

std::uint64_t filled_bytes(std::string_view text) {
  std::uint64_t bytes = 0;
  while (true) {
    const std::size_t open = text.find("{{");
    const std::size_t end = text.find("}}", open);
    if (open == std::string_view::npos || end == std::string_view::npos) return bytes;
    if (const auto wanted = filler_of(text.substr(open + 2, end - open - 2))) {
      bytes += wanted->bytes;
    }
    text.remove_prefix(end + 2);
  }
}

std::string fill_placeholders(std::string_view text, const Json& arguments) {
  std::string filled;
  while (!text.empty()) {
    const std::size_t open = text.find("{{");
    const std::size_t close = open == text.npos ? text.npos : text.find("}}", open);
    if (close == text.npos) break;
    const std::string_view name = text.substr(open + 2, close - open - 2);
    const Json* const value = find(arguments, name);
    filled += text.substr(0, open);
    if (const auto made = value == nullptr && !name.empty() ? filler(name) : std::nullopt) {
      filled += *made;
    } else if (value == nullptr) {
      filled += text.substr(open, close + 2 - open);
    } else if (const auto* const string = value->get_ptr<const std::string*>()) {
      filled += *string;
    } else {
      append_json(filled, *value);
    }
    text.remove_prefix(close + 2);
  }
  filled += text;
  return filled;
}

std::string fill_id(std::string text, const Json& id) {
  const std::string dumped = dump_json(id);
  for (const std::string_view place :
       {std::string_view("\"{{id}}\""), std::string_view("{{id}}")}) {
    std::size_t at = text.find(place);
    while (at != std::string::npos) {
      text.replace(at, place.size(), dumped);
      at = text.find(place, at + dumped.size());
    }
  }
  return text;
}

void fill_id_in(Json& value, const Json& id) {
  if (value == "{{id}}") {
    value = id;
  } else if (auto* const text = value.get_ptr<std::string*>()) {
    *text = fill_id(std::move(*text), id);
  } else if (value.is_structured()) {
    for (Json& member : value) fill_id_in(member, id);
  }
}

void fill_placeholders_in(Json& value, const Json& arguments) {
  if (auto* const text = value.get_ptr<std::string*>()) {
    *text = fill_placeholders(*text, arguments);
  } else if (value.is_structured()) {
    for (Json& member : value) fill_placeholders_in(member, arguments);
  }
}

}  // namespace plumbline::fakes
