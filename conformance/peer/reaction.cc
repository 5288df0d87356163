// What came of something that was sent without waiting for one answer.

#include <algorithm>
#include <string>

#include "conformance/catalogue/outcomes.h"
#include "conformance/peer/client.h"
#include "core/base/text.h"

namespace plumbline::conformance {

const Json* Reaction::response() const {
  for (const Json& message : messages) {
    if (is_response(message)) return &message;
  }
  return nullptr;
}

const Json* Reaction::error() const {
  for (const Json& message : messages) {
    if (is_response(message) && message.contains("error")) return &message;
  }
  return nullptr;
}

std::string Reaction::describe() const {
  if (unanswered > Duration{}) {
    return "no answer within " + std::to_string(milliseconds_of(unanswered)) + " ms";
  }
  std::string text;
  if (status != 0) text = "status " + std::to_string(status) + " and ";
  if (messages.empty() && garbage.empty()) return text + (alive ? "no message" : "no sign of life");
  if (messages.empty()) return text + "what is no JSON: " + garbage.front();
  // What the server says of itself has nothing to do with it.
  const auto own = [](const Json& message) { return find(message, "method") != nullptr; };
  if (std::ranges::all_of(messages, own)) return text + "no response";
  const Json& first =
      response() == nullptr ? *std::ranges::find_if_not(messages, own) : *response();
  if (const Json* const wrong = find(first, "error")) {
    const Json* const code = find(*wrong, "code");
    return text + "error " + (code == nullptr ? "without a code" : clipped(dump_json(*code)));
  }
  if (find(first, "result")) return text + "a result";
  return text + clipped(string_or(first, "method", "a message"));
}

std::string Reaction::outcome() const {
  if (!alive) return std::string(outcome::kEnded);
  if (const Json* const wrong = error()) return outcome::of_error((*wrong)["error"]);
  if (const Json* const right = response()) {
    return std::string(outcome::of_result((*right)["result"]));
  }
  const auto is_array = [](const Json& message) { return message.is_array(); };
  if (std::ranges::any_of(messages, is_array)) return std::string(outcome::kArray);
  return status != 0 ? outcome::of_status(status) : std::string(outcome::kNoResponse);
}

}  // namespace plumbline::conformance
