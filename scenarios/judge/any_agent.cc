#include "scenarios/judge/any_agent.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <set>
#include <tuple>

#include "core/json/redactor.h"
#include "scenarios/judge/conversations.h"

namespace plumbline::scenarios {

namespace {

using LogKind = ServerLogEntry::Kind;

constexpr std::string_view kAgentEnds = "agent.ends";
constexpr std::string_view kAgentAnswers = "agent.answers";
constexpr std::string_view kAgentNoEffectTwice = "agent.no-effect-twice";
constexpr std::string_view kAgentBounded = "agent.bounded";
constexpr std::string_view kAgentNoCallAfterRefusal = "agent.no-call-after-refusal";
constexpr std::string_view kAgentCancels = "agent.cancels";
constexpr std::string_view kAgentKeysStayHome = "agent.keys-stay-home";
constexpr std::string_view kAgentStepsInNoTrap = "agent.steps-in-no-trap";
constexpr std::string_view kAgentKeepsTheSpecification = "agent.keeps-the-specification";
constexpr std::string_view kAgentLeavesNothingRunning = "agent.leaves-nothing-running";

constexpr std::array<InvariantInfo, 10> kAllAgentRules = {{
    {kAgentEnds, "The command ends by itself and in time, whatever its servers do."},
    {kAgentAnswers, "The person is told what the server answered, or at least something."},
    {kAgentNoEffectTwice, "No side effect happens more often than it was asked for."},
    {kAgentBounded, "Calls, connections and requests are bounded, whatever goes wrong."},
    {kAgentNoCallAfterRefusal, "What a server has refused for want of rights is not sent again."},
    {kAgentCancels, "A request that is given up while its connection goes on is cancelled."},
    {kAgentKeysStayHome, "What one server was given or has said in confidence reaches no other."},
    {kAgentStepsInNoTrap, "Nothing is sent that the scenario says may never be sent."},
    {kAgentKeepsTheSpecification, "What the client says breaks no rule of the catalogue."},
    {kAgentLeavesNothingRunning, "No server process outlives the command that started it."},
}};

// Bounds, of each thing that was asked.
constexpr std::int64_t kSameCallsMax = 5;
constexpr std::int64_t kRoundsMax = 20;           // Of a call that needs input.
constexpr std::int64_t kAgentConnectionsMax = 6;  // To one server.
constexpr std::int64_t kRequestsMax = 100;        // To one server.
constexpr std::int64_t kExchangesMax = 150;       // Of HTTP, with one server.
constexpr std::int64_t kRefusedPostsMax = 3;
constexpr Duration kGivenUpAfter = std::chrono::seconds(1);

// Talk is one connection of a client with one server.
using Talk = std::tuple<std::string, std::int64_t, std::int64_t>;
Talk talk_of(const ServerLogEntry& entry) {
  return {entry.server, entry.process, entry.connection};
}

bool is_request(const ServerLogEntry& entry) {
  return entry.kind == LogKind::kHeard && entry.detail.is_object() &&
         find(entry.detail, "method") != nullptr && find(entry.detail, "id") != nullptr;
}

std::string method_of(const ServerLogEntry& entry) { return string_or(entry.detail, "method", ""); }

// call_of names a call by its server, method and parameters but for _meta.
std::string call_of(const ServerLogEntry& entry) {
  Json params = Json::object();
  if (const Json* const given = find(entry.detail, "params")) params = *given;
  if (params.is_object()) params.erase("_meta");
  return method_of(entry) + " of " + entry.server + " " + dump_json(params);
}

// Judge finds what is wrong with one run.
class AnyAgentJudge {
 public:
  AnyAgentJudge(const Scenario& scenario, const AnyAgentRun& run)
      : scenario_(scenario), run_(run) {}

  std::vector<AgentFinding> judge() {
    check_end();
    check_answers();
    check_effects();
    check_bounds();
    check_refusals();
    check_cancellations();
    check_keys();
    check_traps();
    check_conversations();
    for (const std::string& server : run_.left_running) {
      find_wrong(kAgentLeavesNothingRunning,
                 "a process of " + server + " still ran after the command", true);
    }
    return std::move(findings_);
  }

 private:
  void find_wrong(std::string_view check, std::string message, bool should = false) {
    const auto same = [&](const AgentFinding& one) { return one.check == check; };
    if (std::ranges::any_of(findings_, same)) return;
    findings_.push_back({std::string(check), std::move(message), should});
  }

