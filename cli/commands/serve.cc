#include "cli/commands/serve.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/options/authority.h"
#include "cli/serving.h"
#include "core/base/errors/errors.h"
#include "core/os/child/environment.h"
#include "core/os/fd.h"
#include "core/os/files/line_log.h"
#include "core/os/interrupt.h"
#include "core/os/own_process.h"
#include "core/os/standard_streams.h"
#include "core/os/wall_clock.h"
#include "fakes/peers/scripted_server.h"
#include "fakes/peers/scripted_sessions.h"
#include "fakes/world/effect_ledger.h"
#include "fakes/world/trace_recorder.h"
#include "scenarios/format/format.h"
#include "scenarios/judge/server_log.h"
#include "scenarios/real/effect_line.h"

namespace plumbline::cli {

namespace {

// What `run --client` has the client give to this server alone.
constexpr const char* kServerKey = "PLUMBLINE_SERVER_KEY";

// EffectTeller writes each committed effect to stderr, where whoever started the server sees it.
class EffectTeller final : public EventSink {
 public:
  explicit EffectTeller(Host& host) : host_(host) {}

  void on_event(const TraceEvent& event) override {
    if (event.kind != EventKind::kEffect) return;
    host_.tell(scenarios::write_effect_line(
        {std::string(event.who), string_or(event.detail, "tool", "?"),
         string_or(event.detail, "key", ""), bool_or(event.detail, "idempotent", false)}));
  }

 private:
  Host& host_;
};

// TrapTeller writes to stderr that a rule was followed which the scenario marks with "never", and
// hands on all that it hears.
class TrapTeller final : public fakes::ServerEar {
 public:
  TrapTeller(const scenarios::ServerSpec& spec, Host& host) : spec_(spec), host_(host) {}

  // tell_too makes `other` hear everything as well; it must outlive this.
  void tell_too(fakes::ServerEar& other) { other_ = &other; }

  // implements ServerEar ---
  std::int64_t connected() override { return other_ == nullptr ? ++last_ : other_->connected(); }
  void heard(std::int64_t connection, const Json& message) override {
    if (other_ != nullptr) other_->heard(connection, message);
  }
  void heard_garbage(std::int64_t connection, std::string_view bytes) override {
    if (other_ != nullptr) other_->heard_garbage(connection, bytes);
  }
  void said(std::int64_t connection, const Json& message) override {
    if (other_ != nullptr) other_->said(connection, message);
  }
  void said_raw(std::int64_t connection, std::string_view text) override {
    if (other_ != nullptr) other_->said_raw(connection, text);
  }
  void client_left(std::int64_t connection) override {
    if (other_ != nullptr) other_->client_left(connection);
  }
  void rule_met(std::size_t rule) override {
    if (other_ != nullptr) other_->rule_met(rule);
  }
  void rule_followed(std::size_t rule) override {
    if (spec_.script.rules[rule].never) host_.tell(scenarios::write_trap_line({spec_.name, rule}));
    if (other_ != nullptr) other_->rule_followed(rule);
  }

 private:
  const scenarios::ServerSpec& spec_;
  Host& host_;
  fakes::ServerEar* other_ = nullptr;
  std::int64_t last_ = 0;
};

// OwnProcess lets a script end this very process.
class OwnProcess final : public fakes::Process {
 public:
  OwnProcess(Host& host, os::RealLoop& loop, std::optional<scenarios::ServerLogWriter>& log)
      : host_(host), loop_(loop), log_(log) {}

  void write_stderr(std::string_view text) override { host_.tell(text); }

  void exit(net::ExitStatus status) override {
    if (log_ && !ended_) log_->ended(describe(status));
    if (status.signal != 0) {
      os::end_by_signal(status.signal);  // SIGKILL does not return.
    }
    if (!ended_) ended_ = status.code;
    loop_.stop();
  }

  std::optional<int> ended() const { return ended_; }

 private:
  Host& host_;
  os::RealLoop& loop_;
  std::optional<scenarios::ServerLogWriter>& log_;
  std::optional<int> ended_;
};

const scenarios::ServerSpec* find_server(const scenarios::Scenario& scenario,
                                         const std::string& name) {
  if (name.empty()) return scenario.servers.size() == 1 ? &scenario.servers.front() : nullptr;
  const auto found = std::ranges::find(scenario.servers, name, &scenarios::ServerSpec::name);
  return found == scenario.servers.end() ? nullptr : &*found;
}

// Scripted is the scripted server of a scenario and what it needs of this process.
class Scripted {
 public:
  Scripted(const scenarios::ServerSpec& spec, Host& host)
      : spec_(spec),
        loop_(host.world().loop()),
        host_(host),
        teller_(host),
        traps_(spec, host),
        memory_(spec.name),
        process_(host, loop_, log_) {}

