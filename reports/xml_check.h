// A reader of XML that only says whether a document is well formed. For tests: it shares no code
// with the writer.

#pragma once

#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::reports {

class XmlCheck {
 public:
  explicit XmlCheck(std::string_view text) : text_(text) {}

  // error returns what is wrong first, empty when the document is well formed.
  std::string error() {
    if (accept("<?xml ")) skip_past("?>");
    skip_space();
    while (problem_.empty() && (open_.empty() ? roots_ == 0 : true)) {
      if (at_ >= text_.size()) return "ends inside " + (open_.empty() ? "nothing" : open_.back());
      text_[at_] == '<' ? tag() : character(false);
    }
    skip_space();
    if (problem_.empty() && at_ != text_.size()) problem_ = "text after the root";
    return problem_;
  }

 private:
  bool accept(std::string_view token) {
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }

  void skip_past(std::string_view token) {
    const std::size_t end = text_.find(token, at_);
    at_ = end == std::string_view::npos ? text_.size() : end + token.size();
  }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }

  void fail(const std::string& what) {
    if (problem_.empty()) problem_ = what + " at byte " + std::to_string(at_);
  }

  std::string name() {
    std::string out;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '-')) {
      out += text_[at_++];
    }
    if (out.empty()) fail("no name");
    return out;
  }

  void tag() {
    ++at_;
    if (accept("/")) {
      const std::string closed = name();
      if (open_.empty() || open_.back() != closed) return fail("unexpected </" + closed);
      open_.pop_back();
      if (!accept(">")) fail("no > after </" + closed);
      return;
    }
    if (open_.empty()) ++roots_;
    const std::string opened = name();
    std::vector<std::string> seen;
    while (problem_.empty() && accept(" ")) attribute(seen);
    if (accept("/>")) return;
    if (!accept(">")) return fail("no > after <" + opened);
    open_.push_back(opened);
  }

  void attribute(std::vector<std::string>& seen) {
    const std::string key = name();
    for (const std::string& other : seen) {
      if (other == key) fail("attribute twice");
    }
    seen.push_back(key);
    if (!accept("=\"")) return fail("no =\" after " + key);
    while (problem_.empty() && !accept("\"")) {
      if (at_ >= text_.size()) return fail("ends in an attribute");
      character(true);
    }
  }

  // character reads one character or reference of an element or attribute.
  void character(bool in_attribute) {
    const auto c = static_cast<unsigned char>(text_[at_]);
    if (c == '&') {
      for (const char* reference : {"&amp;", "&lt;", "&gt;", "&quot;", "&#10;"}) {
        if (accept(reference)) return;
      }
      return fail("unknown reference");
    }
    const bool space = c == '\n';
    if (c == '<' || (c < 0x20 && (!space || in_attribute))) return fail("forbidden character");
    if (text_.substr(at_, 3) == "]]>") return fail("]]>");
    ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t roots_ = 0;
  std::vector<std::string> open_;
  std::string problem_;
};

}  // namespace plumbline::reports
