#include "fakes/fleet/sim_agent.h"

#include <map>
#include <utility>

#include "core/base/wait.h"

namespace plumbline::fakes {

namespace {

constexpr Duration kRetryAfter = std::chrono::seconds(2);
constexpr Duration kBetweenCalls = std::chrono::seconds(1);

Json answer_to(const Json& request) {
  Json answer = Json::object();
  answer["jsonrpc"] = "2.0";
  answer["id"] = request.at("id");
  return answer;
}

}  // namespace

// A Channel answers from the loop: each request after the latency of its agent.
class SimAgent::Channel final : public transport::MessageChannel {
 public:
  Channel(SimAgent& agent, std::string principal)
      : agent_(agent), principal_(std::move(principal)), wake_([this] { deliver(); }) {
    agent_.channels_.push_back(this);
    agent_.watch_.on_opened(agent_, principal_);
  }
  ~Channel() override { end(); }

  void say(Json message, Duration wait) {
    const Instant due = after(agent_.loop_.now(), wait);
    outbox_.emplace(due, std::move(message));
    agent_.loop_.arm(wake_, outbox_.begin()->first);
  }

  // break_off tells the other side that the connection is gone, from the loop.
  void break_off() {
    broken_ = true;
    agent_.loop_.arm(wake_, agent_.loop_.now());
    end();
  }

  // implements MessageChannel ---
  void start(transport::MessageReceiver& receiver) override { receiver_ = &receiver; }
  void send(Json message) override {
    if (!open_) return;
    agent_.watch_.on_sent(agent_, principal_, message);
    const bool asks = find(message, "id") != nullptr && find(message, "method") != nullptr;
    if (!asks) return;
    Json answer = agent_.answer(message);
    const bool opening = string_or(message, "method", "") == "initialize";
    const bool half = !opening && agent_.troubles.half > 0 && agent_.rng_.chance(1, 2);
    if (half || agent_.troubles.hangs > 0) return;
    say(std::move(answer), agent_.latency_ + agent_.troubles.slow);
  }
  void close_send() override {}
  void close() override {
    receiver_ = nullptr;
    end();
  }

 private:
  void end() {
    if (!std::exchange(open_, false)) return;
    agent_.channels_.remove(this);
    agent_.watch_.on_closed(agent_, principal_);
  }

  void deliver() {
    if (broken_) {
      const Error gone{ErrorCode::kDisconnected, "the connection was reset"};
      if (auto* const receiver = std::exchange(receiver_, nullptr)) receiver->on_closed(&gone);
      return;
    }
    if (receiver_ == nullptr || outbox_.empty()) return;
    Json message = std::move(outbox_.begin()->second);
    outbox_.erase(outbox_.begin());
    if (!outbox_.empty()) agent_.loop_.arm(wake_, outbox_.begin()->first);
    receiver_->on_message(std::move(message));
  }

  SimAgent& agent_;
  std::string principal_;
  bool open_ = true;
  bool broken_ = false;
  transport::MessageReceiver* receiver_ = nullptr;
  std::multimap<Instant, Json> outbox_;
  Alarm wake_;
};

class SimAgent::Link final : public transport::Connection {
 public:
  Link(SimAgent& agent, std::string principal)
      : agent_(agent), channel_(agent, std::move(principal)) {}

  // implements Connection ---
  transport::Place place() const override { return {agent_.name_, agent_.name_}; }
  transport::MessageChannel& channel() override { return channel_; }
  std::string diagnosis() const override { return ""; }
  Task<void> close() override {
    channel_.close();
    co_return;
  }

 private:
  SimAgent& agent_;
  Channel channel_;
};

SimAgent::SimAgent(Loop& loop, AgentsWatch& watch, std::string name, Duration latency, Rng rng)
    : loop_(loop), watch_(watch), name_(std::move(name)), latency_(latency), rng_(rng) {}

SimAgent::~SimAgent() = default;

void SimAgent::break_off() {
  if (troubles.down == 0) return;
  while (!channels_.empty()) channels_.front()->break_off();
}

void SimAgent::restart() {
  ++version_;
  while (!channels_.empty()) channels_.front()->break_off();
}

void SimAgent::change_tools() {
  ++version_;
  Json told = Json::object();
  told["jsonrpc"] = "2.0";
  told["method"] = "notifications/tools/list_changed";
  for (Channel* const channel : channels_) channel->say(told, latency_);
}

Task<Result<std::unique_ptr<transport::Connection>>> SimAgent::dial(std::string principal) {
  const Instant reached = after(loop_.now(), latency_);
  co_await Sleep(loop_, reached);
  if (troubles.down > 0) co_return Error{ErrorCode::kDisconnected, name_ + " refuses"};
  if (troubles.certificate > 0) {
    co_return Error{ErrorCode::kDisconnected,
                    name_ + ": its certificate is not the one that is trusted"};
  }
  std::unique_ptr<transport::Connection> link = std::make_unique<Link>(*this, std::move(principal));
  co_return link;
}

bool SimAgent::lets_through() {
  if (troubles.throttled == 0) return true;
  if (loop_.now() < next_call_) return false;
  next_call_ = after(loop_.now(), kBetweenCalls);
  return true;
}

Json SimAgent::tools() const {
  Json list = Json::array();
  for (const std::string& name : {std::string("work"), "version-" + std::to_string(version_)}) {
    Json tool = Json::object();
    tool["name"] = name;
    tool["inputSchema"]["type"] = "object";
    list.push_back(std::move(tool));
  }
  return list;
}

Json SimAgent::answer(const Json& request) {
  Json out = answer_to(request);
  const std::string method = string_or(request, "method", "");
  Json& result = out["result"];
  result = Json::object();
  if (method == "initialize") {
    result["protocolVersion"] = "2025-11-25";
    result["capabilities"]["tools"]["listChanged"] = true;
    result["serverInfo"]["name"] = name_;
    result["serverInfo"]["version"] = std::to_string(version_);
  } else if (method == "tools/list") {
    result["tools"] = tools();
  } else if (method == "tools/call" && !lets_through()) {
    out.erase("result");
    Json& error = out["error"];
    error["code"] = -32000;
    error["message"] = "not so fast";
    error["data"]["status"] = 429;
    error["data"]["retryAfter"] = kRetryAfter / std::chrono::seconds(1);
  } else if (method == "tools/call") {
    watch_.on_executed(*this, request.at("params"));
    Json text = Json::object();
    text["type"] = "text";
    text["text"] = "done";
    result["content"] = Json::array({std::move(text)});
  }
  return out;
}

}  // namespace plumbline::fakes
