#include "core/agents/agent.h"

#include <utility>

namespace plumbline::agents {

Task<Outcome> ask(Session& session, Request request, Reviewer reviewer,
                  std::optional<Place> place) {
  Outcome outcome = co_await session.start(std::move(request), std::move(place));
  while (outcome.review) {
    const bool approved = reviewer && reviewer(*outcome.review);
    outcome = co_await session.resume(approved);
  }
  co_return outcome;
}

}  // namespace plumbline::agents
