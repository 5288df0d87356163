#include "scenarios/judge/outside.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "scenarios/judge/event_text.h"

namespace plumbline::scenarios {

namespace {

using LogKind = ServerLogEntry::Kind;

constexpr const char* kLogIsFull =
    "its servers heard more than they write down, so the rest cannot be judged";
constexpr const char* kMessageIsCut =
    "a message is longer than servers write down, so what it fits cannot be judged";

std::string in_quotes(const std::string& text) { return '"' + text + '"'; }

class OutsideJudge {
 public:
  OutsideJudge(const Scenario& scenario, const AnyAgentRun& run)
      : scenario_(scenario), expect_(scenario.expect), run_(run) {
    for (const ServerLogEntry& entry : run.log) {
      full_ = full_ || entry.kind == LogKind::kFull;
      cut_ = cut_ || entry.cut;
      if (entry.kind != LogKind::kHeard || !entry.detail.is_object()) continue;
      const std::string method = string_or(entry.detail, "method", "");
      if (method.empty() || find(entry.detail, "id") == nullptr) continue;
      ++requests_[method];
      if (is_call(method)) last_call_ = &entry;
      if (method == "tools/call" || method == "prompts/get") last_with_arguments_ = &entry;
    }
  }

  OutsideFindings judge();

 private:
  // A key of "expect": how it is judged, or why it cannot be.
  struct Key {
    std::string_view name;
    void (OutsideJudge::*judge)();
    std::string_view why;
  };
  static const std::array<Key, 22> kKeys;

  void judge_key(const std::string& name);
  void break_it(std::string_view key, const std::string& saw, const std::string& expected) {
    found_.broken.push_back({"expect." + std::string(key), saw + ", expected " + expected});
  }
  void leave_open(std::string_view key, std::string_view why) {
    found_.open.push_back({"expect." + std::string(key), std::string(why)});
  }
  void hold(std::string_view key, const std::string& of, std::int64_t count, const Count& expected);

  void judge_status();
  void judge_selected();
  void judge_arguments();
  void judge_effects();
  void judge_response();
  void judge_lacks();
  void judge_requests();
  void judge_starts();
  void judge_exchanges();
  void judge_traps();
  void judge_properties();
  std::string hidden(const Property& property) const;

