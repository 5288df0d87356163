#include "conformance/broken/deviant_world.h"

#include <utility>

#include "conformance/broken/http_middleman.h"
#include "conformance/broken/stdio_middleman.h"
#include "conformance/catalogue/requirement.h"
#include "core/base/check.h"
#include "core/base/random_bytes.h"
#include "core/base/rng.h"
#include "core/mcp/transport/stdio_channel.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kSecret = "a secret of sixteen bytes or more";
constexpr const char* kHost = "127.0.0.1";
constexpr int kRandomBytesSeed = 7;
constexpr std::int64_t kTurnsMax = 20'000'000;

RandomBytes drawn_bytes() {
  return [rng = Rng(kRandomBytesSeed)](std::size_t count) mutable {
    std::string bytes;
    while (bytes.size() < count) bytes += static_cast<char>(rng.below(256));
    return bytes;
  };
}

std::function<std::string()> session_ids(bool counted) {
  if (counted) return [number = 1000]() mutable { return std::to_string(++number); };
  return [random = drawn_bytes()] {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string id;
    for (const char byte : random(32)) id += kDigits[static_cast<unsigned char>(byte) % 16];
    return id;
  };
}

fakes::PipeOptions pipe_options(Duration latency) {
  fakes::PipeOptions options;
  options.latency_min = options.latency_max = latency;
  return options;
}

mcp::Transport web_transport_of(Transport transport) {
  if (transport == Transport::kSse) return mcp::Transport::kSse;
  if (transport == Transport::kWebSocket) return mcp::Transport::kWebSocket;
  return mcp::Transport::kStreamableHttp;
}

// ServerProgram is the reference server as a process.
class ServerProgram final : public fakes::Program {
 public:
  ServerProgram(Loop& loop, net::Pipe& stdio, fakes::Process& process, const Deviation* deviation,
                Altered& altered)
      : middleman_(
            loop, stdio, deviation, [&process] { process.exit({}); }, &altered),
        reference_(loop, kSecret, nullptr, std::chrono::hours(24)) {
    reference_.server().on_idle([&process] { process.exit({}); });
    reference_.server().accept(std::make_unique<transport::StdioChannel>(middleman_.inner()));
  }

 private:
  StdioMiddleman middleman_;
  reference::ReferenceServer reference_;
};

// Bystander is a program that does nothing.
class Bystander final : public fakes::Program {};

}  // namespace

DeviantWorld::DeviantWorld(Transport transport, const Deviation* deviation, Duration latency)
    : deviation_(deviation),
      latency_(latency),
      spawner_(loop_, Rng(1), events_),
      network_(loop_, pipe_options(latency), Rng(2)),
      log_(redactor_, Instant{}) {
  spec_.transport = transport;
  if (deviation != nullptr) {
    spec_.headers = deviation->credentials;
    spec_.second_headers = deviation->second_credentials;
    spec_.foreign_headers = deviation->foreign_credentials;
  }
  if (transport == Transport::kStdio) {
    serve_stdio();
  } else {
    serve_http();
  }
}

DeviantWorld::~DeviantWorld() = default;

void DeviantWorld::serve_stdio() {
  spec_.command.argv = {"server"};
  spawner_.add("server", pipe_options(latency_),
               [this](const net::Command&, fakes::SimPipe& stdio,
                      fakes::Process& process) -> std::unique_ptr<fakes::Program> {
                 if (++started_ == lost_start_) return std::make_unique<Bystander>();
                 return std::make_unique<ServerProgram>(loop_, stdio, process, deviation_,
                                                        altered_);
               });
}

void DeviantWorld::serve_http() {
  reference_ =
      std::make_unique<reference::ReferenceServer>(loop_, kSecret, nullptr, std::chrono::hours(24));
  transport::WebServerOptions options;
  options.transport = web_transport_of(spec_.transport);
  options.at = {kHost, 0};
  options.new_session_id = session_ids(deviation_ != nullptr && deviation_->counts_sessions);
  options.access.hosts.emplace_back(kHost);
  for (const std::string_view revision : kRevisions) {
    auto& list = is_stateless(revision) ? options.stateless_versions : options.stateful_versions;
    list.emplace_back(revision);
  }
  options.mirrored_params = [this](const std::string& tool) {
    return reference_->mirrored_params(tool);
  };
  Result<std::unique_ptr<transport::WebServer>> web = transport::WebServer::listen(
      loop_, network_, std::move(options), [this](auto channel, const std::string& /*principal*/) {
        reference_->server().accept(std::move(channel));
      });
  web_ = std::move(web).value();
  spec_.url = wire::parse_url(web_->url()).value();
  if (deviation_ == nullptr) return;
  check(spec_.transport != Transport::kWebSocket, "nobody stands between WebSockets");
  if (deviation_->keeper != nullptr) {
    behind_ = std::move(Upstream::listen(loop_, network_, {kHost, 0}).value());
    spec_.behind = behind_.get();
  }
  middleman_ = std::make_unique<HttpMiddleman>(loop_, network_, spec_.url, *deviation_,
                                               behind_ == nullptr ? "" : behind_->url(), &altered_);
  spec_.url = middleman_->url();
  if (!deviation_->starts_again) return;
  spec_.start.argv = {"start"};
  spawner_.add("start", {},
               [this](const net::Command&, fakes::SimPipe&,
                      fakes::Process&) -> std::unique_ptr<fakes::Program> {
                 middleman_->rise();
                 return std::make_unique<Bystander>();
               });
}

Judgement DeviantWorld::judge(JudgeOptions options, int starts_max) {
  Subject subject(loop_, spawner_, network_, drawn_bytes(), log_, spec_, std::chrono::seconds(10));
  subject.starts().max = starts_max;
  if (deviation_ != nullptr && deviation_->hints != nullptr) {
    options.probe.hints = Hints::read(parse_json(deviation_->hints).value()).value();
  }
  ServerJudge judge(subject, all_server_checks(), std::move(options));
  Task<void> work = judge.judge();
  const Result<std::int64_t> turns = loop_.run_task(work, kTurnsMax);
  check(turns.ok(), "the judge does not come to an end");
  return judge.so_far();
}

void DeviantWorld::judge_for(std::int64_t turns, JudgeOptions options) {
  Subject subject(loop_, spawner_, network_, drawn_bytes(), log_, spec_, std::chrono::seconds(10));
  ServerJudge judge(subject, all_server_checks(), std::move(options));
  Task<void> work = judge.judge();
  (void)loop_.run_task(work, turns);
}

FuzzEffort DeviantWorld::fuzz(FuzzOptions options) {
  Subject subject(loop_, spawner_, network_, drawn_bytes(), log_, spec_, std::chrono::seconds(10));
  Fuzzer fuzzer(subject, std::move(options));
  Task<void> work = fuzzer.run();
  const Result<std::int64_t> turns = loop_.run_task(work, kTurnsMax);
  check(turns.ok(), "the fuzzer does not come to an end");
  return fuzzer.effort();
}

}  // namespace plumbline::conformance
