#include "core/json/locate.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "core/json/parse.h"

namespace plumbline {

namespace {

// Scanner walks over JSON that is known to be well formed.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::size_t at() const { return at_; }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void advance() { ++at_; }

  void skip_space() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        ++at_;
      } else if (text_.substr(at_, 2) == "//") {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.substr(at_, 2) == "/*") {
        const std::size_t end = text_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? text_.size() : end + 2;
      } else {
        return;
      }
    }
  }

  // string reads a quoted string and returns it with its escapes resolved.
  std::string string() {
    const std::size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_ + 1, text_.size());
    const Result<Json> parsed = parse_json(text_.substr(begin, at_ - begin));
    return parsed.ok() && parsed.value().is_string() ? *parsed.value().get_ptr<const std::string*>()
                                                     : std::string();
  }

  // skip_value passes over one value, without recursion.
  void skip_value() {
    int depth = 0;
    do {
      skip_space();
      const char c = peek();
      if (c == '\0') return;
      if (c == '"') {
        string();
      } else {
        if (c == '{' || c == '[') ++depth;
        if (c == '}' || c == ']') --depth;
        advance();
        if (std::string_view("{}[],:").find(c) == std::string_view::npos) skip_scalar();
      }
    } while (depth > 0);
  }

 private:
  void skip_scalar() {
    while (at_ < text_.size() &&
           std::string_view("{}[],: \t\r\n/\"").find(text_[at_]) == std::string_view::npos) {
      ++at_;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// enter moves the scanner to the child `token` of the value it stands at and returns where the
// child begins, or nothing when there is no such child.
bool enter(Scanner& scan, const std::string& token, std::size_t& begin) {
  const char open = scan.peek();
  if (open != '{' && open != '[') return false;
  scan.advance();
  for (std::size_t index = 0;; ++index) {
    scan.skip_space();
    const char c = scan.peek();
    if (c == '}' || c == ']' || c == '\0') return false;
    const std::size_t start = scan.at();
    std::string key = std::to_string(index);
    if (open == '{') {
      key = scan.string();
      scan.skip_space();
      scan.advance();  // The colon.
      scan.skip_space();
    }
    if (key == token) {
      begin = start;
      return true;
    }
    scan.skip_value();
    scan.skip_space();
    if (scan.peek() == ',') scan.advance();
  }
}

std::string unescape(std::string_view token) {
  std::string out;
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] == '~' && i + 1 < token.size()) {
      out += token[++i] == '1' ? '/' : '~';
    } else {
      out += token[i];
    }
  }
  return out;
}

}  // namespace

Position locate(std::string_view text, std::string_view pointer) {
  Scanner scan(text);
  scan.skip_space();
  std::size_t begin = scan.at();
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    if (!enter(scan, unescape(pointer.substr(0, end)), begin)) break;
    pointer.remove_prefix(end);
  }
  return position_of(text, begin);
}

}  // namespace plumbline
