#include "core/json/dump.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <string_view>
#include <utility>

#include "core/json/plain_bytes.h"

namespace plumbline {

namespace {

// Writer appends JSON text. It writes what the library's dump() would, without asking for the
// locale, an output adapter and a buffer for each value; what is rare it leaves to the library.
class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer() { flush(); }

  void write(const Json& value) {
    switch (value.type()) {
      case Json::value_t::object:
        return write_object(*value.get_ptr<const Json::object_t*>());
      case Json::value_t::array:
        return write_array(*value.get_ptr<const Json::array_t*>());
      case Json::value_t::string:
        return write_string(*value.get_ptr<const std::string*>());
      case Json::value_t::boolean:
        return put(*value.get_ptr<const bool*>() ? std::string_view("true") : "false");
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
      put(before);
      write_string(name);
      put(':');
      write(value);
      before = ',';
    }
    if (members.empty()) put('{');
    put('}');
  }

  void write_array(const Json::array_t& items) {
    char before = '[';
    for (const Json& item : items) {
      put(before);
      write(item);
      before = ',';
    }
    if (items.empty()) put('[');
    put(']');
  }

  void write_string(const std::string& text) {
    if (text.size() + 2 > buffer_.size() - used_) flush();
    if (text.size() + 2 > buffer_.size()) return write_escaped(text);
    char* at = buffer_.data() + used_;
    *at++ = '"';
    for (const char c : text) {
      if (!is_plain(c)) return write_escaped(text);
      *at++ = c;
    }
    *at++ = '"';
    used_ = static_cast<std::size_t>(at - buffer_.data());
  }

  // write_escaped writes any text.
  void write_escaped(const std::string& text) {
    const auto ascii = [](unsigned char c) { return c < 0x80; };
    if (!std::ranges::all_of(text, ascii)) return write_slowly(Json(text));
    put('"');
    const std::string_view all = text;
    std::size_t from = 0;
    for (std::size_t at = 0; at < all.size(); ++at) {
      if (is_plain(all[at])) continue;
      put(all.substr(from, at - from));
      write_escape(all[at]);
      from = at + 1;
    }
    put(all.substr(from));
    put('"');
  }

  void write_escape(char c) {
    constexpr std::string_view kShort = "\"\\\b\f\n\r\t";
    constexpr std::string_view kLetters = "\"\\bfnrt";
    const std::size_t known = kShort.find(c);
    if (known == std::string_view::npos) return write_code(static_cast<unsigned>(c));
    put('\\');
    put(kLetters[known]);
  }

  void write_code(unsigned c) {
    put("\\u00");
    put("0123456789abcdef"[c >> 4U]);
    put("0123456789abcdef"[c & 15U]);
  }

  template <typename Number>
  void write_number(Number number) {
    std::array<char, 20> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    put(std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
  }

  void write_slowly(const Json& value) {
    put(value.dump(-1, ' ', false, Json::error_handler_t::replace));
  }

  void put(char c) {
    if (used_ == buffer_.size()) flush();
    buffer_[used_++] = c;
  }

  void put(std::string_view text) {
    if (text.size() > buffer_.size() - used_) flush();
    if (text.size() > buffer_.size()) {
      out_ += text;
      return;
    }
    text.copy(buffer_.data() + used_, text.size());
    used_ += text.size();
  }

  void flush() { out_.append(buffer_.data(), std::exchange(used_, 0)); }

  std::string& out_;
  std::array<char, 512> buffer_{};  // Of short texts most is append()'s asking for room.
  std::size_t used_ = 0;
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
