#include "conformance/checks/server/features/reasons.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "conformance/checks/server/shapes.h"

namespace plumbline::conformance {

namespace {

// What operating systems and HTTP libraries call a network that cannot be reached.
constexpr std::array<std::string_view, 18> kOutOfReach = {"EAI_AGAIN",
                                                          "EAI_FAIL",
                                                          "ENOTFOUND",
                                                          "ECONNREFUSED",
                                                          "ECONNRESET",
                                                          "ETIMEDOUT",
                                                          "ENETUNREACH",
                                                          "EHOSTUNREACH",
                                                          "getaddrinfo",
                                                          "fetch failed",
                                                          "socket hang up",
                                                          "no such host",
                                                          "dial tcp",
                                                          "connection refused",
                                                          "Network is unreachable",
                                                          "network error",
                                                          "Name or service not known",
                                                          "Temporary failure in name resolution"};

// What stands in refusals that are for the user to mend, or for later.
constexpr auto kForUsers = std::to_array<std::string_view>(
    {"auth",     "access token", "bearer",  "credential", "api key",     "api_key", "apikey",
     "api-key",  "login",        "log in",  "logged in",  "permission",  "denied",  "forbidden",
     "licen",    "subscription", "quota",   "limit",      "too many",    "busy",    "again",
     "overload", "maintenance",  "already", "configur",   "environment", "not set"});

}  // namespace

bool is_for_users(std::string_view error) { return mentions_any(error, kForUsers); }

std::string text_of_failure(const Reply& reply) {
  if (const Json* const error = reply.error()) {
    const Json* const data = find(*error, "data");
    return string_or(*error, "message", "an error without a message") +
           (data == nullptr ? "" : " " + dump_json(*data));
  }
  const Json* const result = reply.result();
  if (result == nullptr || !bool_or(*result, "isError", false)) return {};
  std::string text;
  if (const Json* const content = find(*result, "content"); content && content->is_array()) {
    for (const Json& block : *content) text += string_or(block, "text", "") + " ";
  }
  return text.empty() ? "a failure without a word" : text;
}

std::string other_reason(const Reply& reply, const std::string& tool,
                         const std::vector<Call>& calls) {
  const std::string text = text_of_failure(reply);
  if (text.empty()) return {};
  for (const std::string_view sign : kOutOfReach) {
    if (mentions(text, sign)) return shortened(text);
  }
  const bool same = std::ranges::any_of(calls, [&](const Call& call) {
    return call.method == "tools/call" && string_or(call.params, "name", "") == tool &&
           text_of_failure(call.reply) == text;
  });
  return same ? shortened(text) : std::string();
}

bool is_failure(const Json& result) { return bool_or(result, "isError", false); }

const Json* content_of(const Json& result) {
  const Json* const content = find(result, "content");
  return content != nullptr && content->is_array() ? content : nullptr;
}

std::string text_in(const Json& result) {
  const Json* const content = content_of(result);
  if (content == nullptr || content->empty()) return {};
  return string_or(content->front(), "text", "");
}

}  // namespace plumbline::conformance
