// Exchange is one request, or notification, that a scripted server works on: it runs the steps of
// a behaviour one after another and parks where a step has to wait.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/loop.h"
#include "core/json/json.h"
#include "fakes/peers/server_line.h"
#include "fakes/peers/server_script.h"
#include "fakes/peers/server_world.h"

namespace plumbline::fakes {

class Exchange;

// ServerDesk is what the exchanges of one server share.
struct ServerDesk {
  ServerDesk(const ServerScript& own_script, const ServerWorld& own_world, ServerLine& own_line)
      : script(own_script), world(own_world), line(own_line) {}

  const ServerScript& script;
  const ServerWorld& world;
  ServerLine& line;
  std::vector<std::unique_ptr<Exchange>> open;
  std::set<std::string, std::less<>> released;  // Labels.
};

class Exchange final : private Timer, private Listener {
 public:
  // `steps` may be null: the default answer alone. It and `desk` must outlive the exchange.
  Exchange(ServerDesk& desk, ServerRequest request, const Behaviour* steps)
      : desk_(desk), request_(std::move(request)), steps_(steps) {}
  ~Exchange() { stop_listening(); }

  // start waits for the script's latency, where there is an answer to delay, and runs the steps.
  void start();

  // done returns whether nothing is left to do. What hangs is never done.
  bool done() const { return state_ == State::kDone; }

  // cancel stops the work on the request `id`, unless it is at a step that does not care.
  void cancel(const Json& id);

  // hear goes on after the client's answer to the question `id`. Returns whether it was asked here.
  bool hear(const Json& id);

  // go_on goes on after the process stood still.
  void go_on();

  // wake goes on, from the loop, when `label` is what it holds for.
  void wake(std::string_view label);

 private:
  enum class State { kRunning, kWaiting, kHolding, kAsking, kHanging, kStuck, kDone };

  void fire() override { run(); }
  // implements Listener ---
  void on_change(std::string_view method, const Json& params) override;

  void run();
  void step(const Step& step);
  void say(const Step& step);
  void finish();
  void wait(Duration span);
  void hang();
  void listen();
  void stop_listening();
  void notify(const Step& step);
  void reply(Answer answer);
  void half_reply();
  void commit_declared(const Answer& answer);
  void commit(const EffectSpec& effect);
  void report_progress(const Json& list);
  void release(const std::string& label);
  Json filled(const Step& step) const;
  std::string filled_text(const Step& step) const;
  const Json& arguments() const;

  ServerDesk& desk_;
  ServerRequest request_;
  const Behaviour* steps_;
  std::size_t next_step_ = 0;
  std::int64_t notified_ = 0;  // By the step that is under way.
  State state_ = State::kRunning;
  bool answered_ = false;   // Or a step stood in for the answer.
  bool committed_ = false;  // The tool's declared effect.
  bool deaf_ = false;       // A cancellation changes nothing any more.
  std::string label_;       // What it holds for.
  Json asked_;              // The id of its question to the client.
  std::optional<Json> reply_to_;
  std::optional<Json> filter_;  // Of an open subscription.
  std::optional<Answer> last_;
};

}  // namespace plumbline::fakes
