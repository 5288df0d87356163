#include "cli/commands/record/served_recording.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cli/commands/record/agenda.h"
#include "cli/commands/record/web_replay.h"
#include "core/os/interrupt.h"
#include "core/os/standard_streams.h"
#include "core/wire/lines.h"

namespace plumbline::cli {

namespace {

using scenarios::Replayer;

// status_of returns the exit status of a process that ended as "exit code 3" or "signal 9" tells.
int status_of(const std::string& exit) {
  const int number =
      std::atoi(exit.c_str() + std::min(exit.find_first_of("0123456789"), exit.size()));
  return exit.starts_with("signal") ? 128 + number : number;
}

// StdioReplay speaks for the recorded server over our standard streams.
class StdioReplay final : public net::PipeReader {
 public:
  StdioReplay(Replayer& replayer, bool fast, net::Pipe& streams, os::RealLoop& loop)
      : replayer_(replayer),
        streams_(streams),
        agenda_(loop, fast, [this](const ReplayedOutput& output) {
          if (output.line) streams_.write(*output.line + '\n');
          if (output.exit) ended_ = status_of(*output.exit);
        }) {}

  void start() {
    streams_.start(*this);
    agenda_.add(replayer_.begin());
  }

  bool done() const { return ended_ || (heard_all_ && agenda_.empty()); }

  // ended returns the exit status that the recorded server ended with by itself.
  std::optional<int> ended() const { return ended_; }

  // implements PipeReader ---
  void on_bytes(std::string_view bytes) override {
    lines_.feed(bytes);
    while (const std::optional<wire::Line> line = lines_.next()) {
      const Result<Json> message = parse_json(line->bytes);
      const Json said = message.ok() ? message.value() : Json(std::string(line->bytes));
      agenda_.add(replayer_.take(said));
    }
  }

  void on_end(const Error*) override { heard_all_ = true; }

 private:
  Replayer& replayer_;
  net::Pipe& streams_;
  wire::LineReader lines_;
  Agenda agenda_;
  bool heard_all_ = false;
  std::optional<int> ended_;
};

int tell_counts(const scenarios::ReplayCounts& counts, Host& host) {
  host.tell_line("replay: " + std::to_string(counts.played) + " of " +
                 std::to_string(counts.recorded) + " recorded messages came again, " +
                 std::to_string(counts.missed.size()) + " are not in the recording");
  for (const std::string& missed : counts.missed) host.tell_line("  not recorded: " + missed);
  return counts.missed.empty() ? kExitOk : kExitFailed;
}

int serve_stdio(const ReplayOptions& options, std::vector<scenarios::RecordedSession> sessions,
                Host& host) {
  Replayer replayer(std::move(sessions), options.match);
  os::RealLoop& loop = host.world().loop();
  const std::unique_ptr<net::Pipe> streams = os::standard_streams(loop);
  StdioReplay server(replayer, options.fast, *streams, loop);
  const os::Interrupt interrupt(loop, [&loop](int) { loop.stop(); });
  server.start();
  loop.run_until([&] { return server.done(); });
  flush(loop, *streams);
  const int status = tell_counts(replayer.counts(), host);
  return server.ended().value_or(status);
}

}  // namespace

int serve_recording(const ReplayOptions& options, std::vector<scenarios::RecordedSession> sessions,
                    Host& host) {
  if (options.serve == "stdio") return serve_stdio(options, std::move(sessions), host);
  WebReplay web({options.place, options.match, options.fast}, std::move(sessions), host);
  const Result<std::string> url = web.listen();
  if (!url.ok()) return host.complain(url.error(), kExitUsage);
  os::RealLoop& loop = host.world().loop();
  const os::Interrupt interrupt(loop, [&loop](int) { loop.stop(); });
  host.out(url.value() + "\n");
  loop.run_until([] { return false; });
  return tell_counts(web.counts(), host);
}

}  // namespace plumbline::cli
