// Utf8Check tells whether text that arrives in pieces is UTF-8 (RFC 3629): no overlong forms, no
// surrogates, nothing above U+10FFFF.

#pragma once

#include <string_view>

namespace plumbline::wire {

class Utf8Check {
 public:
  // feed returns whether everything fed so far can begin a text in UTF-8. Once false, always false.
  bool feed(std::string_view bytes);

  // whole returns whether it also ends between two characters.
  bool whole() const { return left_ == 0 && !failed_; }

 private:
  bool take(unsigned char byte);

  int left_ = 0;           // Bytes to come of the character that has begun.
  unsigned char low_ = 0;  // What the next of them may be.
  unsigned char high_ = 0;
  bool failed_ = false;
};

// is_utf8 tells the same of a whole text.
bool is_utf8(std::string_view text);

}  // namespace plumbline::wire
