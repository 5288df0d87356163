#include "cli/commands/record/replay.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <memory>
#include <string>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/options/choice.h"
#include "cli/serving.h"
#include "core/os/interrupt.h"
#include "core/os/real_pipe.h"
#include "core/wire/lines.h"

namespace plumbline::cli {

namespace {

using scenarios::ReplayedOutput;

// PlayedServer speaks for the recorded server over our standard streams, each thing when it is due.
class PlayedServer final : public net::PipeReader {
 public:
  PlayedServer(scenarios::Replayer& replayer, bool fast, os::RealPipe& streams, os::RealLoop& loop)
      : replayer_(replayer), fast_(fast), streams_(streams), loop_(loop), due_([this] {
          speak();
        }) {}

  void start() {
    streams_.start(*this);
    add(replayer_.begin());
  }

  bool done() const { return ended_ || (heard_all_ && waiting_.empty()); }

  // ended returns the exit status that the recorded server ended with by itself.
  std::optional<int> ended() const { return ended_; }

  // implements PipeReader ---
  void on_bytes(std::string_view bytes) override {
    lines_.feed(bytes);
    while (const std::optional<wire::Line> line = lines_.next()) {
      const Result<Json> message = parse_json(line->bytes);
      if (message.ok()) add(replayer_.take(message.value()));
    }
  }

  void on_end(const Error*) override { heard_all_ = true; }

 private:
  struct Waiting {
    Instant at;
    ReplayedOutput output;
  };

  void add(std::vector<ReplayedOutput> outputs) {
    for (ReplayedOutput& output : outputs) {
      const Instant at = fast_ ? loop_.now() : after(loop_.now(), output.after);
      const auto behind = std::ranges::upper_bound(waiting_, at, {}, &Waiting::at);
      waiting_.insert(behind, {at, std::move(output)});
    }
    if (!waiting_.empty()) loop_.arm(due_, waiting_.front().at);
  }

  void speak() {
    while (!waiting_.empty() && waiting_.front().at <= loop_.now()) {
      const ReplayedOutput output = std::move(waiting_.front().output);
      waiting_.pop_front();
      if (output.line) streams_.write(*output.line + '\n');
      if (!output.exit) continue;
      ended_ = std::atoi(output.exit->c_str() + output.exit->find_first_of("0123456789"));
      if (output.exit->starts_with("signal")) *ended_ += 128;
    }
    if (!waiting_.empty()) loop_.arm(due_, waiting_.front().at);
  }

  scenarios::Replayer& replayer_;
  bool fast_;
  os::RealPipe& streams_;
  os::RealLoop& loop_;
  wire::LineReader lines_;
  std::deque<Waiting> waiting_;  // Soonest first.
  Alarm due_;
  bool heard_all_ = false;
  std::optional<int> ended_;
};

void tell_counts(const scenarios::ReplayCounts& counts, Host& host) {
  host.tell_line("replay: " + std::to_string(counts.played) + " of " +
                 std::to_string(counts.recorded) + " recorded messages came again, " +
                 std::to_string(counts.missed.size()) + " are not in the recording");
  for (const std::string& missed : counts.missed) host.tell_line("  not recorded: " + missed);
}

}  // namespace

void ReplayOptions::declare(CLI::App& app) {
  using scenarios::Match;
  app.add_option("FILE", file, "What `record` has written")->required();
  app.add_option("--serve", serve, "Be the recorded server, over standard input and output")
      ->required()
      ->check(CLI::IsMember({"stdio"}))
      ->type_name("stdio");
  app.add_option("--match", match, "When a message is the recorded one (default content)")
      ->transform(choice<Match>(
          {{"strict", Match::kStrict}, {"content", Match::kContent}, {"method", Match::kMethod}}))
      ->type_name("strict|content|method");
  app.add_flag("--fast", fast, "Answer at once, not when the recorded server did");
  app.add_option(
         "--session", session,
         "Which of several in FILE, from 1 on (default: the last that begins as the client does)")
      ->type_name("N");
}

int run_replay(const ReplayOptions& options, Host& host) {
  const Result<std::string> text = host.files().read_file(options.file);
  if (!text.ok()) return host.complain(text.error().message, kExitUsage);
  const Result<scenarios::Recording> recording = scenarios::read_recording(text.value());
  if (!recording.ok()) {
    return host.complain(options.file + ", " + recording.error().message, kExitUsage);
  }
  std::vector<scenarios::RecordedSession> sessions = recording.value().sessions;
  if (options.session) {
    if (*options.session < 1 || *options.session > sessions.size()) {
      return host.complain("--session " + std::to_string(*options.session) + ": " + options.file +
                               " has " + std::to_string(sessions.size()),
                           kExitUsage);
    }
    sessions = {sessions[*options.session - 1]};
  }
  scenarios::Replayer replayer(std::move(sessions), options.match);
  os::RealLoop& loop = host.world().loop();
  const std::unique_ptr<os::RealPipe> streams = os::RealPipe::standard_streams(loop);
  PlayedServer server(replayer, options.fast, *streams, loop);
  const os::Interrupt interrupt(loop, [&loop](int) { loop.stop(); });
  server.start();
  loop.run_until([&] { return server.done(); });
  flush(loop, *streams);
  tell_counts(replayer.counts(), host);
  if (server.ended()) return *server.ended();
  return replayer.counts().missed.empty() ? kExitOk : kExitFailed;
}

}  // namespace plumbline::cli
