#include "core/json/quick_reader.h"

#include <cstdint>
#include <utility>

#include "core/json/plain_bytes.h"

namespace plumbline {

namespace {

constexpr std::size_t kDigitsMax = 18;  // As many as always fit.

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::optional<Json> QuickReader::read() {
  Json root;
  if (!value(root, limits_.depth_max)) return std::nullopt;
  skip_space();
  if (at_ != text_.size()) return std::nullopt;
  return root;
}

bool QuickReader::value(Json& into, std::size_t depth_left) {
  skip_space();
  switch (next()) {
    case '{':
      return depth_left > 0 && object(into, depth_left - 1);
    case '[':
      return depth_left > 0 && array(into, depth_left - 1);
    case '"':
      into = Json(Json::value_t::string);
      return string(*into.get_ptr<std::string*>());
    case 't':
      into = true;
      return word("true");
    case 'f':
      into = false;
      return word("false");
    case 'n':
      return word("null");
    default:
      return number(into);
  }
}

bool QuickReader::object(Json& into, std::size_t depth_left) {
  ++at_;
  into = Json(Json::value_t::object);
  auto& members = *into.get_ptr<Json::object_t*>();
  if (skip('}')) return true;
  do {
    skip_space();
    std::string name;
    if (next() != '"' || !string(name) || !skip(':')) return false;
    // Most texts have their names in order.
    const std::size_t before = members.size();
    const auto place = members.try_emplace(members.end(), std::move(name));
    if (members.size() == before || !value(place->second, depth_left)) return false;
  } while (skip(','));
  return skip('}');
}

bool QuickReader::array(Json& into, std::size_t depth_left) {
  ++at_;
  into = Json(Json::value_t::array);
  auto& items = *into.get_ptr<Json::array_t*>();
  if (skip(']')) return true;
  do {
    if (!value(items.emplace_back(), depth_left)) return false;
  } while (skip(','));
  if (items.size() * sizeof(Json) > kLongJsonBytes) items.shrink_to_fit();
  return skip(']');
}

bool QuickReader::string(std::string& into) {
  ++at_;
  for (;;) {
    const std::string_view rest = text_.substr(at_);
    std::size_t plain = 0;
    while (plain < rest.size() && is_plain(rest[plain])) ++plain;
    into.append(rest, 0, plain);
    at_ += plain;
    const char end = next();
    ++at_;
    if (end == '"') break;
    if (end != '\\' || !escape(into)) return false;
  }
  if (into.size() > kLongJsonBytes) into.shrink_to_fit();
  return true;
}

bool QuickReader::escape(std::string& into) {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const std::size_t known = kLetters.find(next());
  ++at_;
  if (known == std::string_view::npos) return false;
  into += kMeanings[known];
  return true;
}

bool QuickReader::number(Json& into) {
  const bool negative = next() == '-';
  if (negative) ++at_;
  const std::size_t from = at_;
  std::int64_t number = 0;
  for (; is_digit(next()) && at_ - from < kDigitsMax; ++at_) number = number * 10 + (next() - '0');
  const std::size_t digits = at_ - from;
  const bool whole = !is_digit(next()) && next() != '.' && next() != 'e' && next() != 'E';
  if (digits == 0 || (text_[from] == '0' && digits > 1) || !whole) return false;
  if (negative) {
    into = -number;
  } else {
    into = static_cast<std::uint64_t>(number);
  }
  return true;
}

bool QuickReader::word(std::string_view expected) {
  if (text_.substr(at_, expected.size()) != expected) return false;
  at_ += expected.size();
  return true;
}

void QuickReader::skip_space() {
  while (next() == ' ' || next() == '\n' || next() == '\t' || next() == '\r') ++at_;
}

bool QuickReader::skip(char expected) {
  skip_space();
  if (next() != expected) return false;
  ++at_;
  return true;
}

}  // namespace plumbline
