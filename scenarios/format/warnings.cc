#include "scenarios/format/warnings.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <span>
#include <string_view>

#include "core/base/wildcard.h"
#include "core/json/locate.h"
#include "scenarios/judge/route_map.h"

namespace plumbline::scenarios {

namespace {

// What a client sends, in any revision.
constexpr std::array<std::string_view, 24> kClientMethods = {"completion/complete",
                                                             "initialize",
                                                             "logging/setLevel",
                                                             "notifications/cancelled",
                                                             "notifications/initialized",
                                                             "notifications/progress",
                                                             "notifications/roots/list_changed",
                                                             "notifications/tasks/status",
                                                             "ping",
                                                             "prompts/get",
                                                             "prompts/list",
                                                             "resources/list",
                                                             "resources/read",
                                                             "resources/subscribe",
                                                             "resources/templates/list",
                                                             "resources/unsubscribe",
                                                             "server/discover",
                                                             "subscriptions/listen",
                                                             "tasks/cancel",
                                                             "tasks/get",
                                                             "tasks/list",
                                                             "tasks/result",
                                                             "tools/call",
                                                             "tools/list"};
// What a server sends beside answers.
constexpr std::array<std::string_view, 15> kServerMethods = {
    "elicitation/create",
    "notifications/cancelled",
    "notifications/elicitation/complete",
    "notifications/message",
    "notifications/progress",
    "notifications/prompts/list_changed",
    "notifications/resources/list_changed",
    "notifications/resources/updated",
    "notifications/subscriptions/acknowledged",
    "notifications/tasks",
    "notifications/tasks/status",
    "notifications/tools/list_changed",
    "ping",
    "roots/list",
    "sampling/createMessage"};
constexpr std::array<std::string_view, 3> kHttpMethods = {"DELETE", "GET", "POST"};

using Names = std::set<std::string, std::less<>>;

// members_of returns what `detail` has in events of this kind, whoever they are of.
std::vector<std::string_view> members_of(EventKind kind) {
  switch (kind) {
    case EventKind::kMessageSent:
    case EventKind::kMessageReceived:
      return {"error", "id", "jsonrpc", "lost", "method", "params", "result"};
    case EventKind::kGarbage:
      return {"bytes", "error"};
    case EventKind::kConnection:
      return {"state", "why"};
    case EventKind::kState:
      return {"error_percent", "from", "health", "principal", "response_time_ms", "to", "why"};
    case EventKind::kRequestStarted:
      return {"id", "method"};
    case EventKind::kRequestEnded:
      return {"id", "method", "outcome"};
    case EventKind::kNodeStarted:
      return {"attempt", "step"};
    case EventKind::kNodeEnded:
      return {"error", "result", "step"};
    case EventKind::kEdgeTaken:
      return {"to"};
    case EventKind::kEffect:
      return {"count", "idempotent", "key", "tool"};
    case EventKind::kFault:
      return {"at", "fault", "met_a_connection", "nth", "operation", "rule"};
    case EventKind::kApproval:
      return {"approved", "id", "name", "server"};
    case EventKind::kExchange:
      return {"body", "headers", "method", "path"};
    case EventKind::kNote:
      return {"review", "text"};
  }
  return {};
}

// is_of_method returns whether the "method" of such an event is one of MCP.
bool is_of_method(EventKind kind) {
  return kind == EventKind::kMessageSent || kind == EventKind::kMessageReceived ||
         kind == EventKind::kRequestStarted || kind == EventKind::kRequestEnded;
}

// is_of_node returns whether such an event may be of a node of a graph.
bool is_of_node(EventKind kind) {
  return kind == EventKind::kNodeStarted || kind == EventKind::kNodeEnded ||
         kind == EventKind::kEdgeTaken || kind == EventKind::kNote;
}

// distance returns how many bytes have to be put in, taken out or changed to make b of a.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0U);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

// like returns ", expected something like ..." with the nearest of `names`.
template <typename List>
std::string like(std::string_view wrong, const List& names) {
  const auto nearest = std::ranges::min_element(
      names, {}, [&](std::string_view name) { return distance(wrong, name); });
  if (nearest == std::ranges::end(names)) return ", expected none";
  return ", expected something like \"" + std::string(*nearest) + '"';
}

void add_tools_of(const Json& result, Names& names) {
  const Json* const tools = find(result, "tools");
  if (tools == nullptr || !tools->is_array()) return;
  for (const Json& tool : *tools) names.insert(string_or(tool, "name", ""));
}

// offers_of returns what of a server can be called, read or asked for, by name: declared, or shown
// by a rule that lists it.
Names offers_of(const ServerSpec& server) {
  Names names;
  for (const fakes::ToolScript& tool : server.script.tools) names.insert(tool.name);
  for (const fakes::PromptScript& prompt : server.script.prompts) names.insert(prompt.name);
  for (const fakes::ResourceScript& resource : server.script.resources) {
    names.insert(resource.uri);
    names.insert(string_or(resource.listed, "name", ""));
  }
  for (const fakes::Rule& rule : server.script.rules) {
    for (const fakes::Step& step : rule.steps) {
      add_tools_of(step.value, names);
      if (const Json* const result = find(step.value, "result")) add_tools_of(*result, names);
    }
  }
  return names;
}

class Reader {
 public:
  Reader(Scenario& scenario, const Where& where) : scenario_(scenario), where_(where) {}

