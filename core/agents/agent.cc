#include "core/agents/agent.h"

#include <utility>

namespace plumbline::agents {

Json approval(bool approved) {
  Json answer = Json::object();
  answer["approve"] = approved;
  return answer;
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