  std::int64_t bound(std::int64_t each) const { return each * run_.asked; }

  void check_end() {
    if (!run_.late.empty()) find_wrong(kAgentEnds, run_.late);
    if (!run_.killed.empty()) find_wrong(kAgentEnds, "ended by " + run_.killed);
  }

  void check_answers() {
    if (!run_.late.empty()) return;
    if (run_.printed.find_first_not_of(" \t\r\n") == std::string::npos) {
      return find_wrong(kAgentAnswers,
                        "nothing was printed, expected an answer or what went wrong");
    }
    for (const std::string& due : run_.due) {
      if (run_.printed.find(due) == std::string::npos) {
        find_wrong(kAgentAnswers,
                   "the answer lacks " + dump_json(Json(due)) + ", which a server said");
      }
    }
  }

  void check_effects() {
    std::map<std::string, std::int64_t> counts;
    for (const ServerLogEntry& entry : run_.log) {
      if (entry.kind != LogKind::kEffect || bool_or(entry.detail, "idempotent", false)) continue;
      const std::string label = entry.server + "/" + string_or(entry.detail, "tool", "?") +
                                " with the key " + string_or(entry.detail, "key", "");
      if (++counts[label] == run_.asked + 1) {
        find_wrong(kAgentNoEffectTwice, label + " took effect " + std::to_string(counts[label]) +
                                            " times, and was asked for " +
                                            std::to_string(run_.asked));
      }
    }
  }

  void count(std::map<std::string, std::int64_t>& counts, const std::string& what,
             std::int64_t each) {
    if (++counts[what] == bound(each) + 1) {
      find_wrong(kAgentBounded, what + ": more than " + std::to_string(bound(each)));
    }
  }

  void check_bounds() {
    std::map<std::string, std::int64_t> counts;
    for (const ServerLogEntry& entry : run_.log) {
      if (!is_request(entry)) continue;
      const std::string method = method_of(entry);
      count(counts, "requests to " + entry.server, kRequestsMax);
      if (method == "initialize")
        count(counts, "connections to " + entry.server, kAgentConnectionsMax);
      if (method != "tools/call") continue;
      const bool round = at_pointer(entry.detail, "/params/requestState") != nullptr;
      count(counts, "the same " + call_of(entry), round ? kRoundsMax : kSameCallsMax);
    }
    for (const HttpMet& met : run_.exchanges) {
      count(counts, "exchanges with " + met.server, kExchangesMax);
    }
  }

  // A call that was refused is not sent again; nor is anything posted again and again to a place
  // that wants to know who asks.
  void check_refusals() {
    std::map<Talk, std::map<std::string, std::string>> open;  // Calls by the text of their id.
    std::set<std::string> refused;
    for (const ServerLogEntry& entry : run_.log) {
      if (is_request(entry) && method_of(entry) == "tools/call") {
        const std::string call = call_of(entry);
        if (refused.contains(call)) {
          find_wrong(kAgentNoCallAfterRefusal, call + " was sent again after it was refused");
        }
        open[talk_of(entry)][dump_json(*find(entry.detail, "id"))] = call;
      }
      if (entry.kind != LogKind::kSaid || !entry.detail.is_object()) continue;
      const Json* const id = find(entry.detail, "id");
      if (id == nullptr || find(entry.detail, "method") != nullptr) continue;
      const auto& calls = open[talk_of(entry)];
      const auto call = calls.find(dump_json(*id));
      if (call != calls.end() && speaks_of_auth(entry.detail)) refused.insert(call->second);
    }
    std::map<std::string, std::int64_t> posts;  // That were refused, by server.
    for (const HttpMet& met : run_.exchanges) {
      if (met.method != "POST" || met.refused == 0) continue;
      if (++posts[met.server] == bound(kRefusedPostsMax) + 1) {
        find_wrong(kAgentNoCallAfterRefusal,
                   "more than " + std::to_string(bound(kRefusedPostsMax)) +
                       " requests were posted to " + met.server + ", which refuses with " +
                       std::to_string(met.refused));
      }
    }
  }