  void read() {
    for (const ServerSpec& server : scenario_.servers) {
      for (std::string name : offers_of(server)) {
        offers_.insert(server.name + '/' + name);
        names_.insert(std::move(name));
      }
      read_rules(server);
    }
    read_approve();
    read_expect();
    read_invariants();
  }

 private:
  void warn(const std::string& pointer, const std::string& what) {
    scenario_.warnings.push_back(where_(pointer) + ": " + what);
  }

  void check_method(const std::string& pointer, std::string_view method) {
    if (method.empty() || std::ranges::binary_search(kClientMethods, method)) return;
    warn(pointer, '"' + std::string(method) + "\" is no method that a client sends" +
                      like(method, kClientMethods));
  }

  void check_http_method(const std::string& pointer, std::string_view method) {
    if (method.empty() || std::ranges::binary_search(kHttpMethods, method)) return;
    warn(pointer, '"' + std::string(method) + "\" is no HTTP method that MCP uses" +
                      like(method, kHttpMethods));
  }

  void read_rules(const ServerSpec& server) {
    const std::string at = "/servers/" + pointer_token(server.name);
    for (std::size_t i = 0; i < server.script.rules.size(); ++i) {
      const fakes::Rule& rule = server.script.rules[i];
      const std::string pointer = at + "/on/" + std::to_string(i);
      if (rule.method != "startup") check_method(pointer + "/method", rule.method);
      scenario_.rules.push_back(
          {where_(pointer),
           "rule " + std::to_string(i + 1) + " of \"" + server.name + "\" (" + rule.method + ")",
           rule.never});
    }
    if (server.http) read_web_rules(*server.http, at + "/http/rules/", server.name);
    if (!server.authorization) return;
    read_web_rules(server.authorization->front, at + "/authorization/rules/",
                   issuer_name(server.name));
  }

  void read_web_rules(const fakes::HttpFront& front, const std::string& at,
                      const std::string& name) {
    for (std::size_t i = 0; i < front.rules.size(); ++i) {
      const fakes::HttpMatch& match = front.rules[i].match;
      const std::string pointer = at + std::to_string(i);
      check_method(pointer + "/method", match.method);
      check_http_method(pointer + "/http_method", match.http_method);
      scenario_.rules.push_back(
          {where_(pointer), "rule " + std::to_string(i + 1) + " of HTTP before \"" + name + '"',
           front.rules[i].never});
    }
  }

  void read_approve() {
    for (const UserSpec& user : scenario_.users) {
      const bool named = scenario_.names_users();
      read_approved(user.approve.names, named ? "/users/" + pointer_token(user.name) : "");
    }
  }

  // runs returns whether there is such a program, here or elsewhere.
  bool runs(const std::string& program) const {
    if (!scenario_.shell) return false;
    const auto is = [&](const ProgramSpec& one) { return one.words.front() == program; };
    const ShellData& shell = scenario_.shell->data();
    return std::ranges::any_of(shell.programs, is) ||
           std::ranges::any_of(shell.hosts, [&](const HostSpec& host) {
             return std::ranges::any_of(host.programs, is);
           });
  }

  void read_approved(const std::vector<std::string>& approved, const std::string& at) {
    for (std::size_t i = 0; i < approved.size(); ++i) {
      const bool tool = names_.contains(approved[i]) || offers_.contains(approved[i]);
      if (tool || runs(approved[i])) continue;
      warn(at + "/approve/" + std::to_string(i),
           "no server has a tool \"" + approved[i] + '"' + like(approved[i], names_));
    }
  }

  void read_expect() {
    for (const auto& [label, count] : scenario_.expect.effects_of) {
      const std::string method = label.substr(std::min(label.find('/'), label.size() - 1) + 1);
      if (offers_.contains(label) || std::ranges::binary_search(kClientMethods, method)) continue;
      warn("/expect/effects/" + pointer_token(label),
           "no server has a tool \"" + label + '"' + like(label, offers_));
    }
    for (const auto& [method, count] : scenario_.expect.requests) {
      check_method("/expect/requests/" + pointer_token(method), method);
    }
    for (const auto& [label, count] : scenario_.expect.exchanges) {
      check_http_method("/expect/exchanges/" + pointer_token(label),
                        label.substr(std::min(label.rfind(' '), label.size() - 1) + 1));
    }
  }