  // keep_log goes on with the log at `path`: what it counts, and what it holds. Before serving.
  // kInvalidInput: it cannot be read or written.
  Status keep_log(const std::string& path) {
    Result<os::LineLog> file = os::LineLog::share(path);
    if (!file.ok()) return std::move(file).error();
    const Result<std::string> so_far = host_.files().read_file(path);
    if (!so_far.ok()) return so_far.error();
    scenarios::remember(scenarios::read_server_log(so_far.value()), memory_);
    file_ = std::make_unique<os::LineLog>(std::move(file).value());
    log_.emplace(spec_.name, os::process_number(),
                 scenarios::ServerLogWriter::Doors{
                     os::wall_clock_since_1970, [this](const std::string& line) { keep(line); }});
    events_.add(*log_);
    traps_.tell_too(*log_);
    log_->started(os::environment_variable(kServerKey).value_or(""));
    return kept_;
  }

  // kept returns why the log does not hold all: then nobody can judge by it, and this has ended.
  const Status& kept() const { return kept_; }

  // serve_stdio is the server of whoever started us, until our input ends.
  void serve_stdio() {
    const std::unique_ptr<net::Pipe> streams = os::standard_streams(loop_);
    const os::Interrupt interrupt(loop_, [&](int) { terminate(); });
    fakes::ScriptedServer server(spec_.script, world(), fakes::make_server_port(*streams),
                                 &process_);
    server.start();
    loop_.run_until([] { return false; });
    flush(loop_, *streams);
  }

  // serve_web is the server of whoever connects, until a signal.
  Status serve_web(const ServingPlace& at, Host& host) {
    os::raise_descriptor_limit();
    fakes::ScriptedSessions sessions(spec_.script, world(), process_);
    transport::WebServerOptions place = web_options(at);
    // A script without sessions speaks its own revision alone, any other those up to its own.
    const bool stateless = spec_.script.is_stateless();
    const std::string_view own = name_of(spec_.script.revision);
    std::erase_if(place.stateless_versions, [own](const std::string& one) { return one != own; });
    std::erase_if(place.stateful_versions,
                  [own, stateless](const std::string& one) { return stateless || one > own; });
    Result<std::unique_ptr<transport::WebServer>> web = transport::WebServer::listen(
        loop_, host.world().network(), std::move(place),
        [&, running = false](auto channel, const std::string& /*principal*/) mutable {
          const bool starts = !stateless || !std::exchange(running, true);
          if (starts) host_.tell(scenarios::write_session_line(spec_.name));
          sessions.take(std::move(channel), starts);
        });
    if (!web.ok()) return std::move(web).error();
    const os::Interrupt interrupt(loop_, [&](int) { terminate(); });
    host.out(web.value()->url() + "\n");
    loop_.run_until([] { return false; });
    return Done{};
  }

  // trace returns the effects as JSON Lines. Once.
  const std::string& trace() {
    recorder_.finish(0);
    return recorder_.text();
  }

  int exit_status() const { return process_.ended().value_or(kExitOk); }

 private:
  fakes::ServerWorld world() { return {loop_, ledger_, memory_, &traps_}; }
  void keep(const std::string& line) {
    if (!kept_.ok()) return;
    kept_ = file_->append(line);
    if (!kept_.ok()) loop_.stop();
  }

  void terminate() {
    if (!spec_.script.ignores_term) loop_.stop();
  }

