#include "cli/commands/record/served_recording.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/mcp/transport/message_channel.h"
#include "core/os/fd.h"
#include "core/os/interrupt.h"
#include "core/os/real_pipe.h"
#include "core/wire/lines.h"
#include "scenarios/record/likeness.h"

namespace plumbline::cli {

namespace {

using scenarios::ReplayedOutput;
using scenarios::Replayer;

// Agenda lets a recorded server say each thing when it is due.
class Agenda {
 public:
  Agenda(os::RealLoop& loop, bool fast, std::function<void(const ReplayedOutput&)> say)
      : loop_(loop), fast_(fast), say_(std::move(say)), due_([this] { speak(); }) {}

  void add(std::vector<ReplayedOutput> outputs) {
    for (ReplayedOutput& output : outputs) {
      const Instant at = fast_ ? loop_.now() : after(loop_.now(), output.after);
      const auto behind = std::ranges::upper_bound(waiting_, at, {}, &Waiting::at);
      waiting_.insert(behind, {at, std::move(output)});
    }
    if (!waiting_.empty()) loop_.arm(due_, waiting_.front().at);
  }

  bool empty() const { return waiting_.empty(); }

 private:
  struct Waiting {
    Instant at;
    ReplayedOutput output;
  };

  void speak() {
    while (!waiting_.empty() && waiting_.front().at <= loop_.now()) {
      const ReplayedOutput output = std::move(waiting_.front().output);
      waiting_.pop_front();
      say_(output);
    }
    if (!waiting_.empty()) loop_.arm(due_, waiting_.front().at);
  }

  os::RealLoop& loop_;
  bool fast_;
  std::function<void(const ReplayedOutput&)> say_;
  std::deque<Waiting> waiting_;  // Soonest first.
  Alarm due_;
};

// status_of returns the exit status of a process that ended as "exit code 3" or "signal 9" tells.
int status_of(const std::string& exit) {
  const int number =
      std::atoi(exit.c_str() + std::min(exit.find_first_of("0123456789"), exit.size()));
  return exit.starts_with("signal") ? 128 + number : number;
}

// StdioReplay speaks for the recorded server over our standard streams.
class StdioReplay final : public net::PipeReader {
 public:
  StdioReplay(Replayer& replayer, bool fast, os::RealPipe& streams, os::RealLoop& loop)
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
      if (message.ok()) agenda_.add(replayer_.take(message.value()));
    }
  }

  void on_end(const Error*) override { heard_all_ = true; }

 private:
  Replayer& replayer_;
  os::RealPipe& streams_;
  wire::LineReader lines_;
  Agenda agenda_;
  bool heard_all_ = false;
  std::optional<int> ended_;
};

// ChannelReplay speaks for it to one client of a network.
class ChannelReplay final : public transport::MessageReceiver {
 public:
  ChannelReplay(Replayer& replayer, bool fast, std::unique_ptr<transport::MessageChannel> channel,
                os::RealLoop& loop, std::function<void()> on_over)
      : replayer_(replayer),
        channel_(std::move(channel)),
        on_over_(std::move(on_over)),
        agenda_(loop, fast, [this](const ReplayedOutput& output) { say(output); }) {
    channel_->start(*this);
  }

  bool over() const { return over_; }

  // implements MessageReceiver ---
  void on_message(Json message) override {
    if (const Json* const id = scenarios::is_request(message) ? find(message, "id") : nullptr) {
      about_ = rpc::read_id(*id);
    }
    agenda_.add(replayer_.take(message));
  }
  void on_garbage(std::string_view, const Error&) override {}
  void on_closed(const Error*) override {
    over_ = true;
    on_over_();
  }

 private:
  void say(const ReplayedOutput& output) {
    if (output.exit) {
      channel_->close();
      return on_closed(nullptr);
    }
    Result<Json> message = parse_json(*output.line);
    if (!message.ok()) return;  // Only standard streams carry what is no message.
    if (scenarios::is_answer(message.value()) || !about_) {
      return channel_->send(std::move(message).value());
    }
    channel_->send_about(std::move(message).value(), *about_);
  }

  Replayer& replayer_;
  std::unique_ptr<transport::MessageChannel> channel_;
  std::function<void()> on_over_;
  std::optional<rpc::RpcId> about_;  // The request that came last.
  bool over_ = false;
  Agenda agenda_;
};

// WebReplay gives each client of a network a recorded session of its own; those that speak without
// sessions share one.
class WebReplay {
 public:
  WebReplay(const ReplayOptions& options, std::vector<scenarios::RecordedSession> sessions,
            Host& host)
      : options_(options),
        sessions_(std::move(sessions)),
        host_(host),
        loop_(host.world().loop()),
        sweep_([this] {
          std::erase_if(clients_, [](const Client& client) { return client.replay->over(); });
        }) {}

  // serve listens until a signal. kInvalidInput: the place is taken or not ours.
  Status serve() {
    os::raise_descriptor_limit();
    Result<std::unique_ptr<transport::WebServer>> web =
        transport::WebServer::listen(loop_, host_.world().network(), web_options(options_.place),
                                     [this](std::unique_ptr<transport::MessageChannel> channel,
                                            const std::string&) { take(std::move(channel)); });
    if (!web.ok()) return web.error();
    const os::Interrupt interrupt(loop_, [this](int) { loop_.stop(); });
    host_.out(web.value()->url() + "\n");
    loop_.run_until([] { return false; });
    return Done{};
  }

  // counts sums up what all clients asked.
  scenarios::ReplayCounts counts() const {
    scenarios::ReplayCounts all = gone_;
    for (const Client& client : clients_) add(all, client.replayer->counts());
    return all;
  }

 private:
  struct Client {
    std::unique_ptr<Replayer> replayer;
    std::unique_ptr<ChannelReplay> replay;
  };

  static void add(scenarios::ReplayCounts& all, const scenarios::ReplayCounts& one) {
    all.recorded = std::max(all.recorded, one.recorded);
    all.played = std::max(all.played, one.played);
    all.missed.insert(all.missed.end(), one.missed.begin(), one.missed.end());
  }

  void take(std::unique_ptr<transport::MessageChannel> channel) {
    Client& client = clients_.emplace_back();
    client.replayer = std::make_unique<Replayer>(sessions_, options_.match);
    client.replay = std::make_unique<ChannelReplay>(*client.replayer, options_.fast,
                                                    std::move(channel), loop_, [this, &client] {
                                                      add(gone_, client.replayer->counts());
                                                      loop_.arm(sweep_, loop_.now());
                                                    });
  }

  const ReplayOptions& options_;
  std::vector<scenarios::RecordedSession> sessions_;
  Host& host_;
  os::RealLoop& loop_;
  scenarios::ReplayCounts gone_;  // Of clients that are.
  std::list<Client> clients_;
  Alarm sweep_;
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
  const std::unique_ptr<os::RealPipe> streams = os::RealPipe::standard_streams(loop);
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
  WebReplay web(options, std::move(sessions), host);
  const Status served = web.serve();
  if (!served.ok()) return host.complain(served.error().message, kExitUsage);
  return tell_counts(web.counts(), host);
}

}  // namespace plumbline::cli
