#include "core/agents/agent.h"

#include <string>
#include <utility>

#include "core/base/limits.h"

namespace plumbline::agents {

Json approval(bool approved) {
  Json answer = Json::object();
  answer["approve"] = approved;
  return answer;
}

Status check_decision(const Json& answer) {
  const Json* const approve = find(answer, "approve");
  const Json* const reason = find(answer, "reason");
  const auto* const why = reason ? reason->get_ptr<const std::string*>() : nullptr;
  const std::size_t known = reason != nullptr ? 2 : 1;
  const bool decided = approve != nullptr && approve->is_boolean() && answer.size() == known;
  const bool with_reason = why != nullptr && why->size() <= limits::kReasonBytesMax;
  if (decided && (reason == nullptr || with_reason)) return Done{};
  constexpr std::size_t kShownBytesMax = 200;
  return Error{ErrorCode::kInvalidInput,
               "the answer " + dump_json(answer).substr(0, kShownBytesMax) +
                   R"( decides nothing, expected {"approve": true} or {"approve": false}, and )" +
                   R"(a "reason" of at most )" + std::to_string(limits::kReasonBytesMax) +
                   " bytes where there is one"};
}

Status check_remembering_decision(const Json& review, const Json& answer) {
  const Json* const remember = find(answer, "remember");
  if (remember == nullptr) return check_decision(answer);
  if (!bool_or(review, "remembers", false)) {
    return Error{ErrorCode::kInvalidInput, "\"remember\" is for commands on this machine"};
  }
  if (!remember->is_boolean() || !bool_or(answer, "approve", false)) {
    return Error{ErrorCode::kInvalidInput,
                 "\"remember\" is true or false, and goes with {\"approve\": true}"};
  }
  Json rest = answer;
  rest.erase("remember");
  return check_decision(rest);
}

Task<Outcome> ask(Session& session, Request request, Reviewer reviewer,
                  std::optional<Place> place) {
  Outcome outcome = co_await session.start(std::move(request), std::move(place));
  while (outcome.review) {
    Json answer = approval(false);
    if (reviewer) answer = reviewer(*outcome.review);
    outcome = co_await session.resume(std::move(answer));
  }
  co_return outcome;
}

}  // namespace plumbline::agents
