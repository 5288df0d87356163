#include "reference/judged_visit.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

#include "reference/reference_client.h"

namespace plumbline::reference {

namespace {

constexpr Duration kPatience = std::chrono::seconds(4);  // With each request.

// user_of returns what the context says of the user; null: nothing.
Json user_of(const std::string& context) {
  const Result<Json> told = parse_json(context);
  const Json* const user = told.ok() ? find(told.value(), "user") : nullptr;
  return user == nullptr ? Json() : *user;
}

bool is_list(const Json* value) { return value != nullptr && value->is_array() && !value->empty(); }

// answer_in_turn gives the user's answers, one after the other, and the last one again.
std::function<mcp::Reply<Json>(const Json&)> answer_in_turn(const Json& answers) {
  return [answers, at = std::size_t{0}](const Json&) mutable -> mcp::Reply<Json> {
    Json answer(Json::value_t::object);
    answer["action"] = answers[std::min(at++, answers.size() - 1)];
    return answer;
  };
}

// answer_by_hints answers as the first of `models` that a hint names; with a tool where one is
// required.
mcp::Reply<Json> answer_by_hints(const Json& models, const Json& params) {
  Json answer(Json::value_t::object);
  answer["role"] = "assistant";
  answer["model"] = models[0];
  answer["stopReason"] = "endTurn";
  answer["content"]["type"] = "text";
  answer["content"]["text"] = "This is a sampled response.";
  answer["content"]["annotations"]["audience"].push_back("user");
  answer["content"]["annotations"]["priority"] = 0.5;
  const Json* const hints = at_pointer(params, "/modelPreferences/hints");
  if (is_list(hints)) answer["model"] = string_or((*hints)[0], "name", "");
  const Json* const choice = at_pointer(params, "/toolChoice/mode");
  const Json* const tools = find(params, "tools");
  if (choice != nullptr && *choice == "required" && is_list(tools)) {
    Json use(Json::value_t::object);
    use["type"] = "tool_use";
    use["id"] = "use-1";
    use["name"] = string_or((*tools)[0], "name", "");
    use["input"] = Json::object();
    answer["content"] = std::move(use);
    answer["stopReason"] = "toolUse";
  }
  return answer;
}

mcp::Reply<Json> list_permitted(const Json& permitted) {
  Json answer(Json::value_t::object);
  answer["roots"] = Json::array();
  for (const Json& uri : permitted) {
    Json root(Json::value_t::object);
    root["uri"] = uri;
    const bool there = dump_json(uri).find("no-such") == std::string::npos;
    if (there) answer["roots"].push_back(std::move(root));
  }
  return answer;
}

}  // namespace

mcp::ClientOptions judged_client(mcp::Revision preferred, const std::string& context) {
  mcp::ClientOptions options = obliging_client(preferred);
  options.tasks = true;
  // An older server may say nothing before initialize, which has to be answered in time as well.
  options.probe_timeout = kPatience / 2;
  const Json user = user_of(context);
  const Json* const answers = find(user, "answers");
  const Json* const models = find(user, "models");
  const Json* const roots = find(user, "roots");
  if (is_list(answers)) options.on_elicit = mcp::answer_at_once(answer_in_turn(*answers));
  if (is_list(models)) {
    options.on_sample = mcp::answer_at_once(
        [models = *models](const Json& params) { return answer_by_hints(models, params); });
  }
  if (is_list(roots)) {
    options.on_list_roots =
        mcp::answer_at_once([roots = *roots](const Json&) { return list_permitted(roots); });
  }
  return options;
}

JudgedVisit::JudgedVisit(Loop& loop, mcp::ClientSession& session, std::string scenario,
                         std::string context)
    : loop_(loop), session_(session), scenario_(std::move(scenario)) {
  Result<Json> told = parse_json(context);
  if (told.ok()) context_ = std::move(told).value();
}

Task<bool> JudgedVisit::run() {
  VisitOptions options;
  options.patience = kPatience;
  const Json* const calls = find(context_, "toolCalls");
  if (calls != nullptr && calls->is_array()) options.calls.assign(calls->begin(), calls->end());
  ReferenceClient client(loop_, session_, std::move(options), [](const std::string&) {});
  if (scenario_ == "tasks") co_return co_await call_as_tasks();
  std::optional<mcp::Failure> failure = co_await client.visit();
  if (!failure && scenario_ == "caching") co_await read_again();
  co_return !failure;
}

// call_as_tasks calls each tool in the way it asks for.
Task<bool> JudgedVisit::call_as_tasks() {
  mcp::Reply<mcp::ServerInfo> opened = co_await session_.initialize(deadline());
  if (!opened.ok()) co_return false;
  mcp::Reply<std::vector<Json>> tools = co_await session_.list_tools(deadline());
  if (!tools.ok()) co_return false;
  for (const Json& tool : tools.value()) {
    std::string name = string_or(tool, "name", "");
    Json arguments = Json::object();
    const Json* const support = at_pointer(tool, "/execution/taskSupport");
    const bool as_task = support != nullptr && *support == "required";
    Task<mcp::Reply<Json>> call =
        as_task ? session_.call_as_task(std::move(name), std::move(arguments), deadline())
                : session_.call_tool(std::move(name), std::move(arguments), deadline());
    const mcp::Reply<Json> result = co_await std::move(call);
    if (!result.ok()) co_return false;
  }
  co_return true;
}

// read_again reads every resource once more.
Task<void> JudgedVisit::read_again() {
  mcp::Reply<std::vector<Json>> resources = co_await session_.list_resources(deadline());
  if (!resources.ok()) co_return;
  for (const Json& resource : resources.value()) {
    std::string uri = string_or(resource, "uri", "");
    mcp::Reply<Json> ignored = co_await session_.read_resource(std::move(uri), deadline());
    if (!ignored.ok()) co_return;
  }
}

Instant JudgedVisit::deadline() const { return after(loop_.now(), kPatience); }

}  // namespace plumbline::reference
