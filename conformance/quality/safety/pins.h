// Pins keep what a server listed when somebody reviewed it: a file that is committed and reviewed,
// as a lock file is. What differs later is told, word by word.
//
//   {"pins": 1, "servers": {"files": {"sha256": "...", "instructions": "...",
//                                     "tools": {"read": {...}}, "prompts": {...}, ...}}}

#pragma once

#include <string>
#include <string_view>

#include "conformance/quality/checks.h"
#include "conformance/quality/offer.h"
#include "core/base/result.h"

namespace plumbline::conformance {

class Pins {
 public:
  Pins() = default;

  // read reads a file of pins. kInvalidInput: one line that says what is wrong with it.
  static Result<Pins> read(std::string_view text);

  // has returns whether there is anything of the server of this name; "" is that of a file of one.
  bool has(std::string_view server) const { return servers_.contains(server); }

  // pin keeps what `offer` has, in place of what was kept of the server.
  void pin(const std::string& server, const ServerOffer& offer);

  // compare notes what differs in `offer` from what was kept, under security.pin-changed.
  void compare(std::string_view server, const ServerOffer& offer, Notes& notes) const;

  std::string text() const;

 private:
  Json servers_ = Json(Json::value_t::object);
};

// word_changes returns how `now` differs from `then`: "read [-a-] {+any+} file".
std::string word_changes(std::string_view then, std::string_view now);

}  // namespace plumbline::conformance
