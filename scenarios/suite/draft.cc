#include "scenarios/suite/draft.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/base/text.h"
#include "core/schema/sample_value.h"
#include "scenarios/compare/conversation.h"
#include "scenarios/record/likeness.h"
#include "scenarios/suite/names.h"
#include "scenarios/suite/server.h"

namespace plumbline::suite {

namespace {

constexpr std::size_t kResourcesMax = 20;
constexpr std::size_t kNameBytesMax = 80;
constexpr std::size_t kKeptBytesMin = 3;  // A shorter text is like another one by chance.

// NewNames gives each test a name of its own.
class NewNames {
 public:
  std::string take(std::string wanted) {
    if (wanted.size() > kNameBytesMax) wanted = std::string(beginning(wanted, kNameBytesMax));
    const int times = ++taken_[wanted];
    if (times == 1) return wanted;
    return take(wanted + " (" + std::to_string(times) + ")");
  }

 private:
  std::map<std::string, int> taken_;
};

// step_of returns what a request asks; nothing for what opens a session or belongs to its client.
std::optional<Step> step_of(const Json& request) {
  const std::string method = string_or(request, "method", "");
  const Json params = scenarios::steady_params(request);
  Step step;
  const auto named = [&](Verb verb, const char* key) {
    step.verb = verb;
    step.what = quoted_text(string_or(params, key, ""));
    const Json* const arguments = find(params, "arguments");
    if (arguments != nullptr && !arguments->empty()) step.with = quoted(*arguments);
    return step;
  };
  if (method == "tools/call") return named(Verb::kCall, "name");
  if (method == "resources/read") return named(Verb::kRead, "uri");
  if (method == "prompts/get") return named(Verb::kPrompt, "name");
  const std::pair<std::string_view, const char*> lists[] = {
      {"tools/list", "tools"},
      {"resources/list", "resources"},
      {"resources/templates/list", "templates"},
      {"prompts/list", "prompts"}};
  for (const auto& [of, list] : lists) {
    if (method != of) continue;
    if (find(params, "cursor") != nullptr) return std::nullopt;  // A page of one that is there.
    step.verb = Verb::kList;
    step.what = list;
    return step;
  }
  if (method == "completion/complete") {
    step.verb = Verb::kComplete;
    step.with = quoted(params);
    return step;
  }
  const bool opens = method == "initialize" || method == "server/discover" || method == "ping" ||
                     method.starts_with("logging/") || method.starts_with("tasks/") ||
                     method.starts_with("subscriptions/");
  if (opens) return std::nullopt;
  step.verb = Verb::kSend;
  step.what = method;
  if (!params.empty()) step.with = quoted(params);
  return step;
}

std::string name_of(const Step& step) {
  if (step.verb == Verb::kCall) return step.what;
  if (step.verb == Verb::kList) return "the " + step.what;
  return step.told();
}

// Kept is where a text first came from.
struct Kept {
  std::size_t draft;
  std::string pointer;
  std::string key;
};

bool is_handle(std::string_view key) {
  return key == "id" || key == "uuid" || key == "nextCursor" || key == "cursor" || key == "token" ||
         key.ends_with("Id") || key.ends_with("_id") || key.ends_with("ID");
}

// Linker finds what later requests send back of earlier answers.
class Linker {
 public:
  void link(std::vector<Draft>& drafts) {
    for (std::size_t i = 0; i < drafts.size(); ++i) {
      Step& step = drafts[i].test.steps.front();
      if (!step.with.is_null()) replace(step.with, drafts);
      note_sent(step.with);
      if (const Json* const result = find(drafts[i].response, "result")) note(*result, i, "", "");
    }
  }

 private:
  void replace(Json& value, std::vector<Draft>& drafts) {
    if (value.is_structured()) {
      for (Json& member : value) replace(member, drafts);
      return;
    }
    const auto* const text = value.get_ptr<const std::string*>();
    if (text == nullptr) return;
    const auto kept = kept_.find(*text);
    if (kept == kept_.end()) return;
    value = '{' + name_for(*text, kept->second, drafts) + '}';
  }

  std::string name_for(const std::string& text, const Kept& kept, std::vector<Draft>& drafts) {
    const auto known = named_.find(text);
    if (known != named_.end()) return known->second;
    std::string name = kept.key;
    for (int i = 2; names_.contains(name); ++i) name = kept.key + std::to_string(i);
    names_.insert(name);
    drafts[kept.draft].test.steps.front().keep[name] = kept.pointer;
    return named_[text] = name;
  }

  void note_sent(const Json& value) {
    if (value.is_structured()) {
      for (const Json& member : value) note_sent(member);
    } else if (const auto* const text = value.get_ptr<const std::string*>()) {
      sent_.insert(*text);
    }
  }

  void note(const Json& value, std::size_t draft, const std::string& pointer,
            const std::string& key) {
    if (value.is_structured()) {
      for (const auto& [step, member] : value.items()) {
        note(member, draft, pointer + '/' + pointer_token(step), value.is_object() ? step : key);
      }
      return;
    }
    const auto* const text = value.get_ptr<const std::string*>();
    if (text == nullptr) return;
    if (is_handle(key) && text->size() >= kKeptBytesMin && !sent_.contains(*text)) {
      kept_.try_emplace(*text, Kept{draft, pointer, key});
    }
    if (!text->starts_with('{') && !text->starts_with('[')) return;
    const Result<Json> inside = parse_json(*text);
    if (inside.ok() && inside.value().is_structured()) note(inside.value(), draft, pointer, key);
  }

