#include "scenarios/world/person.h"

#include <algorithm>

namespace plumbline::scenarios {

bool Person::decide(const Json& review) {
  ++asked_;
  Json detail = Json::object();
  const std::string server = string_or(review, "server", "");
  const std::string name = string_or(review, "name", "");
  const bool approved = approves(server, name);
  detail["id"] = string_or(review, "approval_id", "");
  detail["approved"] = approved;
  detail["server"] = server;
  detail["name"] = name;
  events_.on_event(TraceEvent{loop_.now(), EventKind::kApproval, name_, detail});
  return approved;
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