  const Scenario& scenario_;
  const Expect& expect_;
  const AnyAgentRun& run_;
  bool full_ = false;
  bool cut_ = false;
  std::map<std::string, std::int64_t> requests_;  // By method.
  const ServerLogEntry* last_call_ = nullptr;
  const ServerLogEntry* last_with_arguments_ = nullptr;
  OutsideFindings found_;
};

constexpr std::string_view kOfItsGraph = "which nodes ran shows in our own assistant alone";
constexpr std::string_view kOfItsState = "it is part of our own assistant's state";
constexpr std::string_view kOfVirtualTime = "the clock of the simulation does not run here";

const std::array<OutsideJudge::Key, 22> OutsideJudge::kKeys = {{
    {"status", &OutsideJudge::judge_status, ""},
    {"route", nullptr, kOfItsGraph},
    {"route_contains", nullptr, kOfItsGraph},
    {"intent", nullptr, kOfItsState},
    {"selected", &OutsideJudge::judge_selected, ""},
    {"context", nullptr, kOfItsState},
    {"arguments", &OutsideJudge::judge_arguments, ""},
    {"item_count", nullptr, kOfItsState},
    {"errors", nullptr, kOfItsState},
    {"errors_contain", nullptr, kOfItsState},
    {"fallback_contains", nullptr, kOfItsState},
    {"response_contains", &OutsideJudge::judge_response, ""},
    {"response_lacks", &OutsideJudge::judge_lacks, ""},
    {"effects", &OutsideJudge::judge_effects, ""},
    {"commands_run", nullptr, "which commands an agent runs by itself does not show"},
    {"approvals_asked", nullptr, "how a person is asked does not show on the wire"},
    {"requests", &OutsideJudge::judge_requests, ""},
    {"starts", &OutsideJudge::judge_starts, ""},
    {"exchanges", &OutsideJudge::judge_exchanges, ""},
    {"virtual_ms_max", nullptr, kOfVirtualTime},
    {"virtual_ms_min", nullptr, kOfVirtualTime},
    {"each", nullptr, "which request an answer belongs to does not show in what was printed"},
}};

OutsideFindings OutsideJudge::judge() {
  const Json* const expect = find(scenario_.document, "expect");
  if (expect != nullptr && expect->is_object()) {
    for (const auto& [name, unused] : expect->items()) judge_key(name);
  }
  judge_traps();
  judge_properties();
  return std::move(found_);
}

void OutsideJudge::judge_key(const std::string& name) {
  const auto key = std::ranges::find(kKeys, name, &Key::name);
  if (key == kKeys.end()) return leave_open(name, "nothing here judges it");
  if (key->judge == nullptr) return leave_open(name, key->why);
  (this->*key->judge)();
}

// The words of a status are our assistant's own: what shows of each is how the command ended, what
// it printed, and whether it asked a server to do anything.
void OutsideJudge::judge_status() {
  if (!expect_.status || !run_.late.empty() || !run_.killed.empty()) return;  // See agent.ends.
  const std::string& status = *expect_.status;
  const std::string ended =
      "the command ended with exit status " + std::to_string(run_.exit_status);
  if (status == "failed") {
    if (run_.exit_status != 0) return;
    return leave_open("status", ended + ", which says neither that it failed nor that it did not");
  }
  if (status == "needs_review") {
    return leave_open("status", "how a person is asked does not show on the wire");
  }
  if (run_.exit_status != 0) return break_it("status", ended, in_quotes(status));
  if (status == "answered_without_mcp") {
    if (last_call_ == nullptr) return;
    return break_it(
        "status",
        string_or(last_call_->detail, "method", "") + " was sent to " + last_call_->server,
        in_quotes(status));
  }
  if (run_.due.empty() && expect_.response_contains.empty()) {
    leave_open("status", ended + ", and no response_contains says what an answer looks like");
  }
}

void OutsideJudge::judge_selected() {
  std::string saw;
  if (last_call_ != nullptr) {
    const Json* const params = find(last_call_->detail, "params");
    if (params != nullptr) saw = string_or(*params, "name", string_or(*params, "uri", ""));
    saw = last_call_->server + '/' + saw;
  }
  const std::string& expected = *expect_.selected;
  const bool by_uri =
      last_call_ != nullptr && string_or(last_call_->detail, "method", "") == "resources/read";
  if (saw == expected) {
    if (full_) leave_open("selected", kLogIsFull);
  } else if (saw.empty()) {
    leave_open("selected", "nothing was called, and what is chosen without a call does not show");
  } else if (by_uri && expected.starts_with(last_call_->server + '/')) {
    leave_open("selected", "a resource is read by its URI, " + in_quotes(saw) +
                               ", which does not show its name");
  } else {
    break_it("selected", in_quotes(saw), in_quotes(expected));
  }
}

void OutsideJudge::judge_arguments() {
  const Json* const sent = last_with_arguments_ == nullptr
                               ? nullptr
                               : at_pointer(last_with_arguments_->detail, "/params/arguments");
  if (full_) return leave_open("arguments", kLogIsFull);
  if (last_with_arguments_ != nullptr && last_with_arguments_->cut) {
    return leave_open("arguments", kMessageIsCut);
  }
  const Json saw = sent == nullptr ? Json() : *sent;
  if (saw != *expect_.arguments) {
    break_it("arguments", dump_json(saw), dump_json(*expect_.arguments));
  }
}

void OutsideJudge::hold(std::string_view key, const std::string& of, std::int64_t count,
                        const Count& expected) {
  if (expected.allows(count)) return;
  break_it(key, of + ' ' + std::to_string(count),
           (expected.at_most ? "at most " : "") + std::to_string(expected.number));
}

void OutsideJudge::judge_effects() {
  std::map<std::string, std::int64_t> seen;
  std::int64_t all = 0;
  for (const ServerLogEntry& entry : run_.log) {
    if (entry.kind != LogKind::kEffect) continue;
    ++seen[entry.server + '/' + string_or(entry.detail, "tool", "?")];
    ++all;
  }
  std::string of_all = "in all";
  for (const auto& [label, count] : seen) of_all += ' ' + label + " x" + std::to_string(count);
  hold("effects", of_all + ':', all, {*expect_.effects, false});
  for (const auto& [label, count] : expect_.effects_of) {
    hold("effects", label, seen[label], {count, false});
  }
}

void OutsideJudge::judge_response() {
  for (const std::string& part : expect_.response_contains) {
    if (run_.printed.find(part) != std::string::npos) continue;
    break_it("response_contains", "it printed " + in_quotes(run_.printed),
             "it to contain " + in_quotes(part));
  }
}

void OutsideJudge::judge_lacks() {
  for (const std::string& part : expect_.response_lacks) {
    if (run_.printed.find(part) == std::string::npos) continue;
    break_it("response_lacks", "it printed " + in_quotes(run_.printed),
             "it not to contain " + in_quotes(part));
  }
}

void OutsideJudge::judge_requests() {
  if (full_) return leave_open("requests", kLogIsFull);
  for (const auto& [method, count] : expect_.requests) {
    hold("requests", method, requests_[method], count);
  }
}

void OutsideJudge::judge_starts() {
  if (run_.over_sockets) {
    return leave_open("starts",
                      "over sockets a server is started before anybody connects; over stdio it "
                      "shows how often");
  }
  std::map<std::string, std::int64_t> seen;
  for (const ServerLogEntry& entry : run_.log) {
    if (entry.kind == LogKind::kStarted) ++seen[entry.server];
  }
  for (const auto& [server, count] : expect_.starts) hold("starts", server, seen[server], count);
}

void OutsideJudge::judge_exchanges() {
  std::map<std::string, std::int64_t> seen;
  for (const HttpMet& met : run_.exchanges) ++seen[met.server + ' ' + met.method];
  for (const auto& [label, count] : expect_.exchanges) hold("exchanges", label, seen[label], count);
}

// Rules of a server that nobody may come to; those before a server are agent.steps-in-no-trap.
void OutsideJudge::judge_traps() {
  for (const ServerLogEntry& entry : run_.log) {
    if (entry.kind != LogKind::kFollowed || !entry.detail.is_number_unsigned()) continue;
    const RuleSite* const rule =
        scenario_.rule_of(entry.server, entry.detail.get<std::size_t>(), false);
    if (rule == nullptr || !rule->never) continue;
    found_.broken.push_back({"expect.never", rule->label + " did something, expected it never"});
    return;
  }
}

// hidden returns why a property that was not broken may yet be; empty: it would have shown.
std::string OutsideJudge::hidden(const Property& property) const {
  if (property.kind == Property::Kind::kAlways) {
    return "final_output is part of our own assistant's state";
  }
  const auto shows = [](const EventPattern& pattern) {
    return pattern.kind == EventKind::kMessageSent || pattern.kind == EventKind::kMessageReceived ||
           pattern.kind == EventKind::kEffect || pattern.kind == EventKind::kExchange;
  };
  for (const EventPattern* const pattern :
       {&property.what, property.after ? &*property.after : &property.what}) {
    if (!shows(*pattern)) {
      return "no " + std::string(name_of(pattern->kind)) + " shows from outside";
    }
    const bool message =
        pattern->kind == EventKind::kMessageSent || pattern->kind == EventKind::kMessageReceived;
    if (message && full_) return kLogIsFull;
    if (message && cut_ && !pattern->detail.is_null()) return kMessageIsCut;
  }
  return "";
}

void OutsideJudge::judge_properties() {
  struct Happened {
    EventKind kind{};
    std::string_view who;
    const Json* detail;
  };
  std::multimap<Duration, Happened> all;
  for (const ServerLogEntry& entry : run_.log) {
    EventKind kind = EventKind::kMessageSent;
    if (entry.kind == LogKind::kSaid) kind = EventKind::kMessageReceived;
    if (entry.kind == LogKind::kEffect) kind = EventKind::kEffect;
    if (kind == EventKind::kMessageSent && entry.kind != LogKind::kHeard) continue;
    all.emplace(entry.at, Happened{kind, entry.server, &entry.detail});
  }
  for (const HttpMet& met : run_.exchanges) {
    all.emplace(met.at, Happened{EventKind::kExchange, met.server, &met.detail});
  }
  PropertyWatch watch(scenario_.properties);
  for (const auto& [at, one] : all) {
    watch.on_event({Instant(at - all.begin()->first), one.kind, one.who, *one.detail});
  }
  watch.finish();
  add_properties(
      scenario_.properties, watch.failures(),
      [this](const Property& property) { return hidden(property); }, found_);
}

}  // namespace

void add_properties(std::span<const Property> properties, const std::vector<RunFailure>& failures,
                    const std::function<std::string(const Property&)>& hidden,
                    OutsideFindings& found) {
  for (const Property& property : properties) {
    if (property.kind == Property::Kind::kSometimes) continue;  // Of a sweep's worlds, not of one.
    const std::string name = "property." + property.name;
    const std::string why = hidden(property);
    const auto failure = std::ranges::find(failures, name, &RunFailure::check);
    // What never came may have come unseen.
    const bool unseen = property.kind == Property::Kind::kEventually && !why.empty();
    if (failure != failures.end() && !unseen) {
      found.broken.push_back(*failure);
    } else if (!why.empty()) {
      found.open.push_back({name, why});
    }
  }
}

OutsideFindings judge_from_outside(const Scenario& scenario, const AnyAgentRun& run) {
  return OutsideJudge(scenario, run).judge();
}

std::vector<std::string> expected_of(const Scenario& scenario) {
  std::vector<std::string> names;
  const Json* const expect = find(scenario.document, "expect");
  if (expect != nullptr && expect->is_object()) {
    for (const auto& [name, value] : expect->items()) {
      if (name != "status" || value != "any") names.push_back("expect." + name);
    }
  }
  for (const Property& property : scenario.properties) {
    names.push_back("property." + property.name);
  }
  return names;
}

std::string not_judged_text(const std::vector<NotJudged>& open) {
  std::string text;
  for (const NotJudged& one : open) {
    text += (text.empty() ? "" : "; ") + one.what + " is not judged: " + one.why;
  }
  return text;
}

bool spoke_to_nobody(const Scenario& scenario, const AnyAgentRun& run) {
  const bool has_one = std::ranges::any_of(
      scenario.servers, [](const ServerSpec& server) { return !server.unavailable; });
  const auto met = [&run](const ServerLogEntry& entry) {
    return entry.kind == LogKind::kHeard || entry.kind == LogKind::kGarbage ||
           (!run.over_sockets && entry.kind == LogKind::kEnded);
  };
  return has_one && run.exchanges.empty() && !std::ranges::any_of(run.log, met);
}

}  // namespace plumbline::scenarios
