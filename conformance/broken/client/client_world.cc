#include "conformance/broken/client/client_world.h"

#include <chrono>
#include <cstdlib>
#include <utility>

#include "conformance/broken/client/client_program.h"
#include "core/base/check.h"
#include "core/base/rng.h"

namespace plumbline::conformance {

namespace {

constexpr std::int64_t kClientTurnsMax = 50'000'000;

fakes::PipeOptions client_pipes() {
  fakes::PipeOptions options;
  options.latency_min = options.latency_max = std::chrono::milliseconds(1);
  return options;
}

}  // namespace

ClientWorld::ClientWorld(Transport transport, const ClientDeviation* deviation)
    : transport_(transport),
      deviation_(deviation),
      spawner_(loop_, Rng(1), events_),
      network_(loop_, client_pipes(), Rng(2)) {
  spawner_.add("client", {},
               [this](const net::Command& command, fakes::SimPipe&,
                      fakes::Process& process) -> std::unique_ptr<fakes::Program> {
                 return std::make_unique<ClientProgram>(loop_, network_, command, process,
                                                        deviation_);
               });
}

ClientWorld::~ClientWorld() = default;

Judgement ClientWorld::judge(ClientJudgeOptions options) {
  const auto new_session_id = [rng = Rng(3)]() mutable {
    return "session-" + std::to_string(rng.below(1U << 30U));
  };
  ClientSubject subject{loop_, spawner_, network_, redactor_, new_session_id};
  subject.transport = transport_;
  subject.command.argv = {"client"};
  subject.relay = {"relay"};
  ClientJudge judge(subject, std::move(options));
  Task<void> work = judge.judge();
  const Result<std::int64_t> turns = loop_.run_task(work, kClientTurnsMax);
  check(turns.ok(), "the judge of clients does not come to an end");
  return judge.so_far();
}

}  // namespace plumbline::conformance
