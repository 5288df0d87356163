#include "reference/reference_server.h"

#include <chrono>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/wait.h"
#include "reference/contents.h"

namespace plumbline::reference {

namespace {

using mcp::at_once;
using mcp::Reply;

constexpr const char* kWatched = "test://watched-resource";
constexpr const char* kPassing = "test://passing-resource";

mcp::ServerOptions options_of(Offer& offer, ArgumentCheck& check, std::string secret,
                              Duration clock) {
  mcp::ServerOptions& options = offer.options;
  options.name = "plumbline-reference";
  options.title = "Plumbline reference server";
  options.instructions = "One fixture for everything that MCP has.";
  options.secret = std::move(secret);
  options.clock = clock;
  options.list_cache.ttl = std::chrono::seconds(1);
  options.list_cache.shared = true;
  options.check_arguments = [&check](const Json& schema, const Json& arguments) {
    return check.judge(schema, arguments);
  };
  return std::move(options);
}

// toggled returns `list` without what is named like `item`, or with `item` when there was none.
std::vector<Json> toggled(std::vector<Json> list, Json item) {
  const std::string name = string_or(item, "name", "");
  const auto named = [&name](const Json& each) { return string_or(each, "name", "") == name; };
  if (std::erase_if(list, named) == 0) list.push_back(std::move(item));
  return list;
}

Json passing_prompt() {
  Json prompt(Json::value_t::object);
  prompt["name"] = "test_passing_prompt";
  prompt["description"] = "Comes and goes";
  return prompt;
}

Json passing_resource() {
  Json resource(Json::value_t::object);
  resource["uri"] = kPassing;
  resource["name"] = "passing-resource";
  resource["description"] = "Comes and goes";
  return resource;
}

}  // namespace

ReferenceServer::ReferenceServer(Loop& loop, std::string secret, EventSink* events, Duration clock)
    : offer_(make_offer(loop)),
      server_(loop, options_of(offer_, check_, std::move(secret), clock), "reference", events) {
  for (Offer::Answerer& answerer : offer_.answerers) {
    server_.handle(std::move(answerer.method), std::move(answerer.target),
                   std::move(answerer.handler));
  }
  for (const Json& tool : server_.options().tools) {
    auto params = transport::param_headers_of(*find(tool, "inputSchema"));
    check(params.ok(), "a tool of ours has a wrong x-mcp-header");
    if (params.value().empty()) continue;
    mirrored_.emplace(string_or(tool, "name", ""), std::move(params).value());
  }
}

const std::vector<transport::ParamHeader>* ReferenceServer::mirrored_params(
    const std::string& tool) const {
  const auto found = mirrored_.find(tool);
  return found == mirrored_.end() ? nullptr : &found->second;
}

Offer ReferenceServer::make_offer(Loop& loop) {
  Offer offer(loop, check_);
  add_content_tools(offer);
  add_running_tools(offer);
  add_asking_tools(offer);
  add_input_tools(offer);
  add_task_tools(offer);
  add_triggers(offer);
  add_prompts(offer);
  add_resources(offer);
  return offer;
}

Task<Reply<Json>> ReferenceServer::change_slowly(mcp::ServerCall /*call*/, Loop& loop) {
  co_await Sleep(loop, after(loop.now(), std::chrono::milliseconds(200)));
  ++watched_version_;
  server_.resource_updated(kWatched);
  co_return text_result("The watched resource has changed");
}

// The triggers change what is offered, for those who want to hear of it.
void ReferenceServer::add_triggers(Offer& offer) {
  offer.tool(plain_tool("test_trigger_tool_change", "Lets a tool come or go"),
             at_once([this](const Json&) -> Reply<Json> {
               server_.set_tools(toggled(server_.options().tools,
                                         plain_tool("test_passing_tool", "Comes and goes")));
               return text_result("The tools have changed");
             }));
  offer.tool(plain_tool("test_trigger_prompt_change", "Lets a prompt come or go"),
             at_once([this](const Json&) -> Reply<Json> {
               server_.set_prompts(toggled(server_.options().prompts, passing_prompt()));
               return text_result("The prompts have changed");
             }));
  offer.tool(plain_tool("test_trigger_resource_list_change", "Lets a resource come or go"),
             at_once([this](const Json&) -> Reply<Json> {
               server_.set_resources(toggled(server_.options().resources, passing_resource()),
                                     server_.options().templates);
               return text_result("The resources have changed");
             }));
  offer.tool(plain_tool("test_trigger_resource_change", "Changes the watched resource"),
             at_once([this](const Json&) -> Reply<Json> {
               ++watched_version_;
               server_.resource_updated(kWatched);
               return text_result("The watched resource has changed");
             }));
  offer.tool(
      plain_tool("test_slow_resource_change", "Takes a while to change the watched resource"),
      [this, &loop = offer.loop()](mcp::ServerCall call) {
        return change_slowly(std::move(call), loop);
      });
  offer.answer("tools/call", "test_passing_tool",
               at_once([](const Json&) -> Reply<Json> { return text_result("Still here"); }));
  offer.answer("prompts/get", "test_passing_prompt", at_once([](const Json&) -> Reply<Json> {
                 Json result(Json::value_t::object);
                 result["messages"].push_back(user_message(text_block("Still here")));
                 return result;
               }));
  offer.answer("resources/read", kPassing, at_once([](const Json&) -> Reply<Json> {
                 return text_contents(kPassing, "Still here");
               }));
  offer.answer("resources/read", kWatched, at_once([this](const Json&) -> Reply<Json> {
                 return text_contents(kWatched, "Version " + std::to_string(watched_version_));
               }));
}

}  // namespace plumbline::reference
