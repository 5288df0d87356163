// What the judge's client answers when a server asks something: the most obliging answer.

#pragma once

#include <functional>
#include <map>
#include <string>

#include "core/json/json.h"

namespace plumbline::conformance {

// Answerer returns the response to a server's request: an object with "result" or "error"; null: it
// is not answered.
using Answerer = std::function<Json(const Json& request)>;

// usual_answers returns who answers each method that a server may ask of a client.
std::map<std::string, Answerer, std::less<>> usual_answers();

// method_not_found returns the members of the response to any other method.
Json method_not_found();

// granted returns the result for one embedded or whole request of a server; an object without
// members for a method that there is not.
Json granted(const Json& request);

// retry_of returns the params of a call that is made again after `result` asked for input: every
// wish is granted. Spec 2026-07-28, basic/patterns/mrtr.
Json retry_of(Json params, const Json& result);

}  // namespace plumbline::conformance
