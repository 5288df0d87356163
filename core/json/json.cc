#include "core/json/json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "core/json/position.h"
#include "core/json/quick_reader.h"

namespace plumbline {

namespace {

// DomBuilder makes a Json of the events of nlohmann's parser. It differs from the library's own
// builder in that it refuses depth while it parses: a 100,000-deep value would parse, and then
// overflow the stack in dump().
class DomBuilder final : public nlohmann::json_sax<Json> {
 public:
  DomBuilder(std::string_view text, const JsonLimits& limits) : text_(text), limits_(limits) {}

  bool null() override { return add(Json(nullptr)); }
  bool boolean(bool value) override { return add(Json(value)); }
  bool number_integer(number_integer_t value) override { return add(Json(value)); }
  bool number_unsigned(number_unsigned_t value) override { return add(Json(value)); }
  bool number_float(number_float_t value, const string_t&) override { return add(Json(value)); }
  bool string(string_t& value) override {
    if (value.size() > kJsonLongBytes) value.shrink_to_fit();
    return add(Json(std::move(value)));
  }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::value_t::object); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(Json::value_t::array); }
  bool end_array() override {
    auto& items = *open_.back()->get_ptr<Json::array_t*>();
    if (items.size() * sizeof(Json) > kJsonLongBytes) items.shrink_to_fit();
    return close();
  }

  bool key(string_t& name) override {
    auto& members = *open_.back()->get_ptr<Json::object_t*>();
    const auto [place, added] = members.try_emplace(std::move(name));
    if (!added && !limits_.duplicate_keys) {
      return fail(ErrorCode::kInvalidInput, "key \"" + place->first + "\" stands there twice");
    }
    member_ = &place->second;
    return true;
  }

  bool parse_error(std::size_t offset, const std::string&,
                   const nlohmann::detail::exception& why) override {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: WHAT"
    std::string what = why.what();
    const std::size_t colon = what.find(": ");
    if (colon != std::string::npos) what = what.substr(colon + 2);
    failed_at_ = position_of(text_, offset == 0 ? 0 : offset - 1);
    error_ = Error{ErrorCode::kInvalidInput, std::move(what)};
    return false;
  }

  // failed_at returns where the text is no JSON; nothing for any other failure.
  const std::optional<Position>& failed_at() const { return failed_at_; }

  Result<Json> finish(bool parsed) {
    if (parsed) return std::move(root_);
    return std::move(error_);
  }

 private:
  bool fail(ErrorCode code, std::string why) {
    error_ = Error{code, std::move(why)};
    return false;
  }

  Json* put(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    if (auto* const items = open_.back()->get_ptr<Json::array_t*>()) {
      items->push_back(std::move(value));
      return &items->back();
    }
    *member_ = std::move(value);
    return member_;
  }

  bool add(Json value) {
    put(std::move(value));
    return true;
  }

  bool open(Json::value_t type) {
    if (open_.size() == limits_.depth_max) {
      return fail(ErrorCode::kLimitReached,
                  "JSON is more than " + std::to_string(limits_.depth_max) + " levels deep");
    }
    open_.push_back(put(Json(type)));
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  std::string_view text_;
  const JsonLimits& limits_;
  Json root_;
  std::vector<Json*> open_;  // An array grows only while its last item is closed.
  Json* member_ = nullptr;
  Error error_;
  std::optional<Position> failed_at_;
};

// CountingIterator tells how far a parser has read.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char*& furthest) : at_(at), furthest_(&furthest) {}

  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    *furthest_ = at_++;
    return *this;
  }
  CountingIterator operator++(int) {
    const CountingIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(CountingIterator a, CountingIterator b) { return a.at_ == b.at_; }

 private:
  const char* at_;
  const char** furthest_;
};