  const scenarios::ServerSpec& spec_;
  os::RealLoop& loop_;
  Host& host_;
  EffectTeller teller_;
  TrapTeller traps_;
  fakes::TraceRecorder recorder_{fakes::Keep::kText};
  fakes::EventFanout events_{{&teller_, &recorder_}};
  fakes::EffectLedger ledger_{loop_, events_};
  fakes::ServerMemory memory_;
  std::unique_ptr<os::LineLog> file_;
  Status kept_ = Done{};
  std::optional<scenarios::ServerLogWriter> log_;
  OwnProcess process_;
};

}  // namespace

void ServeOptions::declare(CLI::App& app) {
  app.add_option("SCENARIO", scenario, "A scenario file");
  app.add_flag("--reference", reference_, "Serve as the reference server");
  app.add_flag(
      "--model", model,
      "SCENARIO is the script of a language model: serve Chat Completions (docs/models.md)");
  app.add_option("--server", server, "Serve this server of the scenario")->type_name("NAME");
  app.add_flag("--stdio", stdio_, "Serve on stdin and stdout");
  const auto add_place = [&app](const char* name, std::string& text, const char* what) {
    app.add_option(name, text, what)->type_name("HOST:PORT");
  };
  add_place("--http", http_, "Serve Streamable HTTP and print the URL; port 0 is a free one");
  add_place("--sse", sse_, "Serve the older HTTP+SSE and print the URL");
  add_place("--ws", ws_, "Serve WebSocket and print the URL");
  add_allowed_hosts(app, place.hosts);
  app.add_option("--tls-cert", tls_cert_, "Serve https or wss with this certificate (PEM)")
      ->type_name("PEM");
  app.add_option("--tls-key", tls_key_, "Use this private key (PEM) for --tls-cert")
      ->type_name("PEM");
  app.add_option("--auth", auth_,
                 "Require access tokens, such as jwks=URL,issuer=URL (docs/authorization.md)")
      ->type_name("WHOSE");
  app.add_option("--log", log, "Append what the scripted server receives and does, as JSON Lines")
      ->type_name("FILE");
  app.add_option("--trace", trace, "Write effects and ends as JSON Lines")->type_name("FILE");
}

Status ServeOptions::read() {
  if (reference_ == !scenario.empty()) {
    return the_error("serve.what");
  }
  if (reference_ && !log.empty()) return the_error("serve.log");
  if (reference_ && !server.empty()) {
    return the_error("serve.only-a-scenario");
  }
  const std::vector<std::pair<mcp::Transport, const std::string*>> ways = {
      {mcp::Transport::kStreamableHttp, &http_},
      {mcp::Transport::kSse, &sse_},
      {mcp::Transport::kWebSocket, &ws_}};
  int given = stdio_ ? 1 : 0;
  for (const auto& [over, text] : ways) {
    if (text->empty()) continue;
    ++given;
    Result<net::Authority> at = read_authority("serve", *text);
    if (!at.ok()) return at.error();
    place.over = over;
    place.at = std::move(at).value();
  }
  if (given != 1) return the_error("serve.where");
  if (model && (reference_ || http_.empty() || !server.empty() || !log.empty() || !trace.empty())) {
    return the_error("serve.model");
  }
  if (tls_cert_.empty() != tls_key_.empty()) {
    return the_error("serve.tls", " and --tls-key", "expected both");
  }
  if (!auth_.empty()) {
    if (stdio_ || !reference_) {
      return the_error("serve.auth");
    }
    Result<ServingAuth> auth = read_auth(auth_);
    if (!auth.ok()) return auth.error();
    place.auth = std::move(auth).value();
  }
  if (tls_cert_.empty()) return Done{};
  if (stdio_) return the_error("serve.tls", "", "--stdio has no TLS");
  place.tls = net::TlsServer{tls_cert_, tls_key_};
  return Done{};
}

int run_serve(const ServeOptions& options, Host& host) {
  if (options.model) return serve_model(options.scenario, options.place, host);
  if (options.scenario.empty()) return serve_reference(options.place, options.trace, host);
  const Result<std::string> text = host.files().read_file(options.scenario);
  if (!text.ok()) return host.complain(text.error(), kExitUsage);
  const Result<scenarios::Scenario> scenario =
      scenarios::load_scenario(text.value(), options.scenario);
  if (!scenario.ok()) return host.complain(scenario.error(), kExitUsage);
  const scenarios::ServerSpec* const spec = find_server(scenario.value(), options.server);
  if (spec == nullptr) {
    return host.complain(
        options.server.empty()
            ? the_error("target.which-server", "the scenario has not exactly one server, ", "", "")
            : the_error("serve.no-such-server", options.server),
        kExitUsage);
  }
  Scripted scripted(*spec, host);
  if (!options.log.empty()) {
    const Status kept = scripted.keep_log(options.log);
    if (!kept.ok()) return host.complain(kept.error(), kExitUsage);
  }
  if (options.place.over == mcp::Transport::kStdio) {
    scripted.serve_stdio();
  } else {
    const Status served = scripted.serve_web(options.place, host);
    if (!served.ok()) return host.complain(served.error(), kExitUsage);
  }
  if (!options.trace.empty()) {
    const Status written = host.files().write_file(options.trace, scripted.trace());
    if (!written.ok()) return host.complain(written.error(), kExitUsage);
  }
  if (!scripted.kept().ok()) {
    return host.complain(scripted.kept().error(), kExitUnreachable);
  }
  return scripted.exit_status();
}

}  // namespace plumbline::cli
