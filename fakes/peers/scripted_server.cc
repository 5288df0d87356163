#include "fakes/peers/scripted_server.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "fakes/peers/server_answers.h"
#include "fakes/peers/server_ear.h"
#include "fakes/peers/server_exchange.h"
#include "fakes/peers/server_line.h"
#include "fakes/peers/stateless.h"

namespace plumbline::fakes {

namespace {

constexpr int kParseError = -32700;
constexpr int kInvalidRequest = -32600;

// matches returns whether a rule is about this request, counting aside.
bool matches(const Rule& rule, std::string_view method, const Json& params) {
  if (rule.method != method) return false;
  if (rule.without && find(params, *rule.without) != nullptr) return false;
  if (!rule.name) return true;
  return string_or(params, "name", string_or(params, "uri", "")) == *rule.name;
}

bool fails(const Behaviour& steps) {
  return std::ranges::any_of(steps, [](const Step& step) { return step.kind == StepKind::kError; });
}

std::unique_ptr<ServerPort> told(std::unique_ptr<ServerPort> port, ServerEar* ear) {
  return ear == nullptr ? std::move(port) : make_told_port(std::move(port), *ear);
}

Json take_member(Json& object, std::string_view key) {
  const auto member = object.find(key);
  return member == object.end() ? Json() : std::move(*member);
}

}  // namespace

ScriptedServer::ScriptedServer(const ServerScript& script, const ServerWorld& world,
                               std::unique_ptr<ServerPort> port, Process* process)
    : script_(script),
      world_(world),
      line_(std::make_unique<ServerLine>(script, told(std::move(port), world.ear), process)),
      desk_(std::make_unique<ServerDesk>(script_, world_, *line_)),
      ready_([this] { line_->start(*this); }) {
  world_.memory.rule_hits.resize(script_.rules.size());
  world_.memory.rules_used.resize(script_.rules.size());
  if (process != nullptr) process->on_stderr_room([this] { go_on(); });
}

ScriptedServer::~ScriptedServer() = default;

void ScriptedServer::start() {
  ++world_.memory.starts;
  line_->write_stderr(script_.stderr_text);
  if (const Behaviour* const steps = matching_rule("startup", {})) {
    work_on({"startup", {}, {}}, steps);
  }
  if (line_->ended()) return;
  if (script_.startup == Duration()) return line_->start(*this);
  world_.loop.arm(ready_, after(world_.loop.now(), script_.startup));
}

void ScriptedServer::resume() { line_->start(*this); }

std::size_t ScriptedServer::pending() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      desk_->open, [](const std::unique_ptr<Exchange>& exchange) { return !exchange->done(); }));
}

void ScriptedServer::on_message(Json message) {
  if (line_->ended()) return;
  if (line_->stuck()) return unread_.push_back(std::move(message));
  std::erase_if(desk_->open,
                [](const std::unique_ptr<Exchange>& exchange) { return exchange->done(); });
  take(std::move(message));
}

void ScriptedServer::on_garbage(std::string_view, const Error&) {
  if (line_->ended() || script_.deviations.has(Deviation::kParseErrorIgnored)) return;
  line_->refuse(kParseError, "Parse error");
}

void ScriptedServer::on_closed(const Error*) {
  if (line_->stuck() || script_.deviations.has(Deviation::kIgnoresStdinClose)) return;
  desk_->open.clear();
  line_->end({});
}

void ScriptedServer::go_on() {
  for (std::size_t i = 0; i < desk_->open.size() && !line_->stuck(); ++i) desk_->open[i]->go_on();
  while (!unread_.empty() && !line_->stuck()) {
    Json message = std::move(unread_.front());
    unread_.pop_front();
    on_message(std::move(message));
  }
}

void ScriptedServer::take(Json message) {
  const std::optional<std::string> method = find_string(message, "method");
  const Json* const id = find(message, "id");
  const bool version = string_or(message, "jsonrpc", "") == "2.0";
  if (version && method && id == nullptr) {
    return take_notification({*method, take_member(message, "params"), {}});
  }
  if (version && method && (id->is_string() || id->is_number())) {
    Json own_id = *id;
    return take_request({*method, take_member(message, "params"), std::move(own_id)});
  }
  if (version && !method && id != nullptr &&
      (message.contains("result") || message.contains("error"))) {
    return take_response(*id);
  }
  line_->refuse(kInvalidRequest, "Invalid Request");
}

