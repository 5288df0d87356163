// Answer is what a scripted server answers to one request.

#pragma once

#include <string_view>

#include "core/json/json.h"

namespace plumbline::fakes {

// kInvalidParams is the error code of JSON-RPC for them.
inline constexpr int kInvalidParams = -32602;

// Answer is the body of a response: its result, or its error object.
struct Answer {
  bool failed = false;
  Json body;
};

Answer make_error(int code, std::string_view message, Json data = nullptr);

}  // namespace plumbline::fakes