  // Where a name is wrong, what is never to come never comes, and the run passes.
  void read_invariants() {
    if (scenario_.properties.empty()) return;
    Json rest = scenario_.document;
    rest.erase("invariants");
    rest_ = dump_json(rest);
    for (std::size_t i = 0; i < scenario_.properties.size(); ++i) {
      const Property& property = scenario_.properties[i];
      const std::string at = "/invariants/" + std::to_string(i) + '/';
      if (property.kind == Property::Kind::kAlways) continue;
      read_pattern(property.what, at + std::string(name_of(property.kind)));
      if (property.after) read_pattern(*property.after, at + "after");
    }
  }

  void read_pattern(const EventPattern& pattern, const std::string& at) {
    if (pattern.who && !is_somebody(pattern.kind, *pattern.who)) {
      warn(at + "/who",
           "there are no events of \"" + *pattern.who + '"' + like(*pattern.who, event_names()));
    }
    const auto* const detail = pattern.detail.get_ptr<const Json::object_t*>();
    if (detail == nullptr) return;
    const std::vector<std::string_view> known = members_of(pattern.kind);
    for (const auto& [key, value] : *detail) {
      if (std::ranges::find(known, key) != known.end()) continue;
      warn(at + "/detail/" + pointer_token(key), "an event \"" +
                                                     std::string(name_of(pattern.kind)) +
                                                     "\" has no \"" + key + '"' + like(key, known));
    }
    const std::string method = string_or(pattern.detail, "method", "");
    if (is_of_method(pattern.kind)) check_any_method(at + "/detail/method", method);
  }

  // check_any_method takes patterns, what servers send, and what the file itself makes them send.
  void check_any_method(const std::string& pointer, std::string_view method) {
    const auto is = [method](std::string_view known) { return fits(method, known); };
    if (std::ranges::any_of(kClientMethods, is) || std::ranges::any_of(kServerMethods, is)) return;
    if (rest_.find('"' + std::string(method) + '"') != std::string::npos) return;
    check_method(pointer, method);
  }

  // event_names returns who events may be of, but for nodes of graphs and hosts elsewhere.
  Names event_names() const {
    Names names = {"browser", "orchestrator", "person"};
    if (!scenario_.clients.empty()) names = {"ours", "reference"};
    for (const ServerSpec& server : scenario_.servers) {
      names.insert(server.name);
      if (server.authorization) names.insert(issuer_name(server.name));
    }
    for (const UserSpec& user : scenario_.users) {
      if (!user.name.empty()) names.insert(user.name);
    }
    for (const ClientScript& client : scenario_.clients) names.insert(client.name);
    if (scenario_.agents.size() < 2) return names;
    Names all = names;
    for (const AgentSpec& agent : scenario_.agents) {
      for (const std::string& name : names) all.insert(agent.name + '/' + name);
    }
    return all;
  }

  bool is_somebody(EventKind kind, const std::string& who) const {
    const Names names = event_names();
    const auto is = [&who](const std::string& name) { return fits(who, name); };
    if (std::ranges::any_of(names, is)) return true;
    if (kind == EventKind::kExchange) return rest_.find(who) != std::string::npos;  // A host.
    if (!is_of_node(kind)) return false;
    if (who.find('*') != std::string::npos) return true;
    return std::ranges::any_of(scenario_.agents, [&](const AgentSpec& agent) {
      const std::string before = scenario_.agents.size() < 2 ? "" : agent.name + '/';
      if (!who.starts_with(before)) return false;
      const std::string node = who.substr(before.size());
      const RouteMap& routes = routes_of(*agent.agent);
      return routes.has_node(node) || !routes.targets_of(node).empty();
    });
  }

  Scenario& scenario_;
  const Where& where_;
  std::string rest_;  // The file without its "invariants".
  Names names_;       // "tool".
  Names offers_;      // "server/tool".
};

}  // namespace

void add_warnings(Scenario& scenario, const Where& where) { Reader(scenario, where).read(); }

void add_doubts(const std::vector<std::string>& doubts, bool strict, CheckResult& row) {
  if (row.verdict == Verdict::kSkip) return;  // It says why, and nothing else.
  for (const std::string& line : doubts) row.message += (row.message.empty() ? "" : "\n") + line;
  if (doubts.empty() || row.verdict != Verdict::kPass) return;
  row.verdict = strict ? Verdict::kFail : Verdict::kWarn;
}

void add_unjudged(const Scenario& scenario, CheckResult& row) {
  if (row.verdict == Verdict::kSkip) return;
  for (const Property& property : scenario.properties) {
    if (property.kind != Property::Kind::kSometimes) continue;
    row.message += (row.message.empty() ? "" : "\n") + ("property." + property.name) +
                   " is not judged: `plumbline sweep` looks for what comes sometimes";
  }
}

std::vector<std::string> idle_rules(const Scenario& scenario, const std::vector<bool>& used) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < scenario.rules.size(); ++i) {
    const RuleSite& rule = scenario.rules[i];
    if (rule.never || (i < used.size() && used[i])) continue;
    lines.push_back(rule.where + ": " + rule.label + " never did anything");
  }
  return lines;
}

}  // namespace plumbline::scenarios