void ScriptedServer::take_request(ServerRequest request) {
  const Behaviour* steps = matching_rule(request.method, request.params);
  if (steps == nullptr && script_.is_stateless()) {
    std::optional<Answer> refusal = refuse_stateless(script_, request.method, request.params);
    if (refusal) {
      return line_->answer(request, *request.id, *std::move(refusal));
    }
  } else if (steps == nullptr && refuse_by_lifecycle(request)) {
    return;
  }
  if (request.method == "initialize") initialized_ = steps == nullptr || !fails(*steps);
  if (steps == nullptr) {
    if (request.method == "ping" && script_.deviations.has(Deviation::kPingUnanswered)) return;
    steps = scripted_behaviour(script_, request.method, request.params);
  }
  work_on(std::move(request), steps);
}

// refuse_by_lifecycle answers with an error what comes before initialize, and a second initialize;
// where the script says so, what comes before notifications/initialized, too.
bool ScriptedServer::refuse_by_lifecycle(const ServerRequest& request) {
  const bool second = initialized_ && request.method == "initialize" &&
                      !script_.deviations.has(Deviation::kInitializeTwiceAccepted);
  const bool early = !initialized_ && request.method != "initialize" && request.method != "ping" &&
                     !script_.deviations.has(Deviation::kAnswersBeforeInitialize);
  const bool hasty = initialized_ && !acknowledged_ && request.method != "initialize" &&
                     request.method != "ping" &&
                     script_.deviations.has(Deviation::kRefusesBeforeInitialized);
  if (!second && !early && !hasty) return false;
  line_->answer(
      request, *request.id,
      make_error(kInvalidRequest, second ? "Already initialized" : "Server is not initialized"));
  return true;
}

void ScriptedServer::take_notification(ServerRequest request) {
  if (script_.deviations.has(Deviation::kAnswersNotifications)) {
    line_->message({{"jsonrpc", "2.0"}, {"id", nullptr}, {"result", Json::object()}});
  }
  if (request.method == "notifications/initialized") {
    acknowledged_ = true;
    if (script_.deviations.has(Deviation::kListChangedUndeclared)) {
      line_->notify("notifications/prompts/list_changed", nullptr);
    }
  }
  const Json* const cancelled =
      request.method == "notifications/cancelled" ? find(request.params, "requestId") : nullptr;
  if (cancelled != nullptr && !script_.deviations.has(Deviation::kIgnoresCancel)) {
    for (const std::unique_ptr<Exchange>& exchange : desk_->open) exchange->cancel(*cancelled);
  }
  if (const Behaviour* const steps = matching_rule(request.method, request.params)) {
    work_on(std::move(request), steps);
  }
}

void ScriptedServer::take_response(const Json& id) {
  for (std::size_t i = 0; i < desk_->open.size(); ++i) {
    if (desk_->open[i]->hear(id)) return;
  }
}

void ScriptedServer::work_on(ServerRequest request, const Behaviour* steps) {
  const bool stays = script_.is_stateless() && request.method == "subscriptions/listen";
  if (steps == nullptr && script_.latency == Duration() && !stays) {
    Exchange(*desk_, std::move(request), nullptr).start();
    return;
  }
  desk_->open.push_back(std::make_unique<Exchange>(*desk_, std::move(request), steps));
  desk_->open.back()->start();
}

const Behaviour* ScriptedServer::matching_rule(std::string_view method, const Json& params) {
  const Behaviour* first = nullptr;
  for (std::size_t i = 0; i < script_.rules.size(); ++i) {
    const Rule& rule = script_.rules[i];
    if (!matches(rule, method, params)) continue;
    const std::int64_t hit = ++world_.memory.rule_hits[i];
    if (world_.ear != nullptr) world_.ear->rule_met(i);
    if (first != nullptr || (rule.nth && *rule.nth != hit)) continue;
    first = &rule.steps;
    world_.memory.rules_used[i] = true;
    if (world_.ear != nullptr) world_.ear->rule_followed(i);
  }
  return first;
}

namespace {

class ScriptedProgram final : public Program {
 public:
  ScriptedProgram(const ServerScript& script, const ServerWorld& world, SimPipe& stdio,
                  Process& process)
      : script_(script), server_(script, world, make_server_port(stdio), &process) {
    server_.start();
  }
  bool ignores_terminate() const override { return script_.ignores_term; }

 private:
  const ServerScript& script_;
  ScriptedServer server_;
};

}  // namespace

ProgramFactory scripted_program(const ServerScript& script, const ServerWorld& world) {
  return [&script, world](const net::Command&, SimPipe& stdio, Process& process) {
    return std::make_unique<ScriptedProgram>(script, world, stdio, process);
  };
}

}  // namespace plumbline::fakes
