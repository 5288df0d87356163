// How ClientSession answers what the server asks, by the handlers of its options.

#include <utility>

#include "core/mcp/client/client_session.h"

namespace plumbline::mcp {

namespace {

Task<Reply<Json>> prompt_answer(Reply<Json> reply) { co_return std::move(reply); }

}  // namespace

PeerHandler answer_at_once(std::function<Reply<Json>(const Json& params)> answer) {
  return [answer = std::move(answer)](Json params) { return prompt_answer(answer(params)); };
}

const PeerHandler& ClientSession::handler_of(std::string_view method) const {
  const ClientOptions& options = engine_.options();
  if (method == "roots/list") return options.on_list_roots;
  return method == "sampling/createMessage" ? options.on_sample : options.on_elicit;
}

void ClientSession::on_asked(ClientEngine::Asked& asked) {
  Work work;
  work.asked = std::move(asked.id);
  work_on(std::move(work), handler_of(asked.method)(std::move(asked.params)));
}

void ClientSession::on_input_needed(ClientEngine::InputNeeded& needed) {
  inputs_[needed.id].missing = needed.requests.size();
  for (const auto& [name, request] : needed.requests.items()) {
    if (inputs_.find(needed.id) == inputs_.end()) return;  // One has failed.
    const Json* const params = find(request, "params");
    Work work;
    work.call = needed.id;
    work.name = name;
    const PeerHandler& handler = handler_of(string_or(request, "method", ""));
    work_on(std::move(work), handler(params ? *params : Json::object()));
  }
}

void ClientSession::work_on(Work work, Task<Reply<Json>> answer) {
  const std::int64_t id = next_work_++;
  work.task = watch(id, std::move(answer));
  Task<void>& task = works_.emplace(id, std::move(work)).first->second.task;
  task.start();
  if (!task.done()) return;
  Answered answered = std::move(answered_.back());
  answered_.pop_back();
  if (answered_.empty() && dropped_.empty()) settle_.cancel();
  settle_one(std::move(answered));
}

Task<void> ClientSession::watch(std::int64_t work, Task<Reply<Json>> answer) {
  Reply<Json> reply = co_await std::move(answer);
  answered_.push_back(Answered(work, std::move(reply)));
  loop_.arm(settle_, loop_.now());
}

void ClientSession::settle() {
  dropped_.clear();
  for (Answered& answered : std::exchange(answered_, {})) settle_one(std::move(answered));
  pump();
}

// settle_one hands on what a handler has said, unless nobody waits for it any more.
void ClientSession::settle_one(Answered answered) {
  const auto found = works_.find(answered.work);
  if (found == works_.end()) return;
  const Work work = std::move(found->second);
  works_.erase(found);
  if (work.asked) return engine_.answer(*work.asked, std::move(answered.reply));
  const auto inputs = inputs_.find(work.call);
  if (inputs == inputs_.end()) return;
  if (!answered.reply.ok()) {
    inputs_.erase(inputs);
    return engine_.give_up_input(work.call, std::move(answered.reply).error());
  }
  inputs->second.responses[work.name] = std::move(answered.reply).value();
  if (--inputs->second.missing > 0) return;
  Json responses = std::move(inputs->second.responses);
  inputs_.erase(inputs);
  engine_.provide(work.call, std::move(responses), loop_.now());
}

// drop_works stops handlers. Their Tasks go later: one of them may be what is running.
template <typename Which>
void ClientSession::drop_works(Which which) {
  for (auto at = works_.begin(); at != works_.end();) {
    if (!which(at->second)) {
      ++at;
      continue;
    }
    dropped_.push_back(std::move(at->second));
    at = works_.erase(at);
  }
  if (!dropped_.empty()) loop_.arm(settle_, loop_.now());
}

void ClientSession::on_withdrawn(const rpc::RpcId& id) {
  drop_works([&id](const Work& work) { return work.asked == id; });
}

// trace_ended names the request that was on the wire: an opening may have taken several.
void ClientSession::trace_ended(const ClientEngine::Ended& ended) {
  const std::int64_t id = ended.id == opening_id_ ? opening_wire_ : ended.id;
  trace_.request_ended(id, ended.method, ended.reply);
}

void ClientSession::on_ended(ClientEngine::Ended& ended) {
  inputs_.erase(ended.id);
  if (!works_.empty()) {
    drop_works([&ended](const Work& work) { return !work.asked && work.call == ended.id; });
  }
  trace_ended(ended);
  if (ended.method != "subscriptions/listen") {
    return waiters_.finish(ended.id, std::move(ended.reply));
  }
  if (acknowledgements_.waits(ended.id)) {
    if (ended.reply.ok()) {
      ended.reply =
          Failure(Failure::Kind::kInvalidReply, "the subscription was never acknowledged");
    }
    return acknowledgements_.finish(ended.id, std::move(ended.reply));
  }
  const SubscriptionEnded& tell = engine_.options().on_subscription_ended;
  if (tell) tell(ended.id, ended.reply);
}

}  // namespace plumbline::mcp
