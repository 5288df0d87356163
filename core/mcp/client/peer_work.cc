#include "core/mcp/client/peer_work.h"

#include <utility>

namespace plumbline::mcp {

namespace {

Task<Reply<Json>> prompt_answer(Reply<Json> reply) { co_return std::move(reply); }

}  // namespace

PeerHandler answer_at_once(std::function<Reply<Json>(const Json& params)> answer) {
  return [answer = std::move(answer)](const Json& params) { return prompt_answer(answer(params)); };
}

const PeerHandler& handler_of(const ClientOptions& options, std::string_view method) {
  if (method == "roots/list") return options.on_list_roots;
  return method == "sampling/createMessage" ? options.on_sample : options.on_elicit;
}

PeerWork::PeerWork(Loop& loop, ClientEngine& engine, std::function<void()> on_settled)
    : loop_(loop),
      engine_(engine),
      on_settled_(std::move(on_settled)),
      settle_([this] { settle(); }) {}

void PeerWork::start(ClientEngine::Asked& asked) {
  Work work;
  work.asked = std::move(asked.id);
  run(std::move(work), handler_of(engine_.options(), asked.method)(std::move(asked.params)));
}

void PeerWork::start(ClientEngine::InputNeeded& needed) {
  inputs_[needed.id].missing = needed.requests.size();
  for (const auto& [name, request] : needed.requests.items()) {
    if (inputs_.find(needed.id) == inputs_.end()) return;  // One has failed.
    const Json* const params = find(request, "params");
    Work work;
    work.call = needed.id;
    work.name = name;
    const PeerHandler& handler = handler_of(engine_.options(), string_or(request, "method", ""));
    run(std::move(work), handler(params ? *params : Json::object()));
  }
}

void PeerWork::run(Work work, Task<Reply<Json>> answer) {
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

Task<void> PeerWork::watch(std::int64_t work, Task<Reply<Json>> answer) {
  Reply<Json> reply = co_await std::move(answer);
  answered_.push_back(Answered(work, std::move(reply)));
  loop_.arm(settle_, loop_.now());
}

void PeerWork::settle() {
  dropped_.clear();
  for (Answered& answered : std::exchange(answered_, {})) settle_one(std::move(answered));
  on_settled_();
}

// settle_one hands on what a handler has said, unless nobody waits for it any more.
void PeerWork::settle_one(Answered answered) {
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

// drop stops handlers. Their Tasks go later: one of them may be what is running.
template <typename Which>
void PeerWork::drop(Which which) {
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

void PeerWork::stop(const rpc::RpcId& asked) {
  drop([&asked](const Work& work) { return work.asked == asked; });
}

void PeerWork::stop(std::int64_t call) {
  inputs_.erase(call);
  if (works_.empty()) return;
  drop([call](const Work& work) { return !work.asked && work.call == call; });
}

}  // namespace plumbline::mcp