// Writer appends JSON text. It writes what the library's dump() would, without asking for the
// locale, an output adapter and a buffer for each value; what is rare it leaves to the library.
class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  void write(const Json& value) {
    switch (value.type()) {
      case Json::value_t::object:
        return write_object(*value.get_ptr<const Json::object_t*>());
      case Json::value_t::array:
        return write_array(*value.get_ptr<const Json::array_t*>());
      case Json::value_t::string:
        return write_string(*value.get_ptr<const std::string*>());
      case Json::value_t::boolean:
        out_ += *value.get_ptr<const bool*>() ? "true" : "false";
        return;
      case Json::value_t::number_integer:
        return write_number(*value.get_ptr<const Json::number_integer_t*>());
      case Json::value_t::number_unsigned:
        return write_number(*value.get_ptr<const Json::number_unsigned_t*>());
      default:
        return write_slowly(value);
    }
  }

 private:
  void write_object(const Json::object_t& members) {
    char before = '{';
    for (const auto& [name, value] : members) {
      out_ += before;
      write_string(name);
      out_ += ':';
      write(value);
      before = ',';
    }
    out_ += members.empty() ? "{}" : "}";
  }

  void write_array(const Json::array_t& items) {
    char before = '[';
    for (const Json& item : items) {
      out_ += before;
      write(item);
      before = ',';
    }
    out_ += items.empty() ? "[]" : "]";
  }

  void write_string(const std::string& text) {
    const auto ascii = [](unsigned char c) { return c < 0x80; };
    if (!std::ranges::all_of(text, ascii)) return write_slowly(Json(text));
    out_ += '"';
    std::size_t from = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] >= ' ' && text[at] != '"' && text[at] != '\\') continue;
      out_.append(text, from, at - from);
      write_escaped(text[at]);
      from = at + 1;
    }
    out_.append(text, from);
    out_ += '"';
  }

  void write_escaped(char c) {
    constexpr std::string_view kShort = "\"\\\b\f\n\r\t";
    constexpr std::string_view kLetters = "\"\\bfnrt";
    const std::size_t known = kShort.find(c);
    if (known == std::string_view::npos) return write_code(static_cast<unsigned>(c));
    out_ += '\\';
    out_ += kLetters[known];
  }

  void write_code(unsigned c) {
    out_ += "\\u00";
    out_ += "0123456789abcdef"[c >> 4U];
    out_ += "0123456789abcdef"[c & 15U];
  }

  template <typename Number>
  void write_number(Number number) {
    std::array<char, 20> digits{};
    const auto end = std::to_chars(digits.begin(), digits.end(), number).ptr;
    out_.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
  }

  void write_slowly(const Json& value) {
    out_ += value.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  std::string& out_;
};

Error too_long(std::size_t bytes, const JsonLimits& limits) {
  return Error{ErrorCode::kLimitReached, "JSON of " + std::to_string(bytes) + " bytes, at most " +
                                             std::to_string(limits.bytes_max) + " are read"};
}

}  // namespace

Result<Json> parse_json(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.bytes_max) return too_long(text.size(), limits);
  if (std::optional<Json> quick = QuickReader(text, limits).read()) return *std::move(quick);
  DomBuilder builder(text, limits);
  const bool parsed =
      Json::sax_parse(text.begin(), text.end(), &builder, Json::input_format_t::json,
                      /*strict=*/true, /*ignore_comments=*/limits.comments);
  Result<Json> result = builder.finish(parsed);
  if (parsed || !builder.failed_at()) return result;
  const Error& error = result.error();
  return Error{error.code, error.message + " at " + describe(*builder.failed_at())};
}

Result<Json> parse_json(std::string_view text, const JsonLimits& limits, Position& failed_at) {
  failed_at = Position{};
  if (text.size() > limits.bytes_max) return too_long(text.size(), limits);
  DomBuilder builder(text, limits);
  const char* read = text.data();
  const bool parsed = Json::sax_parse(CountingIterator(text.data(), read),
                                      CountingIterator(text.data() + text.size(), read), &builder,
                                      Json::input_format_t::json, /*strict=*/true,
                                      /*ignore_comments=*/limits.comments);
  const auto offset = static_cast<std::size_t>(read - text.data());
  failed_at = builder.failed_at().value_or(position_of(text, offset));
  return builder.finish(parsed);
}

