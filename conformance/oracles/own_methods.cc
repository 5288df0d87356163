// Notifications that are of no revision and of no extension that was declared.

#include <algorithm>
#include <array>
#include <string_view>

#include "conformance/oracles/rules.h"

namespace plumbline::conformance {

namespace {

constexpr std::array<std::string_view, 11> kNotifications = {
    "notifications/cancelled",
    "notifications/initialized",
    "notifications/message",
    "notifications/progress",
    "notifications/prompts/list_changed",
    "notifications/resources/list_changed",
    "notifications/resources/updated",
    "notifications/tools/list_changed",
    "notifications/elicitation/complete",
    "notifications/roots/list_changed",
    "notifications/subscriptions/acknowledged"};

bool is_of_mcp(std::string_view method) {
  return std::ranges::find(kNotifications, method) != kNotifications.end() ||
         method.starts_with("notifications/tasks");
}

// declares_more returns whether a server says that it has something besides: that may be a
// notification.
bool declares_more(const Json* capabilities) {
  if (capabilities == nullptr) return false;
  return std::ranges::any_of(std::array{"experimental", "extensions"}, [&](const char* member) {
    const Json* const more = find(*capabilities, member);
    return more != nullptr && !more->empty();
  });
}

}  // namespace

Finding notifications_are_known(const Transcript& transcript) {
  Ruling ruling(transcript);
  each(transcript, [&](const Dialogue& dialogue, const ObservedMessage& said) {
    if (!said.is_notification()) return;
    ruling.sees();
    if (is_of_mcp(said.method) || declares_more(dialogue.server_capabilities)) return;
    ruling.breaks(said, "a notification with the method " + said.method +
                            ", which no revision has, and no extension is declared: clients on the "
                            "Python SDK, which knows a closed list, cannot read it");
  });
  return ruling.finding("it sent no notification");
}

}  // namespace plumbline::conformance
