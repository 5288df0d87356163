// What many deviations read and say.

#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

// read returns the message of a frame, null when it is none.
inline Json read(const std::string& text) {
  Result<Json> message = parse_json(text);
  return message.ok() ? std::move(message).value() : Json();
}

// answer gives the judge a result, refuse an error, for the request of this id.
inline void answer(Interceptor& interceptor, const Json& id, Json result) {
  Json message(Json::value_t::object);
  message["jsonrpc"] = "2.0";
  message["id"] = id;
  message["result"] = std::move(result);
  interceptor.say(message);
}

inline void refuse(Interceptor& interceptor, const Json& id, std::int64_t code) {
  Json message(Json::value_t::object);
  message["jsonrpc"] = "2.0";
  message["id"] = id;
  message["error"]["code"] = code;
  message["error"]["message"] = "Refused";
  interceptor.say(message);
}

// value_at returns what stands at `pointer` of a message, null when nothing does.
inline Json value_at(const Json& message, const char* pointer) {
  const Json* const found = at_pointer(message, pointer);
  return found == nullptr ? Json() : *found;
}

inline Json id_of(const Json& message) { return value_at(message, "/id"); }
inline std::string method_of(const Json& message) { return string_or(message, "method", ""); }

}  // namespace plumbline::conformance
