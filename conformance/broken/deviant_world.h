// DeviantWorld is a simulated world with the reference server in it, over any transport, as it is
// or, except over a WebSocket, with one Deviation, and a judge.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "conformance/broken/altered.h"
#include "conformance/broken/deviation.h"
#include "conformance/fuzz/fuzzer.h"
#include "conformance/judge/server.h"
#include "conformance/peer/upstream.h"
#include "core/events/trace_event.h"
#include "core/mcp/transport/server/web_server.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_network.h"
#include "fakes/world/sim_spawner.h"
#include "reference/reference_server.h"

namespace plumbline::conformance {

class HttpMiddleman;

class DeviantWorld {
 public:
  // `deviation` must outlive the world; null: the server is right. `latency` is that of every
  // message, one way.
  DeviantWorld(Transport transport, const Deviation* deviation, Duration latency = {});
  ~DeviantWorld();

  // lose_start lets the process that is started as number `which`, from 1, do nothing. stdio alone.
  void lose_start(int which) { lost_start_ = which; }

  // judge runs the checks to their end, in virtual time.
  Judgement judge(JudgeOptions options, int starts_max = 0);

  // judge_for runs them for at most `turns` of the loop, and drops them then.
  void judge_for(std::int64_t turns, JudgeOptions options);

  // fuzz plays sessions of a fuzzer to their end, in virtual time, and returns what was done.
  FuzzEffort fuzz(FuzzOptions options);

  const WireLog& log() const { return log_; }
  const Altered& altered() const { return altered_; }
  const std::vector<fakes::SimNetwork::Dial>& dials() const { return network_.dials(); }
  Duration took() const { return loop_.now() - Instant{}; }

 private:
  void serve_stdio();
  void serve_http();

  class NoEvents final : public EventSink {
   public:
    void on_event(const TraceEvent&) override {}
  };

  const Deviation* deviation_;
  Altered altered_;
  Duration latency_;
  int started_ = 0;
  int lost_start_ = 0;
  NoEvents events_;
  fakes::SimLoop loop_;
  fakes::SimSpawner spawner_;
  fakes::SimNetwork network_;
  Redactor redactor_;
  WireLog log_;
  std::unique_ptr<reference::ReferenceServer> reference_;
  std::unique_ptr<transport::WebServer> web_;
  std::unique_ptr<Upstream> behind_;
  std::unique_ptr<HttpMiddleman> middleman_;
  SubjectSpec spec_;
};

}  // namespace plumbline::conformance
