#include "fakes/peers/server_exchange.h"

#include <utility>

#include "fakes/peers/placeholders.h"
#include "fakes/peers/server_answers.h"
#include "fakes/peers/stateless.h"

namespace plumbline::fakes {

void Exchange::start() {
  if (request_.id && desk_.script.latency > Duration()) return wait(desk_.script.latency);
  run();
}

void Exchange::cancel(const Json& id) {
  if (deaf_ || !request_.id || *request_.id != id || request_.method == "initialize") return;
  disarm();
  stop_listening();
  state_ = State::kDone;
}

bool Exchange::hear(const Json& id) {
  if (state_ != State::kAsking || asked_ != id) return false;
  run();
  return true;
}

void Exchange::go_on() {
  if (state_ == State::kStuck) run();
}

void Exchange::wake(std::string_view label) {
  if (state_ != State::kHolding || label_ != label) return;
  wait(Duration());
}

void Exchange::run() {
  state_ = State::kRunning;
  while (state_ == State::kRunning) {
    if (desk_.line.stuck()) state_ = State::kStuck;
    if (state_ == State::kStuck) return;
    if (steps_ == nullptr || next_step_ == steps_->size()) return finish();
    step((*steps_)[next_step_++]);
    if (desk_.line.ended()) state_ = State::kDone;
  }
}

void Exchange::finish() {
  state_ = State::kDone;
  if (answered_ || !request_.id) return;
  if (desk_.script.is_stateless() && request_.method == "subscriptions/listen") return listen();
  reply(default_answer(desk_.script, request_.method, request_.params));
}

void Exchange::wait(Duration span) {
  state_ = State::kWaiting;
  desk_.world.loop.arm(*this, after(desk_.world.loop.now(), span));
}

void Exchange::hang() {
  answered_ = true;
  state_ = State::kHanging;
}

// listen says what it will tell of, and stays open.
void Exchange::listen() {
  filter_ = honoured(desk_.script, request_.params);
  Json params = Json::object();
  params["notifications"] = *filter_;
  desk_.line.notify("notifications/subscriptions/acknowledged",
                    with_subscription(std::move(params), *request_.id), *request_.id);
  desk_.world.memory.listeners.push_back(this);
  hang();
}

void Exchange::stop_listening() {
  if (std::exchange(filter_, std::nullopt)) {
    std::erase(desk_.world.memory.listeners, static_cast<Listener*>(this));
  }
}

void Exchange::on_change(std::string_view method, const Json& params) {
  if (!filter_ || !wants(*filter_, method, params)) return;
  desk_.line.notify(method, with_subscription(params, *request_.id), *request_.id);
}

// notify sends a notification with the answer; one of a change to those who listen for it.
void Exchange::notify(const Step& step) {
  if (++notified_ < step.times) {
    --next_step_;  // Once more, after a while.
    wait(step.wait);
  } else {
    notified_ = 0;
  }
  const Json all = filled(step);
  const Json* const found = find(all, "params");
  const Json params = found == nullptr ? Json() : *found;
  const std::string method = string_or(step.value, "method", "");
  if (!desk_.script.is_stateless() || !is_change(method)) {
    return desk_.line.notify(method, params, request_.id.value_or(nullptr));
  }
  const std::vector<Listener*> listeners = desk_.world.memory.listeners;
  for (Listener* const listener : listeners) listener->on_change(method, params);
}

void Exchange::step(const Step& step) {
  switch (step.kind) {
    case StepKind::kDelay:
      return wait(step.wait);
    case StepKind::kLate:
      deaf_ = true;
      return wait(step.wait);
    case StepKind::kEffect:
      return commit(step.effect);
    case StepKind::kHang:
      return hang();
    case StepKind::kHold:
      if (desk_.released.contains(step.text)) return;
      label_ = step.text;
      state_ = State::kHolding;
      return;
    case StepKind::kRelease:
      return release(step.text);
    case StepKind::kReplyTo:
      reply_to_ = step.value;
      return;
    case StepKind::kClose:
      answered_ = true;
      return desk_.line.close();
    case StepKind::kReset:
      answered_ = true;
      return desk_.line.reset();
    case StepKind::kCrash:
      return desk_.line.end(step.exit);
    default:
      return say(step);
  }
}

// say runs a step that sends something.
void Exchange::say(const Step& step) {
  switch (step.kind) {
    case StepKind::kReply:
      return reply({false, filled(step)});
    case StepKind::kError:
      return reply({true, filled(step)});
    case StepKind::kToolError: {
      Json item = {{"type", "text"}, {"text", filled_text(step)}};
      Json body = {{"isError", true}};
      body["content"] = Json::array({std::move(item)});
      return reply({false, std::move(body)});
    }
    case StepKind::kNotify:
      return notify(step);
    case StepKind::kProgress:
      return report_progress(step.value);
    case StepKind::kRequest: {
      const Json* const params = find(step.value, "params");
      const Json* const id = find(step.value, "id");
      state_ = State::kAsking;
      asked_ = id == nullptr ? desk_.line.new_id() : *id;
      return desk_.line.request(asked_, string_or(step.value, "method", ""),
                                params == nullptr ? Json() : *params,
                                request_.id.value_or(nullptr));
    }
    case StepKind::kGarbage:
      return desk_.line.raw(fill_id(step.text, request_.id.value_or(nullptr)));
    case StepKind::kRaw: {
      answered_ = true;
      Json message = filled(step);
      if (step.templated) fill_id_in(message, request_.id.value_or(nullptr));
      return desk_.line.message(std::move(message));
    }
    case StepKind::kDuplicate:
      if (!last_) reply(default_answer(desk_.script, request_.method, request_.params));
      return reply(*last_);
    case StepKind::kStderr:
      return desk_.line.write_stderr(step.text);
    case StepKind::kHalfLine:
      return half_reply();
    default:
      check(false, "a step that nobody runs");
  }
}

void Exchange::reply(Answer answer) {
  answered_ = true;
  if (!request_.id) return;
  commit_declared(answer);
  if (steps_ != nullptr) last_ = answer;  // A step may repeat it.
  desk_.line.answer(request_, reply_to_.value_or(*request_.id), std::move(answer));
}

void Exchange::half_reply() {
  answered_ = true;
  if (!request_.id) return;
  Answer answer = last_ ? *last_ : default_answer(desk_.script, request_.method, request_.params);
  commit_declared(answer);
  desk_.line.half_answer(request_, reply_to_.value_or(*request_.id), std::move(answer));
}

void Exchange::commit_declared(const Answer& answer) {
  if (committed_ || answer.failed || request_.method != "tools/call") return;
  if (bool_or(answer.body, "isError", false)) return;
  const ToolScript* const tool = find_tool(desk_.script, request_.params);
  if (tool == nullptr || !tool->effect) return;
  committed_ = true;
  commit(*tool->effect);
}

void Exchange::commit(const EffectSpec& effect) {
  const bool call = request_.method == "tools/call";
  std::string key =
      effect.key.empty() ? effect_key(arguments()) : fill_placeholders(effect.key, arguments());
  desk_.world.ledger.commit(desk_.world.memory.name,
                            call ? string_or(request_.params, "name", "") : request_.method,
                            std::move(key), effect.idempotent);
}

void Exchange::report_progress(const Json& list) {
  const Json* const token = progress_token(request_.params);
  if (token == nullptr) return;
  for (const Json& item : list) {
    Json params = item.is_object() ? item : Json{{"progress", item}};
    params["progressToken"] = *token;
    desk_.line.notify("notifications/progress", std::move(params), request_.id.value_or(nullptr));
  }
}

void Exchange::release(const std::string& label) {
  desk_.released.insert(label);
  for (const std::unique_ptr<Exchange>& other : desk_.open) other->wake(label);
}

Json Exchange::filled(const Step& step) const {
  Json value = step.value;
  if (step.templated) fill_placeholders_in(value, arguments());
  return value;
}

std::string Exchange::filled_text(const Step& step) const {
  return step.templated ? fill_placeholders(step.text, arguments()) : step.text;
}

const Json& Exchange::arguments() const {
  const Json* const arguments = find(request_.params, "arguments");
  return arguments == nullptr ? request_.params : *arguments;
}

}  // namespace plumbline::fakes
