#include "reference/judged_visit.h"

#include <chrono>
#include <utility>

#include "reference/reference_client.h"

namespace plumbline::reference {

namespace {

constexpr Duration kPatience = std::chrono::seconds(4);  // With each request.

}  // namespace

mcp::ClientOptions judged_client(mcp::Revision preferred) {
  mcp::ClientOptions options = obliging_client(preferred);
  options.tasks = true;
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