  std::map<std::string, Kept> kept_;
  std::map<std::string, std::string> named_;
  std::set<std::string> names_ = {"folder", "port"};
  std::set<std::string> sent_;
};

// reading_tools returns the names of those that say they only read, of every list in a recording.
std::set<std::string> reading_tools(const std::vector<scenarios::Conversation>& conversations) {
  std::set<std::string> names;
  for (const scenarios::Conversation& conversation : conversations) {
    for (const scenarios::Conversation::Exchange& exchange : conversation.exchanges) {
      const Json* const tools = at_pointer(exchange.answer, "/result/tools");
      if (tools == nullptr || !tools->is_array()) continue;
      for (const Json& tool : *tools) {
        if (only_reads(tool)) names.insert(string_or(tool, "name", ""));
      }
    }
  }
  return names;
}

Draft draft_of(Step step, std::string name) {
  Draft draft;
  draft.test.name = std::move(name);
  draft.test.steps.push_back(std::move(step));
  return draft;
}

void add_tool(const Json& tool, Budget& budget, NewNames& names, std::vector<Draft>& drafts) {
  const std::string name = string_or(tool, "name", "");
  const Json* const schema = find(tool, "inputSchema");
  Step step;
  step.what = quoted_text(name);
  const Json arguments =
      schema == nullptr ? Json(Json::object()) : schema::sample_arguments(*schema, &budget);
  if (!arguments.empty()) step.with = quoted(arguments);
  drafts.push_back(draft_of(step, names.take(name)));
  drafts.back().writes = !only_reads(tool);
  const Json* const required = schema == nullptr ? nullptr : find(*schema, "required");
  if (required == nullptr || !required->is_array() || required->empty()) return;
  step.with = nullptr;
  drafts.push_back(draft_of(step, names.take(name + " without its arguments")));
  drafts.back().writes = !only_reads(tool);
}

void add_prompt(const Json& prompt, NewNames& names, std::vector<Draft>& drafts) {
  const std::string name = string_or(prompt, "name", "");
  Step step;
  step.verb = Verb::kPrompt;
  step.what = quoted_text(name);
  Json arguments = Json::object();
  if (const Json* const listed = find(prompt, "arguments"); listed && listed->is_array()) {
    for (const Json& argument : *listed) {
      if (!bool_or(argument, "required", false)) continue;
      arguments[string_or(argument, "name", "")] = "a";
    }
  }
  if (!arguments.empty()) step.with = std::move(arguments);
  drafts.push_back(draft_of(step, names.take("prompt " + name)));
}

}  // namespace

std::vector<Draft> drafts_of(const scenarios::Recording& recording) {
  std::vector<scenarios::Conversation> conversations;
  for (const scenarios::RecordedSession& session : recording.sessions) {
    conversations.push_back(scenarios::conversation_of(session));
  }
  const std::set<std::string> reading = reading_tools(conversations);
  std::vector<Draft> drafts;
  std::set<std::string> listed;
  NewNames names;
  for (const scenarios::Conversation& conversation : conversations) {
    for (const scenarios::Conversation::Exchange& exchange : conversation.exchanges) {
      std::optional<Step> step = step_of(exchange.request);
      if (!step) continue;
      if (step->verb == Verb::kList && !listed.insert(step->what).second) continue;
      const bool calls = step->verb == Verb::kCall;
      const bool writes = calls && !reading.contains(step->what);
      std::string name = names.take(name_of(*step));
      drafts.push_back(draft_of(std::move(*step), std::move(name)));
      drafts.back().response = exchange.answer;
      drafts.back().writes = writes;
    }
  }
  Linker().link(drafts);
  return drafts;
}

std::vector<Draft> drafts_of(const Listed& listed, bool allow_writes, Budget& budget) {
  std::vector<Draft> drafts;
  NewNames names;
  const auto add_list = [&](const char* list) {
    Step step;
    step.verb = Verb::kList;
    step.what = list;
    drafts.push_back(draft_of(step, names.take("the " + step.what)));
  };
  if (!listed.tools.empty()) add_list("tools");
  if (!listed.resources.empty()) add_list("resources");
  if (!listed.prompts.empty()) add_list("prompts");
  for (const Json& tool : listed.tools) {
    if (allow_writes || only_reads(tool)) add_tool(tool, budget, names, drafts);
  }
  for (const Json& prompt : listed.prompts) add_prompt(prompt, names, drafts);
  for (std::size_t i = 0; i < std::min(listed.resources.size(), kResourcesMax); ++i) {
    Step step;
    step.verb = Verb::kRead;
    step.what = quoted_text(string_or(listed.resources[i], "uri", ""));
    drafts.push_back(draft_of(step, names.take(step.told())));
  }
  return drafts;
}

}  // namespace plumbline::suite
