#include "conformance/fuzz/session_maker.h"

#include <algorithm>
#include <utility>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/fuzz/twist.h"
#include "conformance/peer/session.h"

namespace plumbline::conformance {

namespace {

std::size_t place_in(std::size_t size, Rng& rng) {
  return static_cast<std::size_t>(rng.below(size));
}

constexpr std::size_t kSessionStepsMax = 10;
constexpr std::size_t kOfAKindMax = 12;  // Tools, resources and prompts that are used.

std::string id_text(std::uint64_t number, std::size_t place) {
  return "f" + std::to_string(number) + "-" + std::to_string(place);
}

// Ids of both types, each given out once.
Json new_id(Rng& rng, std::uint64_t number, std::size_t place) {
  if (rng.chance(1, 2)) return id_text(number, place);
  return 1'000'000 + number * 100 + place;
}

}  // namespace

SessionMaker::SessionMaker(const Survey& survey, const ProbeOptions& options, bool http,
                           Budget& budget)
    : revision_(survey.revision), stateless_(is_stateless(survey.revision)), http_(http) {
  if (stateless_) {
    meta_[kMetaVersion] = revision_;
    meta_[kMetaCapabilities] = Json::object();
    meta_[kMetaClientInfo] = {{"name", "plumbline"}, {"version", "1"}};
  }
  asked_.push_back({stateless_ ? "server/discover" : "ping"});
  add_tools(survey, options, budget);
  add_rest(survey);
  for (std::size_t i = 0; i < asked_.size(); ++i) quick_.push_back(i);
  told_.push_back({"notifications/initialized"});
  told_.push_back({"notifications/roots/list_changed"});
  told_.push_back({"notifications/cancelled", {{"requestId", "nobody-asked"}}});
  told_.push_back({"notifications/progress", {{"progressToken", "none"}, {"progress", 1}}});
}

void SessionMaker::add_tools(const Survey& survey, const ProbeOptions& options, Budget& budget) {
  if (!survey.declares("/tools")) return;
  asked_.push_back({"tools/list"});
  asked_.push_back(
      {"tools/call", {{"name", "plumbline-unknown-tool"}, {"arguments", Json::object()}}});
  std::size_t used = 0;
  for (const Json& tool : survey.tools.items) {
    if (!may_call_tool(tool, options)) continue;
    asked_.push_back({"tools/call", call_params(tool, options.hints, budget)});
    if (++used == kOfAKindMax) break;
  }
}

void SessionMaker::add_rest(const Survey& survey) {
  if (survey.declares("/resources")) {
    asked_.push_back({"resources/list"});
    asked_.push_back({"resources/templates/list"});
    asked_.push_back({"resources/read", {{"uri", "plumbline://no-such-resource"}}});
    for (std::size_t i = 0; i < std::min(survey.resources.items.size(), kOfAKindMax); ++i) {
      const std::string uri = string_or(survey.resources.items[i], "uri", "");
      asked_.push_back({"resources/read", {{"uri", uri}}});
      if (survey.declares("/resources/subscribe") && !stateless_ && i < 2) {
        asked_.push_back({"resources/subscribe", {{"uri", uri}}});
        asked_.push_back({"resources/unsubscribe", {{"uri", uri}}});
      }
    }
  }
  if (survey.declares("/prompts")) {
    asked_.push_back({"prompts/list"});
    asked_.push_back({"prompts/get", {{"name", "plumbline-unknown-prompt"}}});
    for (std::size_t i = 0; i < std::min(survey.prompts.items.size(), kOfAKindMax); ++i) {
      const Json& prompt = survey.prompts.items[i];
      Json params = {{"name", string_or(prompt, "name", "")}};
      if (const Json* const arguments = find(prompt, "arguments")) {
        for (const Json& argument : *arguments) {
          params["arguments"][string_or(argument, "name", "x")] = "a";
        }
      }
      asked_.push_back({"prompts/get", std::move(params)});
    }
  }
  if (survey.declares("/completions")) {
    asked_.push_back({"completion/complete",
                      {{"ref", {{"type", "ref/prompt"}, {"name", "x"}}},
                       {"argument", {{"name", "a"}, {"value", "b"}}}}});
  }
  if (survey.declares("/logging") && !stateless_) {
    asked_.push_back({"logging/setLevel", {{"level", "error"}}});
  }
}

Json SessionMaker::message_of(const AskedOf& asked, Json id) const {
  Json message = Json::object();
  message["jsonrpc"] = "2.0";
  if (!id.is_null()) message["id"] = std::move(id);
  message["method"] = asked.method;
  Json params = asked.params;
  if (!meta_.is_null() && params.is_object() && !params.contains("_meta")) params["_meta"] = meta_;
  if (!params.empty()) message["params"] = std::move(params);
  return message;
}

const AskedOf& SessionMaker::some_request(Rng& rng) const {
  const bool any = quick_.empty() || rng.chance(1, 40);
  return asked_[any ? place_in(asked_.size(), rng) : quick_[place_in(quick_.size(), rng)]];
}

AskedOf SessionMaker::varied(AskedOf asked, Rng& rng) const {
  if (asked.method.ends_with("/list") && rng.chance(1, 6)) asked.params["cursor"] = odd_value(rng);
  if (asked.method == "tools/call" && rng.chance(1, 6)) {
    asked.params["_meta"] = meta_.is_null() ? Json::object() : meta_;
    asked.params["_meta"]["progressToken"] = odd_value(rng);
  }
  return asked;
}

FuzzStep SessionMaker::right_step(Rng& rng, std::uint64_t number, std::size_t place) const {
  const AskedOf& asked = some_request(rng);
  FuzzStep step;
  step.method = asked.method;
  step.id = new_id(rng, number, place);
  step.text = dump_json(message_of(asked, step.id));
  return step;
}

FuzzStep SessionMaker::odd_step(Rng& rng, std::uint64_t number, const FuzzCase& so_far) const {
  FuzzStep step;
  const std::size_t place = so_far.steps.size();
  if (!so_far.steps.empty() && rng.chance(1, 12)) {  // The same once more, id included.
    step = so_far.steps[place_in(place, rng)];
    step.twist = "again";
    step.id = nullptr;
    return step;
  }
  if (rng.chance(1, 12)) {
    const AskedOf& told = told_[place_in(told_.size(), rng)];
    step.method = told.method;
    step.twist = "unasked";
    step.text = dump_json(message_of(told, nullptr));
    return step;
  }
  if (rng.chance(1, 16)) {  // An answer to nothing.
    step.twist = "unasked";
    step.text = dump_json(
        {{"jsonrpc", "2.0"}, {"id", new_id(rng, number, place)}, {"result", odd_value(rng)}});
    return step;
  }
  const AskedOf asked = varied(some_request(rng), rng);
  Twisted odd = twist(message_of(asked, new_id(rng, number, place)), rng);
  step.method = asked.method;
  step.text = std::move(odd.text);
  step.twist = odd.twist;
  return step;
}

// grown returns a session that was worth keeping with something changed.
FuzzCase SessionMaker::grown(const FuzzCase& known, Rng& rng, std::uint64_t number) const {
  FuzzCase session;
  for (FuzzStep step : known.steps) {
    if (rng.chance(1, 8)) continue;
    // Ids that were given out are not given out again.
    if (!step.id.is_null()) {
      Result<Json> message = parse_json(step.text);
      if (!message.ok()) continue;
      step.id = new_id(rng, number, session.steps.size());
      message.value()["id"] = step.id;
      if (rng.chance(1, 3)) {
        Twisted odd = twist(std::move(message).value(), rng);
        step.text = std::move(odd.text);
        step.twist = odd.twist;
        step.id = nullptr;
      } else {
        step.text = dump_json(message.value());
      }
    }
    session.steps.push_back(std::move(step));
  }
  while (session.steps.size() < kSessionStepsMax && rng.chance(1, 2)) {
    session.steps.push_back(odd_step(rng, number, session));
  }
  if (session.steps.empty()) session.steps.push_back(odd_step(rng, number, session));
  return session;
}

// disturb breaks the order, cuts streams, and has two sessions speak at once.
void SessionMaker::disturb(FuzzCase& session, Rng& rng) const {
  if (rng.chance(1, 10)) rng.shuffle(session.steps);
  if (!http_) return;
  const bool two = rng.chance(1, 6);
  for (FuzzStep& step : session.steps) {
    step.other = two && rng.chance(1, 2);
    if (!rng.chance(1, 25)) continue;
    step.cut = true;
    step.id = nullptr;
  }
}

FuzzCase SessionMaker::make(std::uint64_t seed, std::uint64_t number,
                            const std::vector<FuzzCase>& known) const {
  Rng rng = Rng(seed).fork("session " + std::to_string(number));
  FuzzCase session;
  if (!known.empty() && rng.chance(1, 2)) {
    session = grown(known[place_in(known.size(), rng)], rng, number);
  } else {
    const std::size_t steps = 1 + place_in(kSessionStepsMax / 2, rng);
    while (session.steps.size() < steps) {
      session.steps.push_back(rng.chance(2, 5) ? right_step(rng, number, session.steps.size())
                                               : odd_step(rng, number, session));
    }
  }
  disturb(session, rng);
  return session;
}

}  // namespace plumbline::conformance
