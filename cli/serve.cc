#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

#include <unistd.h>

#include "cli/commands.h"
#include "core/os/interrupt.h"
#include "core/os/real_loop.h"
#include "core/os/real_pipe.h"
#include "fakes/effect_ledger.h"
#include "fakes/scripted_server.h"
#include "fakes/trace_recorder.h"
#include "scenarios/format.h"

namespace plumbline::cli {

namespace {

// EffectTeller writes each committed effect to stderr, where whoever started the server sees it.
class EffectTeller final : public EventSink {
 public:
  explicit EffectTeller(Host& host) : host_(host) {}

  void on_event(const TraceEvent& event) override {
    if (event.kind != EventKind::kEffect) return;
    host_.tell("effect " + std::string(event.who) + "/" + string_or(event.detail, "tool", "?") +
               " " + string_or(event.detail, "key", "") + "\n");
  }

 private:
  Host& host_;
};

// OwnProcess lets a script end this very process.
class OwnProcess final : public fakes::Process {
 public:
  OwnProcess(Host& host, os::RealLoop& loop) : host_(host), loop_(loop) {}

  void write_stderr(std::string_view text) override { host_.tell(text); }

  void exit(transport::ExitStatus status) override {
    if (status.signal != 0) {
      std::signal(status.signal, SIG_DFL);
      ::kill(::getpid(), status.signal);  // SIGKILL does not return.
    }
    if (!ended_) ended_ = status.code;
    loop_.stop();
  }

  std::optional<int> ended() const { return ended_; }

 private:
  Host& host_;
  os::RealLoop& loop_;
  std::optional<int> ended_;
};

const scenarios::ServerSpec* find_server(const scenarios::Scenario& scenario,
                                         const std::string& name) {
  if (name.empty()) return scenario.servers.size() == 1 ? &scenario.servers.front() : nullptr;
  const auto found = std::ranges::find(scenario.servers, name, &scenarios::ServerSpec::name);
  return found == scenario.servers.end() ? nullptr : &*found;
}

// flush gives what was answered a second to leave: a client that no longer reads must not keep us.
void flush(os::RealLoop& loop, const os::RealPipe& streams) {
  bool late = false;
  Alarm alarm([&late] { late = true; });
  loop.arm(alarm, loop.now() + std::chrono::seconds(1));
  loop.run_until([&] { return late || streams.queued_bytes() == 0; });
}

}  // namespace

int run_serve(const ServeOptions& options, Host& host) {
  const Result<std::string> text = host.files().read_file(options.scenario);
  if (!text.ok()) return host.complain(text.error().message, kExitUsage);
  const Result<scenarios::Scenario> scenario =
      scenarios::load_scenario(text.value(), options.scenario);
  if (!scenario.ok()) return host.complain(scenario.error().message, kExitUsage);
  const scenarios::ServerSpec* const spec = find_server(scenario.value(), options.server);
  if (spec == nullptr) {
    return host.complain(options.server.empty()
                             ? "the scenario has not exactly one server, expected --server NAME"
                             : "the scenario has no server \"" + options.server + "\"",
                         kExitUsage);
  }
  os::RealLoop loop;
  EffectTeller teller(host);
  fakes::TraceRecorder recorder(fakes::Keep::kText);
  fakes::EventFanout events({&teller, &recorder});
  fakes::EffectLedger ledger(loop, events);
  fakes::ServerMemory memory(spec->name);
  OwnProcess process(host, loop);
  const std::unique_ptr<os::RealPipe> streams = os::RealPipe::standard_streams(loop);
  const os::Interrupt interrupt(loop, [&](int) {
    if (!spec->script.ignores_term) loop.stop();
  });
  fakes::ScriptedServer server(spec->script, fakes::ServerWorld{loop, ledger, memory},
                               fakes::make_server_port(*streams), &process);
  server.start();
  loop.run_until([] { return false; });
  flush(loop, *streams);
  if (!options.trace.empty()) {
    recorder.finish(0);
    const Status written = host.files().write_file(options.trace, recorder.text());
    if (!written.ok()) return host.complain(written.error().message, kExitUsage);
  }
  return process.ended().value_or(kExitOk);
}

}  // namespace plumbline::cli
