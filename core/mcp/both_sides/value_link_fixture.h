// Two channels joined back to back, and the smallest Loop, for tests of the sessions.

#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/loop.h"
#include "core/base/timer_queue.h"
#include "core/events/trace_event.h"
#include "core/mcp/both_sides/wire_judge_fixture.h"
#include "core/mcp/transport/message_channel.h"

namespace plumbline::mcp {

// TinyLoop fires what is due and jumps to the next.
class TinyLoop final : public Loop {
 public:
  Instant now() const override { return now_; }
  void arm(Timer& timer, Instant when) override { queue_.arm(timer, std::max(when, now_), 0); }
  bool idle() const { return queue_.empty(); }

  // run_until fires everything due up to `end`; run() everything there is.
  void run_until(Instant end) {
    while (!queue_.empty() && queue_.next_due() <= end) {
      now_ = queue_.next_due();
      queue_.fire_next();
    }
    if (end != kNever) now_ = std::max(now_, end);
  }
  void run() { run_until(kNever); }

 private:
  Instant now_{};
  TimerQueue queue_;
};

// ValueLink carries messages between its two ends, each on a later turn, in order.
class ValueLink {
 public:
  class End final : public transport::MessageChannel {
   public:
    explicit End(Loop& loop) : loop_(loop), wake_([this] { deliver(); }) {}

    void start(transport::MessageReceiver& receiver) override { receiver_ = &receiver; }
    void send(Json message) override {
      if (closed_ || peer_->closed_) return;
      if (judge_ != nullptr) judge_->sent(by_client_, message);
      peer_->inbox_.push_back(std::move(message));
      peer_->rouse();
    }
    void close_send() override {
      peer_->ended_ = true;
      peer_->rouse();
    }
    void close() override {
      closed_ = true;
      close_send();
    }

   private:
    friend class ValueLink;

    void rouse() {
      if (!wake_.armed()) loop_.arm(wake_, loop_.now());
    }
    void deliver() {
      std::vector<Json> batch = std::exchange(inbox_, {});
      for (Json& message : batch) {
        if (!closed_) receiver_->on_message(std::move(message));
      }
      if (ended_ && inbox_.empty() && !closed_) {
        closed_ = true;
        receiver_->on_closed(nullptr);
      }
    }

    Loop& loop_;
    WireJudge* judge_ = nullptr;
    bool by_client_ = false;
    End* peer_ = nullptr;
    transport::MessageReceiver* receiver_ = nullptr;
    std::vector<Json> inbox_;
    bool ended_ = false;
    bool closed_ = false;
    Alarm wake_;
  };

  // Borrowed is an end for who wants to own a channel. The link must outlive it.
  class Borrowed final : public transport::MessageChannel {
   public:
    explicit Borrowed(End& end) : end_(end) {}

    void start(transport::MessageReceiver& receiver) override { end_.start(receiver); }
    void send(Json message) override { end_.send(std::move(message)); }
    void close_send() override { end_.close_send(); }
    void close() override { end_.close(); }

   private:
    End& end_;
  };

  // `judge`, if there is one, sees every message.
  explicit ValueLink(Loop& loop, WireJudge* judge = nullptr) : client(loop), server(loop) {
    client.peer_ = &server;
    server.peer_ = &client;
    client.judge_ = server.judge_ = judge;
    client.by_client_ = true;
  }

  End client;
  End server;
};

// EventLog keeps each event as "kind detail".
class EventLog final : public EventSink {
 public:
  void on_event(const TraceEvent& event) override {
    lines.push_back(std::string(event.who) + " " + std::string(name_of(event.kind)) + " " +
                    dump_json(event.detail));
  }
  std::vector<std::string> lines;
};

}  // namespace plumbline::mcp
