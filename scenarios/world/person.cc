#include "scenarios/world/person.h"

#include <algorithm>

#include "core/agents/agent.h"

namespace plumbline::scenarios {

Json Person::answer(const Json& review) {
  const auto said = static_cast<std::size_t>(asked_++);
  Json detail = Json::object();
  const std::string server = string_or(review, "server", "");
  const std::string name = string_or(review, "name", "");
  Json reply = said < approve_.answers.size() ? approve_.answers[said]
                                              : agents::approval(approves(server, name));
  detail["id"] = string_or(review, "approval_id", "");
  detail["approved"] = bool_or(reply, "approve", false);
  detail["server"] = server;
  detail["name"] = name;
  events_.on_event(TraceEvent{loop_.now(), EventKind::kApproval, name_, detail});
  return reply;
}

bool Person::approves(const std::string& server, const std::string& name) {
  if (approve_.all) return true;
  for (const std::string& given : approve_.names) {
    if (given != name && given != server + '/' + name) continue;
    if (std::ranges::count(used_, given) >= std::ranges::count(approve_.names, given)) continue;
    used_.push_back(given);
    return true;
  }
  return false;
}

}  // namespace plumbline::scenarios
