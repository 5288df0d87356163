// Carriage is how the mirror carries what it answers, within what HTTP, JSON and event streams
// allow.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/json/json.h"

namespace plumbline::conformance {

struct Carriage {
  enum class Text {
    kPlain,
    kIndented,  // JSON over several lines; of an event, data in several lines.
    kNamed,     // "event: message".
    kTight,     // No blank behind the colons.
    kCr,        // Lines end in CR.
    kBom,       // A byte order mark at the beginning.
    kComments,  // Comments and empty lines before.
    kIds,       // An id and a time to come back after.
    kUnknown,   // A field that is not known.
    kOther,     // An event of another name before.
  };

  const char* what = "";
  std::string_view json_type = "application/json";
  std::string_view stream_type = "text/event-stream";
  bool streams = false;  // Every answer is a stream.
  Text text = Text::kPlain;
  bool sessions = true;  // initialize names a session.
  bool pieces = false;   // An event is written in two pieces, a moment apart.
  bool strange = false;  // Allowed, and so rare that nobody is blamed for it.
};

// carried returns the events that say one message.
std::string carried(const Json& message, Carriage::Text text);

// first_piece returns how much of some events is written first: up to within a letter of several
// bytes, else half.
std::size_t first_piece(std::string_view events);

}  // namespace plumbline::conformance
