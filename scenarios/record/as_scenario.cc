#include "scenarios/record/as_scenario.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "core/mcp/protocol/revision.h"
#include "scenarios/record/likeness.h"

namespace plumbline::scenarios {

namespace {

// Lists that a scripted server declares: the method, the member of its result, what scripts call
// it, by what items are known, and what scripts know of an item.
struct Declared {
  std::string_view method;
  std::string_view member;
  std::string_view key;
  std::string_view name;
  std::vector<std::string_view> members;
};

const std::vector<Declared>& declared_lists() {
  static const std::vector<Declared> kLists = {
      {"tools/list",
       "tools",
       "tools",
       "name",
       {"name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons",
        "execution", "_meta"}},
      {"resources/list",
       "resources",
       "resources",
       "uri",
       {"uri", "name", "title", "mimeType", "description", "annotations", "icons", "size",
        "_meta"}},
      {"resources/templates/list",
       "resourceTemplates",
       "resource_templates",
       "uriTemplate",
       {"uriTemplate", "name", "title", "mimeType", "description", "annotations", "icons",
        "_meta"}},
      {"prompts/list",
       "prompts",
       "prompts",
       "name",
       {"name", "title", "description", "arguments", "icons", "_meta"}}};
  return kLists;
}

// Answered by every scripted server as by any right one, when the answer was no error.
constexpr auto kOrdinary = std::to_array<std::string_view>(
    {"initialize", "ping", "server/discover", "logging/setLevel", "resources/subscribe",
     "resources/unsubscribe", "subscriptions/listen", "tools/list", "resources/list",
     "resources/templates/list", "prompts/list"});

Json step(const char* what, Json value) {
  Json one = Json::object();
  one[what] = std::move(value);
  return one;
}

// A name for a server, of letters that may stand in "server/tool".
std::string plain_name(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
    if (plain) name += c;
    if (!plain && !name.empty() && name.back() != '-') name += '-';
  }
  while (name.ends_with('-')) name.pop_back();
  return name.empty() ? "server" : name;
}

// ServerDraft is one server, made of every session with it.
class ServerDraft {
 public:
  void add(const RecordedSession& session) {
    begun_.clear();
    latest_ = -1;
    bool client_done = false;
    for (const RecordedEvent& event : session.events) {
      using Kind = RecordedEvent::Kind;
      if (event.kind == Kind::kMessage && event.to == Side::kServer) asked(event.message);
      if (event.kind == Kind::kMessage && event.to == Side::kClient) said(event.message);
      if (event.kind == Kind::kText && event.to == Side::kClient && latest_ >= 0) {
        exchanges_[static_cast<std::size_t>(latest_)].steps.push_back(
            step("garbage", event.what + "\n"));
      }
      if (event.kind == Kind::kEnd && event.to == Side::kServer) client_done = true;
      if (event.kind == Kind::kExit && !client_done) died(event.what);
    }
  }

  const std::string& name() const { return name_; }
  const std::string& revision() const { return revision_; }
  std::int64_t calls() const { return calls_; }
  const std::map<std::string, std::int64_t>& effects() const { return effects_; }

  Json script() const {
    Json script = Json::object();
    script["name"] = shown_name_;
    if (!revision_.empty()) script["revision"] = revision_;
    if (!version_.empty()) script["version"] = version_;
    for (const char* key : {"capabilities", "instructions"}) {
      if (const Json* const told = find(opening_, key)) script[key] = *told;
    }
    for (const Declared& list : declared_lists()) {
      const auto items = items_.find(list.key);
      if (items == items_.end()) continue;
      Json& all = script[std::string(list.key)] = Json::array();
      for (const auto& [unused, item] : items->second) all.push_back(item);
    }
    Json rules = this->rules();
    if (!rules.empty()) script["on"] = std::move(rules);
    return script;
  }

 private:
  struct Exchange {
    std::string method;
    std::optional<std::string> name;
    Json request;
    Json steps = Json::array();
    bool answered = false;
    bool ordinary = false;  // As any right server answers.
  };

