#include "scenarios/compare/conversation.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "scenarios/record/likeness.h"

namespace plumbline::scenarios {

Conversation conversation_of(const RecordedSession& session) {
  Conversation conversation;
  // By the id of the request, as text. Clients without sessions may use one at a time.
  struct Open {
    std::int64_t exchange;
    std::size_t at;
  };
  std::map<std::string, std::vector<Open>> open;
  for (const RecordedEvent& event : session.events) {
    if (event.kind != RecordedEvent::Kind::kMessage) continue;
    const Json& message = event.message;
    if (event.to == Side::kServer && is_request(message)) {
      open[dump_json(*find(message, "id"))].push_back(
          {event.exchange, conversation.exchanges.size()});
      conversation.exchanges.push_back({message});
    } else if (event.to == Side::kClient && is_answer(message)) {
      std::vector<Open>& asked = open[dump_json(*find(message, "id"))];
      auto same = std::ranges::find(asked, event.exchange, &Open::exchange);
      if (same == asked.end()) same = asked.begin();
      if (same == asked.end()) continue;
      conversation.exchanges[same->at].answer = message;
      asked.erase(same);
    } else if (event.to == Side::kClient) {
      conversation.said.push_back(message);
    }
  }
  for (const auto& [unused, all] : open) {
    for (const Open& one : all) {
      conversation.exchanges[one.at].why = "the recording has no answer";
    }
  }
  return conversation;
}

std::string target_of(const Json& request) {
  std::string target = string_or(request, "method", "");
  const Json* const params = find(request, "params");
  if (params == nullptr) return target;
  for (const char* key : {"name", "uri"}) {
    if (const auto named = find_string(*params, key)) return target + "/" + *named;
  }
  return target;
}

}  // namespace plumbline::scenarios