  void check_cancellations() {
    struct Open {
      std::string call;
      Duration at{};
    };
    std::map<Talk, std::map<std::string, Open>> open;
    for (const ServerLogEntry& entry : run_.log) {
      if (!entry.detail.is_object()) continue;
      auto& waiting = open[talk_of(entry)];
      if (entry.kind == LogKind::kSaid) {
        if (const Json* const id = find(entry.detail, "id")) waiting.erase(dump_json(*id));
        continue;
      }
      if (entry.kind != LogKind::kHeard) continue;
      if (method_of(entry) == "notifications/cancelled") {
        const Json* const id = at_pointer(entry.detail, "/params/requestId");
        if (id != nullptr) waiting.erase(dump_json(*id));
      }
      if (!is_request(entry)) continue;
      // Who asks the same once more has given the first one up.
      for (const auto& [id, one] : waiting) {
        if (one.call != call_of(entry) || entry.at - one.at < kGivenUpAfter) continue;
        find_wrong(kAgentCancels, one.call + " was sent again without cancelling the first", true);
      }
      if (method_of(entry) != "initialize") {
        waiting[dump_json(*find(entry.detail, "id"))] = {call_of(entry), entry.at};
      }
    }
  }

  void check_keys() {
    for (const auto& [owner, key] : run_.keys) check_key(key, {owner}, "the key of " + owner);
    for (const std::string& secret : scenario_.secrets) {
      std::set<std::string> homes;
      const Json* const servers = find(scenario_.document, "servers");
      for (const ServerSpec& server : scenario_.servers) {
        const Json* const its = servers == nullptr ? nullptr : find(*servers, server.name);
        if (its != nullptr && dump_json(*its).find(secret) != std::string::npos) {
          homes.insert(server.name);
        }
      }
      if (!homes.empty()) check_key(secret, homes, "a secret of " + *homes.begin());
    }
  }

  void check_key(const std::string& key, const std::set<std::string>& homes,
                 const std::string& what) {
    for (const ServerLogEntry& entry : run_.log) {
      const bool told = entry.kind == LogKind::kHeard || entry.kind == LogKind::kStarted;
      if (!told || homes.contains(entry.server)) continue;
      if (dump_json(entry.detail).find(key) != std::string::npos) {
        find_wrong(kAgentKeysStayHome, what + " reached " + entry.server);
      }
    }
    for (const HttpMet& met : run_.exchanges) {
      if (homes.contains(met.server) || met.headers.find(key) == std::string::npos) continue;
      find_wrong(kAgentKeysStayHome, what + " reached " + met.server + " in a header");
    }
  }

  void check_traps() {
    for (const HttpMet& met : run_.exchanges) {
      if (met.trap)
        find_wrong(kAgentStepsInNoTrap, met.method + " " + met.path + " to " + met.server);
    }
  }

  bool is_judged(const ServerLogEntry& entry) const {
    const auto spec = std::ranges::find(scenario_.servers, entry.server, &ServerSpec::name);
    // Without sessions several clients may share what counts as one connection here.
    return spec != scenario_.servers.end() &&
           (run_.exchanges.empty() || !spec->script.is_stateless());
  }

  void check_conversations() {
    const Redactor redactor;
    Conversations conversations(redactor);
    for (const ServerLogEntry& entry : run_.log) {
      const bool sent = entry.kind == LogKind::kHeard;
      if ((!sent && entry.kind != LogKind::kSaid) || !is_judged(entry)) continue;
      const std::string who = entry.server + " " + std::to_string(entry.process) + "." +
                              std::to_string(entry.connection);
      conversations.on_event({Instant(entry.at),
                              sent ? EventKind::kMessageSent : EventKind::kMessageReceived, who,
                              entry.detail});
    }
    for (RunFailure& failure : conversations.failures()) {
      // Seen from the server, an answer may still be on its way when its request is cancelled.
      if (failure.about == "cancellation.references-own-in-flight") continue;
      find_wrong(kAgentKeepsTheSpecification, std::move(failure.message));
    }
  }

  const Scenario& scenario_;
  const AnyAgentRun& run_;
  std::vector<AgentFinding> findings_;
};

}  // namespace

std::span<const InvariantInfo> all_agent_rules() { return kAllAgentRules; }

std::vector<AgentFinding> judge_any_agent(const Scenario& scenario, const AnyAgentRun& run) {
  return AnyAgentJudge(scenario, run).judge();
}

std::vector<std::string> due_parts(const Scenario& scenario) {
  const Json* const servers = find(scenario.document, "servers");
  const std::string said = servers == nullptr ? "" : dump_json(*servers);
  std::vector<std::string> parts;
  for (const std::string& part : scenario.expect.response_contains) {
    const std::string quoted = dump_json(Json(part));
    if (said.find(quoted.substr(1, quoted.size() - 2)) != std::string::npos) parts.push_back(part);
  }
  return parts;
}

}  // namespace plumbline::scenarios