  void asked(const Json& message) {
    if (!is_request(message)) return;
    Exchange exchange;
    exchange.method = string_or(message, "method", "");
    const Json params = member_of(message, "params");
    exchange.name = find_string(params, "name");
    if (!exchange.name) exchange.name = find_string(params, "uri");
    exchange.request = message;
    latest_ = static_cast<std::ptrdiff_t>(exchanges_.size());
    begun_[dump_json(*find(message, "id"))] = exchanges_.size();
    if (exchange.method == "tools/call") ++calls_;
    exchanges_.push_back(std::move(exchange));
  }

  void said(const Json& message) {
    if (is_answer(message)) return answered(message);
    if (latest_ < 0) return;
    Json& steps = exchanges_[static_cast<std::size_t>(latest_)].steps;
    Json params = member_of(message, "params");
    Json what = Json::object();
    what["method"] = string_or(message, "method", "");
    if (string_or(message, "method", "") == "notifications/progress" && params.is_object()) {
      params.erase("progressToken");
      Json all = Json::array();
      all.push_back(params);
      steps.push_back(step("progress", std::move(all)));
      return;
    }
    if (params.is_object()) what["params"] = params;
    steps.push_back(step(is_request(message) ? "request" : "notify", std::move(what)));
  }

  void answered(const Json& message) {
    const auto begun = begun_.find(dump_json(*find(message, "id")));
    if (begun == begun_.end()) return;
    Exchange& exchange = exchanges_[begun->second];
    begun_.erase(begun);
    exchange.answered = true;
    const Json* const result = find(message, "result");
    // Who has sessions refuses this in some way.
    exchange.ordinary = result == nullptr && exchange.method == "server/discover";
    if (result == nullptr) {
      exchange.steps.push_back(step("error", member_of(message, "error")));
      return;
    }
    exchange.ordinary =
        exchange.steps.empty() && std::ranges::count(kOrdinary, exchange.method) > 0;
    learn(exchange, *result);
    const bool fails = bool_or(*result, "isError", false);
    if (exchange.method == "tools/call" && !fails && !reads_only(*exchange.name)) {
      exchange.steps.push_back(step("effect", Json::object()));
      ++effects_[*exchange.name];
    }
    exchange.steps.push_back(step("reply", *result));
  }

  void died(const std::string& how) {
    if (latest_ < 0) return;
    Exchange& exchange = exchanges_[static_cast<std::size_t>(latest_)];
    Json status = Json::object();
    const std::size_t digits = std::min(how.find_first_of("0123456789"), how.size());
    status[how.starts_with("signal") ? "signal" : "exit"] = std::atoi(how.c_str() + digits);
    exchange.answered = true;
    exchange.ordinary = false;
    exchange.steps.push_back(step("crash", std::move(status)));
  }

  // learn takes what a result says of the server.
  void learn(const Exchange& exchange, const Json& result) {
    if (exchange.method == "initialize" || exchange.method == "server/discover") {
      opening_ = result;
      const Json info = member_of(result, "serverInfo");
      shown_name_ = string_or(info, "name", "recorded");
      name_ = plain_name(shown_name_);
      version_ = string_or(info, "version", "");
      const std::string agreed = string_or(result, "protocolVersion", "2026-07-28");
      if (mcp::parse_revision(agreed)) revision_ = agreed;
    }
    for (const Declared& list : declared_lists()) {
      const Json items = member_of(result, list.member);
      if (exchange.method != list.method || !items.is_array()) continue;
      for (const Json& item : items) {
        Json known = Json::object();
        for (const std::string_view key : list.members) {
          if (const Json* const member = find(item, key)) known[std::string(key)] = *member;
        }
        items_[list.key][string_or(item, list.name, "")] = std::move(known);
      }
    }
  }

  bool reads_only(const std::string& tool) const {
    const auto tools = items_.find("tools");
    if (tools == items_.end()) return false;
    const auto listed = tools->second.find(tool);
    if (listed == tools->second.end()) return false;
    return bool_or(member_of(listed->second, "annotations"), "readOnlyHint", false);
  }

