#include "scenarios/compare/mutations.h"

#include <map>
#include <optional>
#include <utility>

#include "core/json/dump.h"
#include "fakes/faults/deviations.h"
#include "fakes/peers/bend.h"
#include "scenarios/compare/conversation.h"
#include "scenarios/record/likeness.h"

namespace plumbline::scenarios {

namespace {

constexpr std::size_t kMessageBytesMax = std::size_t{1} << 20U;

// bent returns the answer `message` to `request` as a server with this deviation gives it; nothing
// when that is no other message.
std::optional<Json> bent(fakes::Deviation deviation, const Json& request, const Json& message) {
  fakes::ServerScript script;
  script.deviations.add(deviation);
  const std::string method = string_or(request, "method", "");
  const Json* const params = find(request, "params");
  const Json* const error = find(message, "error");
  const Json* const result = find(message, "result");
  if (error == nullptr && result == nullptr) return std::nullopt;
  fakes::Answer answer{error != nullptr, error != nullptr ? *error : *result};
  fakes::bend_answer(script, method, params == nullptr ? Json::object() : *params, answer);
  Json out = message;
  out[answer.failed ? "error" : "result"] = std::move(answer.body);
  // The answer to initialize is spared, so that a conversation gets far enough to show the others.
  if (method != "initialize") fakes::bend_envelope(script.deviations, out);
  if (out == message) return std::nullopt;
  const std::string line = fakes::frame(script.deviations, method, out);
  if (line.size() > kMessageBytesMax) return std::nullopt;
  const Result<Json> read = parse_json(line);
  if (!read.ok()) return std::nullopt;
  return read.value();
}

}  // namespace

std::vector<Mutation> mutations_of(const RecordedSession& session) {
  std::vector<Mutation> out;
  std::map<std::string, const Json*> asked;  // By id.
  std::map<std::string, int> answered;       // By what was asked.
  for (std::size_t i = 0; i < session.events.size(); ++i) {
    const RecordedEvent& event = session.events[i];
    if (event.kind != RecordedEvent::Kind::kMessage) continue;
    const Json* const id = find(event.message, "id");
    if (id == nullptr) continue;
    if (event.to == Side::kServer && is_request(event.message)) {
      asked[dump_json(*id)] = &event.message;
    }
    if (event.to != Side::kClient || !is_answer(event.message)) continue;
    const auto request = asked.find(dump_json(*id));
    if (request == asked.end()) continue;
    std::string place = target_of(*request->second);
    const int times = ++answered[place];
    if (times > 1) place += "#" + std::to_string(times);
    for (const fakes::DeviationInfo& deviation : fakes::all_deviations()) {
      std::optional<Json> wrong = bent(deviation.which, *request->second, event.message);
      if (!wrong) continue;
      out.push_back({place + ":" + std::string(deviation.name), i, *std::move(wrong)});
    }
  }
  return out;
}

RecordedSession mutated(RecordedSession session, const Mutation& mutation) {
  session.events[mutation.event].message = mutation.message;
  return session;
}

}  // namespace plumbline::scenarios
