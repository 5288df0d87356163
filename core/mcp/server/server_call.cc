#include "core/mcp/server/server_call.h"

namespace plumbline::mcp {

namespace {

Task<Reply<Json>> ready_reply(Reply<Json> reply) { co_return std::move(reply); }

Task<Reply<Json>> ask_one(ServerCall call, Ask ask, Instant deadline) {
  const std::string name = ask.name;
  std::vector<Ask> asks;
  asks.push_back(std::move(ask));
  Reply<Json> answers = co_await call.ask_all(std::move(asks), deadline);
  if (!answers.ok()) co_return std::move(answers);
  co_return std::move(answers.value()[name]);
}

}  // namespace

Json ServerCall::arguments() const {
  const Json* const given = find(params, "arguments");
  return given != nullptr && given->is_object() ? *given : Json::object();
}

Task<Reply<Json>> ServerCall::ask(std::string name, std::string method, Json question,
                                  Instant deadline) const {
  ServerCall call;
  call.host = host;
  call.key = key;
  Ask one{std::move(name), std::move(method), std::move(question)};
  return ask_one(std::move(call), std::move(one), deadline);
}

Reply<Json> ServerCall::become_task(
    const std::function<Task<Reply<Json>>(ServerCall)>& rest) const {
  return host->become_task(
      ServerEngine::Call{key, "tools/call", target, params, std::nullopt, principal}, rest);
}

ServerHandler at_once(std::function<Reply<Json>(const Json& params)> answer) {
  return [answer = std::move(answer)](ServerCall call) { return ready_reply(answer(call.params)); };
}

void ServerHandlers::set(std::string method, std::string target, ServerHandler handler) {
  handlers_[Target(std::move(method), std::move(target))] = std::move(handler);
}

const ServerHandler* ServerHandlers::find(const std::string& method,
                                          const std::string& target) const {
  auto found = handlers_.find(Target(method, target));
  if (found == handlers_.end()) found = handlers_.find(Target(method, std::string()));
  return found == handlers_.end() ? nullptr : &found->second;
}

}  // namespace plumbline::mcp