std::string dump_json(const Json& value) {
  std::string text;
  append_json(text, value);
  return text;
}

void append_json(std::string& out, const Json& value) { Writer(out).write(value); }

std::string pretty_json(const Json& value) {
  return value.dump(2, ' ', false, Json::error_handler_t::replace);
}

const Json* find(const Json& object, std::string_view key) {
  const auto* const members = object.get_ptr<const Json::object_t*>();
  if (members == nullptr) return nullptr;
  const auto found = members->find(key);
  return found == members->end() ? nullptr : &found->second;
}

const Json* at_pointer(const Json& root, std::string_view pointer) {
  const Json* here = &root;
  while (!pointer.empty()) {
    if (pointer.front() != '/') return nullptr;
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    std::string token;
    for (std::size_t i = 0; i < end; ++i) {
      if (pointer[i] != '~') {
        token += pointer[i];
      } else {
        if (i + 1 == end || (pointer[i + 1] != '0' && pointer[i + 1] != '1')) return nullptr;
        token += pointer[++i] == '0' ? '~' : '/';
      }
    }
    pointer.remove_prefix(end);
    if (const auto* const items = here->get_ptr<const Json::array_t*>()) {
      const bool digits = !token.empty() && token.size() < 10 &&
                          token.find_first_not_of("0123456789") == std::string::npos &&
                          (token == "0" || token[0] != '0');
      const std::size_t index = digits ? std::stoul(token) : items->size();
      if (index >= items->size()) return nullptr;
      here = &(*items)[index];
    } else {
      here = find(*here, token);
      if (here == nullptr) return nullptr;
    }
  }
  return here;
}

std::string pointer_token(std::string_view key) {
  std::string token;
  for (const char c : key) {
    if (c == '~') {
      token += "~0";
    } else if (c == '/') {
      token += "~1";
    } else {
      token += c;
    }
  }
  return token;
}

std::string string_or(const Json& object, std::string_view key, std::string_view fallback) {
  const Json* const member = find(object, key);
  const auto* const text = member ? member->get_ptr<const std::string*>() : nullptr;
  return text ? *text : std::string(fallback);
}

std::int64_t int_or(const Json& object, std::string_view key, std::int64_t fallback) {
  return find_int(object, key).value_or(fallback);
}

bool bool_or(const Json& object, std::string_view key, bool fallback) {
  const Json* const member = find(object, key);
  const auto* const flag = member ? member->get_ptr<const bool*>() : nullptr;
  return flag ? *flag : fallback;
}

std::optional<std::string> find_string(const Json& object, std::string_view key) {
  const Json* const member = find(object, key);
  const auto* const text = member ? member->get_ptr<const std::string*>() : nullptr;
  return text ? std::optional<std::string>(*text) : std::nullopt;
}

std::optional<std::int64_t> find_int(const Json& object, std::string_view key) {
  const Json* const member = find(object, key);
  return member ? as_int(*member) : std::nullopt;
}

std::optional<std::int64_t> as_int(const Json& value) {
  if (value.is_number_unsigned()) {
    const auto number = *value.get_ptr<const Json::number_unsigned_t*>();
    if (number > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
    return static_cast<std::int64_t>(number);
  }
  if (value.is_number_integer()) return *value.get_ptr<const Json::number_integer_t*>();
  if (value.is_number_float()) {
    const double number = *value.get_ptr<const double*>();
    if (!(number >= -9.2e18 && number <= 9.2e18)) return std::nullopt;
    const auto whole = static_cast<std::int64_t>(number);
    if (static_cast<double>(whole) == number) return whole;
  }
  return std::nullopt;
}

std::string_view type_name(const Json& value) {
  switch (value.type()) {
    case Json::value_t::null:
      return "null";
    case Json::value_t::object:
      return "an object";
    case Json::value_t::array:
      return "an array";
    case Json::value_t::string:
      return "a string";
    case Json::value_t::boolean:
      return "a boolean";
    default:
      return "a number";
  }
}

}  // namespace plumbline
