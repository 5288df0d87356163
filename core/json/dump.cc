#include "core/json/dump.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <string_view>

namespace plumbline {

namespace {

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

}  // namespace

std::string dump_json(const Json& value) {
  std::string text;
  append_json(text, value);
  return text;
}

void append_json(std::string& out, const Json& value) { Writer(out).write(value); }

std::string pretty_json(const Json& value) {
  return value.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace plumbline
