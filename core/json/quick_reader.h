// QuickReader reads plain JSON, as nearly all messages are: ASCII, numbers that are whole and not
// large. Whatever else there is, it leaves to the library, wrong text included.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/json/json_limits.h"
#include "core/json/value.h"

namespace plumbline {

class QuickReader {
 public:
  // `text` and `limits` must outlive the object.
  QuickReader(std::string_view text, const JsonLimits& limits) : text_(text), limits_(limits) {}

  // read returns what the library would read; nothing: it may know more.
  std::optional<Json> read();

 private:
  // Each of these returns whether it went well, and reads from at_ on.
  bool value(Json& into, std::size_t depth_left);
  bool object(Json& into, std::size_t depth_left);
  bool array(Json& into, std::size_t depth_left);
  bool string(std::string& into);
  bool escape(std::string& into);
  bool number(Json& into);
  bool word(std::string_view expected);

  void skip_space();
  bool skip(char expected);  // Behind space.
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  std::string_view text_;
  const JsonLimits& limits_;
  std::size_t at_ = 0;
};

}  // namespace plumbline