  // rules returns what the server does other than a right one would, call by call.
  Json rules() const {
    std::map<std::pair<std::string, std::string>, std::vector<const Exchange*>> by_target;
    for (const Exchange& exchange : exchanges_) {
      by_target[{exchange.method, exchange.name.value_or("")}].push_back(&exchange);
    }
    Json rules = Json::array();
    for (const auto& [target, all] : by_target) {
      if (std::ranges::all_of(all, &Exchange::ordinary)) continue;
      for (std::size_t i = 0; i < all.size(); ++i) {
        Json rule = Json::object();
        rule["method"] = target.first;
        if (all[i]->name) rule["name"] = *all[i]->name;
        if (i + 1 < all.size()) rule["nth"] = i + 1;
        rule["do"] = all[i]->ordinary ? Json::array() : all[i]->steps;
        if (!all[i]->answered) rule["do"].push_back(step("hang", true));
        rules.push_back(std::move(rule));
      }
    }
    return rules;
  }

  std::string name_ = "server";
  std::string shown_name_ = "recorded";
  std::string version_;
  std::string revision_;
  Json opening_;
  std::map<std::string_view, std::map<std::string, Json>> items_;  // By key, and by name.
  std::vector<Exchange> exchanges_;
  std::map<std::string, std::size_t> begun_;  // Of the session that is read, by id.
  std::ptrdiff_t latest_ = -1;                // Likewise, of the exchanges.
  std::int64_t calls_ = 0;
  std::map<std::string, std::int64_t> effects_;  // By tool.
};

// drafts_of joins the sessions that were had with one and the same server.
std::vector<std::pair<std::string, ServerDraft>> drafts_of(
    const std::vector<RecordedSession>& sessions) {
  std::vector<std::pair<std::string, ServerDraft>> drafts;  // By what was started or met.
  for (const RecordedSession& session : sessions) {
    const std::string what =
        string_or(session.head, "command", "") + string_or(session.head, "url", "");
    auto known =
        std::ranges::find_if(drafts, [&what](const auto& one) { return one.first == what; });
    if (known == drafts.end() || what.empty()) known = drafts.insert(drafts.end(), {what, {}});
    known->second.add(session);
  }
  return drafts;
}

}  // namespace

Json scenario_of(const std::vector<RecordedSession>& sessions, const std::string& id,
                 const std::vector<std::string>& requests) {
  Json scenario = Json::object();
  scenario["plumbline"] = 1;
  scenario["id"] = id;
  scenario["title"] = "What was recorded happens again.";
  scenario["tags"] = Json::array({"recorded"});
  scenario["request"]["input"] = requests.front();
  for (std::size_t i = 1; i < requests.size(); ++i) {
    scenario["request"]["then"].push_back(Json::object({{"input", requests[i]}}));
  }
  scenario["world"]["order"] = "permuted";
  Json& servers = scenario["servers"] = Json::object();
  Json approve = Json::array();
  Json effects = Json::object();
  std::int64_t calls = 0;
  for (const auto& [unused, draft] : drafts_of(sessions)) {
    std::string name = draft.name();
    for (int copy = 2; servers.contains(name); ++copy) {
      name = draft.name() + "-" + std::to_string(copy);
    }
    servers[name] = draft.script();
    calls += draft.calls();
    if (draft.revision() == "2026-07-28") scenario["world"]["revision"] = draft.revision();
    for (const auto& [tool, times] : draft.effects()) {
      effects[name + "/" + tool] = times;
      for (std::int64_t i = 0; i < times; ++i) approve.push_back(name + "/" + tool);
    }
  }
  if (!approve.empty()) scenario["approve"] = std::move(approve);
  Json& expect = scenario["expect"];
  expect["status"] = "any";
  const auto asked = static_cast<std::int64_t>(requests.size());
  if (calls > asked) {
    expect["requests"]["tools/call"]["at_most"] = asked;
    return scenario;
  }
  expect["requests"]["tools/call"] = calls;
  expect["effects"] = 0;
  if (!effects.empty()) expect["effects"] = std::move(effects);
  return scenario;
}

std::int64_t calls_in(const std::vector<RecordedSession>& sessions) {
  std::int64_t calls = 0;
  for (const auto& [unused, draft] : drafts_of(sessions)) calls += draft.calls();
  return calls;
}

}  // namespace plumbline::scenarios
