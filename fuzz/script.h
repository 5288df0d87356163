// A session of an engine as fuzz targets read it: a line a step, most of them one word and what
// belongs to it. Any bytes are a script, and scripts are easy to read and to write.

#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/base/check.h"
#include "core/json/json.h"
#include "core/rpc/message.h"

namespace plumbline::fuzzing {

// take_word cuts the first word off `line`, with the blank behind it.
inline std::string_view take_word(std::string_view& line) {
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return word;
}

// take_number takes a word as a number from 0 to 999,999; what is none counts as 0.
inline std::int64_t take_number(std::string_view& line) {
  const std::string_view word = take_word(line);
  std::int64_t number = 0;
  std::from_chars(word.data(), word.data() + word.size(), number);
  return std::clamp<std::int64_t>(number, 0, 999'999);
}

// take_object takes the rest as a JSON object; what is none counts as null.
inline Json take_object(std::string_view line) {
  Result<Json> value = parse_json(line);
  return value.ok() && value.value().is_object() ? std::move(value).value() : Json();
}

// for_each_line calls `play` with each line of `script`, at most 80.
template <typename Play>
void for_each_line(std::string_view script, Play play) {
  for (int lines = 0; !script.empty() && lines < 80; ++lines) {
    const std::size_t end = std::min(script.find('\n'), script.size());
    play(script.substr(0, end));
    script.remove_prefix(std::min(end + 1, script.size()));
  }
}

// check_sent holds for whatever an engine puts on the wire: a message, or an array of messages.
inline void check_sent(const Json& sent) {
  if (sent.is_array()) {
    check(!sent.empty(), "an empty batch was sent");
    for (const Json& one : sent) check(rpc::decode(one).ok(), "what was sent is no message");
  } else {
    check(rpc::decode(sent).ok(), "what was sent is no message");
  }
}

}  // namespace plumbline::fuzzing
