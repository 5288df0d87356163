// Offer is what the server that the judge plays has: the good answers to everything a client may
// ask, unless a Script says otherwise.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.h"

namespace plumbline::conformance {

struct Offer {
  std::vector<Json> tools;
  std::vector<Json> resources;
  std::vector<Json> templates;
  std::vector<Json> prompts;
  Json capabilities = Json::object();  // Of the server.
  std::int64_t ttl_ms = 0;             // Of everything that can be cached, in a stateless revision.
};

// Answer is a result or an error.
struct Answer {
  Json result;  // Null: it is an error.
  std::int64_t code = 0;
  std::string message;
  Json data;
};

// plain_tool returns a tool that takes two numbers, a and b, and may be called with none.
Json plain_tool(std::string name);

// bare_tool returns one without parameters.
Json bare_tool(std::string name);

// text_result returns what a tool gives back.
Json text_result(std::string text);

// usual_answer returns what a good server of `revision` answers to `request`.
Answer usual_answer(const Offer& offer, std::string_view revision, const Json& request);

// completed makes `result` one of `revision`: a stateless one says that it is complete, and how
// long it stays fresh where `method` can be cached.
Json completed(Json result, std::string_view revision, std::string_view method,
               std::int64_t ttl_ms);

}  // namespace plumbline::conformance
