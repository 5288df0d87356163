// PacedConnection sends requests no faster than the limit of their agent allows, and none while the
// agent is not well: those that come too soon wait in it, in their order. What is no request does
// not wait, and what asks whether the agent is there waits for the limit alone. The connections of
// one agent take turns.

#pragma once

#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <utility>

#include "core/base/loop.h"
#include "core/connector/limits/rate_limiter.h"
#include "core/mcp/transport/connection.h"

namespace plumbline::connector {

class PacedChannel;

// RequestPacer lets the requests of one agent through.
class RequestPacer {
 public:
  // IsWell returns whether the agent is to get requests now; else it gets what asks whether it is.
  using IsWell = std::function<bool()>;

  // `loop` must outlive the pacer, and the pacer the connections that it paces.
  RequestPacer(Loop& loop, const RateLimitConfig& config, IsWell is_well)
      : loop_(loop), limiter_(config), is_well_(std::move(is_well)), due_([this] { serve(); }) {}
  RequestPacer(const RequestPacer&) = delete;
  RequestPacer& operator=(const RequestPacer&) = delete;

  // refused tells that the agent has refused a request as coming too soon: see RateLimiter.
  void refused(std::optional<Duration> asked);

  // healed tells that requests may go again.
  void healed() { serve(); }

  const RateLimiter& limiter() const { return limiter_; }

  // held returns how often a request had to wait, and waiting how many wait now.
  std::int64_t held() const { return held_; }
  std::size_t waiting() const;

 private:
  friend class PacedChannel;

  bool may_go(std::string_view method);
  bool may_have(std::string_view method) const;
  void enter(PacedChannel& channel);
  void leave(PacedChannel& channel) { turns_.remove(&channel); }
  void serve();

  Loop& loop_;
  RateLimiter limiter_;
  IsWell is_well_;
  std::int64_t held_ = 0;
  std::list<PacedChannel*> turns_;  // Those with a request that waits; the next one first.
  Alarm due_;
};

class PacedChannel final : public transport::MessageChannel {
 public:
  PacedChannel(transport::MessageChannel& inner, RequestPacer& pacer)
      : inner_(inner), pacer_(pacer) {}
  ~PacedChannel() override { pacer_.leave(*this); }

  // implements MessageChannel ---
  //
  // A request that is taken back while it waits is never sent.
  void start(transport::MessageReceiver& receiver) override { inner_.start(receiver); }
  void send(Json message) override;
  void send_about(Json message, const rpc::RpcId& about) override {
    inner_.send_about(std::move(message), about);
  }
  void close_stream(const rpc::RpcId& about) override { inner_.close_stream(about); }
  void leave_unanswered(const rpc::RpcId& about) override { inner_.leave_unanswered(about); }
  void close_send() override;
  void close() override;

 private:
  friend class RequestPacer;

  bool take_back(const Json& cancelled);

  transport::MessageChannel& inner_;
  RequestPacer& pacer_;
  std::deque<Json> waiting_;
};

class PacedConnection final : public transport::Connection {
 public:
  PacedConnection(std::unique_ptr<transport::Connection> inner, RequestPacer& pacer)
      : inner_(std::move(inner)), channel_(inner_->channel(), pacer) {}

  // implements Connection ---
  transport::Place place() const override { return inner_->place(); }
  transport::MessageChannel& channel() override { return channel_; }
  std::string diagnosis() const override { return inner_->diagnosis(); }
  Task<void> ended(Instant deadline) override { return inner_->ended(deadline); }
  Task<void> close() override { return inner_->close(); }

 private:
  std::unique_ptr<transport::Connection> inner_;
  PacedChannel channel_;
};

}  // namespace plumbline::connector
