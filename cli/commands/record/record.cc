#include "cli/commands/record/record.h"

#include <algorithm>
#include <csignal>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/judging/check_targets.h"
#include "cli/options/authority.h"
#include "cli/options/shown_words.h"
#include "cli/options/version.h"
#include "core/base/errors/errors.h"
#include "core/os/child/stdio_relay.h"
#include "core/os/fd.h"
#include "core/os/files/line_log.h"
#include "core/os/interrupt.h"
#include "core/os/wall_clock.h"
#include "scenarios/record/import.h"
#include "scenarios/record/likeness.h"
#include "scenarios/record/recorder.h"
#include "scenarios/record/recording.h"
#include "scenarios/record/web_recorder.h"
#include "scenarios/record/web_relay.h"

namespace plumbline::cli {

namespace {

using scenarios::Side;

// Tape is the file that is written, one line after the other.
class Tape {
 public:
  Tape(const RecordOptions& options, os::LineLog log, Host& host)
      : host_(host),
        log_(std::move(log)),
        masker_(host.secrets().redactor(), options.masks),
        recorder_(masker_, [this](const std::string& line) { return log_.append(line); }) {}

  // begin writes the head: `about` says the transport, and what was started or met.
  void begin(Json about) {
    about["started"] = os::wall_clock_rfc3339();
    about["plumbline"] = kVersion;
    recorder_.begin(std::move(about));
  }

  scenarios::Recorder& recorder() { return recorder_; }

  bool kept() const { return recorder_.kept().ok(); }

  // end tells what is missing in the file, and returns the exit status: `status` if it holds all
  // that was passed on and more was not to be.
  int end(int status) {
    if (recorder_.withheld() != 0) {
      host_.tell_line("record: " + std::to_string(recorder_.withheld()) +
                      " lines were withheld: a secret was left in them");
    }
    if (kept()) return status;
    return host_.complain(the_error("record.not-kept", recorder_.kept().error().message),
                          kExitUnreachable);
  }

 private:
  Host& host_;
  os::LineLog log_;
  scenarios::Masker masker_;
  scenarios::Recorder recorder_;
};

// import_file writes what is in an HTTP archive, or in a trace of ours.
int import_file(const RecordOptions& options, const std::string& text, os::LineLog log,
                Host& host) {
  Tape tape(options, std::move(log), host);
  const Result<Json> archive = parse_json(text);
  const Result<std::size_t> messages = archive.ok()
                                           ? scenarios::import_har(archive.value(), tape.recorder())
                                           : scenarios::import_trace(text, tape.recorder());
  if (!messages.ok()) {
    return host.complain(the_error("record.import", options.imported, messages.error().message),
                         kExitUsage);
  }
  if (tape.kept()) host.tell_line("record: " + std::to_string(messages.value()) + " messages");
  return tape.end(kExitOk);
}

// Tap writes down what is about to pass the relay.
class Tap final : public os::StdioListener {
 public:
  Tap(Tape& tape, os::RealLoop& loop)
      : recorder_(tape.recorder()), loop_(loop), start_(loop_.now()) {}

  // implements StdioListener ---
  bool on_bytes(os::StdioStream stream, std::string_view bytes) override {
    if (stream == os::StdioStream::kErr) {
      recorder_.stderr_bytes(bytes, now());
    } else {
      recorder_.bytes(side_of(stream), bytes, now());
    }
    return recorder_.kept().ok();
  }

  void on_end(os::StdioStream stream) override {
    if (stream == os::StdioStream::kErr) return recorder_.stderr_end(now());
    recorder_.end(side_of(stream), now());
  }

  void signal(int number) { recorder_.signal(number == SIGINT ? "SIGINT" : "SIGTERM", now()); }

  void exited(net::ExitStatus status) { recorder_.exited(describe(status), now()); }

 private:
  static Side side_of(os::StdioStream stream) {
    return stream == os::StdioStream::kIn ? Side::kServer : Side::kClient;
  }

  Duration now() const { return loop_.now() - start_; }

  scenarios::Recorder& recorder_;
  os::RealLoop& loop_;
  Instant start_;
};

// end_server has the server end where nothing of it is passed on any more; in a while by force.
void end_server(os::StdioRelay& relay, os::RealLoop& loop) {
  Alarm late([&loop] { loop.stop(); });
  loop.arm(late, loop.now() + limits::kStopGrace);
  relay.signal(SIGTERM);
  loop.run_until([&relay] { return relay.exit_status().has_value(); });
}

int record_stdio(const RecordOptions& options, std::map<std::string, std::string> variables,
                 os::LineLog log, Host& host) {
  Json about = Json::object();
  about["transport"] = "stdio";
  about["command"] = shown_words(options.command);
  for (const std::string& variable : options.environment.added) {
    about["env"].push_back(variable.substr(0, variable.find('=')));  // Names, never values.
  }
  Tape tape(options, std::move(log), host);
  tape.begin(std::move(about));
  if (!tape.kept()) return tape.end(kExitOk);
  os::RealLoop& loop = host.world().loop();
  Tap tap(tape, loop);
  net::Command command(options.command);
  command.env = std::move(variables);
  const Result<std::unique_ptr<os::StdioRelay>> relay = os::StdioRelay::start(loop, command, tap);
  if (!relay.ok()) return host.complain(relay.error(), kExitUnreachable);
  const os::Interrupt interrupt(loop, [&](int number) {
    tap.signal(number);
    relay.value()->signal(number);
  });
  loop.run_until([&] { return relay.value()->exit_status() || !tape.kept(); });
  if (!tape.kept()) end_server(*relay.value(), loop);
  const net::ExitStatus ended = relay.value()->exit_status().value_or(net::ExitStatus{});
  tap.exited(ended);
  return tape.end(ended.signal != 0 ? 128 + ended.signal : ended.code);
}

int record_web(const RecordOptions& options, const CheckTarget& target, os::LineLog log,
               Host& host) {
  scenarios::WebRelayOptions relaying;
  relaying.at = options.listen;
  relaying.access = access_at(options.listen.host, options.hosts);
  relaying.tls = options.tls;
  relaying.to = target.subject.url;
  relaying.headers = target.subject.headers;
  Json about = Json::object();
  about["transport"] = relaying.to.scheme.starts_with("ws") ? "ws" : "http";
  about["url"] = relaying.to.origin() + relaying.to.target;
  Tape tape(options, std::move(log), host);
  tape.begin(std::move(about));
  if (!tape.kept()) return tape.end(kExitOk);
  scenarios::WebRecorder recorder(tape.recorder());
  os::RealLoop& loop = host.world().loop();
  os::raise_descriptor_limit();
  const Result<std::unique_ptr<scenarios::WebRelay>> relay =
      scenarios::WebRelay::listen(loop, host.world().network(), std::move(relaying), recorder);
  if (!relay.ok()) return host.complain(relay.error(), kExitUsage);
  const os::Interrupt interrupt(loop, [&loop](int) { loop.stop(); });
  host.out(relay.value()->url() + "\n");
  loop.run_until([&tape] { return !tape.kept(); });
  return tape.end(kExitOk);
}

// sessions_kept returns how many sessions the file `path` holds; 0: there is no such file, or it is
// empty. `server` has the "command" or the "url" of the server that is about to be recorded, or
// neither. kInvalidInput: the file is no recording, or one of another server.
Result<std::size_t> sessions_kept(const std::string& path, const Json& server, FileStore& files) {
  const Result<std::string> text = files.read_file(path);
  if (!text.ok() || text.value().empty()) return std::size_t{0};  // Opening it says why.
  const Result<scenarios::Recording> recording = scenarios::read_recording(text.value());
  if (!recording.ok()) return the_error("record.no-recording", path);
  for (const scenarios::RecordedSession& session : recording.value().sessions) {
    const std::string other = scenarios::other_server(session.head, server);
    if (!other.empty()) return the_error("record.another-server", path, other);
  }
  return recording.value().sessions.size();
}

// go_on_with tells which session of the file this will be, where it holds some. kInvalidInput: it
// holds something else than sessions of this server.
Status go_on_with(const RecordOptions& options, const CheckTargets& targets, Host& host) {
  Json server = Json::object();
  if (!options.command.empty()) server["command"] = shown_words(options.command);
  if (!options.url.empty()) {
    const wire::Url& url = targets.targets.front().subject.url;
    server["url"] = url.origin() + url.target;
  }
  const Result<std::size_t> kept = sessions_kept(options.out, server, host.files());
  if (!kept.ok()) return kept.error();
  if (kept.value() != 0) {
    host.tell_line("record: " + options.out + " holds " + std::to_string(kept.value()) +
                   (kept.value() == 1 ? " session" : " sessions") +
                   "; this one goes behind them (replay --session " +
                   std::to_string(kept.value() + 1) + ")");
  }
  return Done{};
}

}  // namespace

void RecordOptions::declare(CLI::App& app) {
  app.add_option("COMMAND", command, "The server and its arguments, after --");
  app.add_flag("--stdio", stdio_, "The server that -- COMMAND ARGS... starts (may be left out)");
  app.add_option("--url", url, "Forward to the server at this URL: http, https, ws or wss")
      ->type_name("URL");
  app.add_option("--listen", listen_, "Listen for clients here and print the URL")
      ->type_name("HOST:PORT");
  add_allowed_hosts(app, hosts);
  app.add_option("--header", headers, "Send this header with every request; repeatable")
      ->type_name("'NAME: VALUE'")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("--import", imported, "Import an HTTP archive (HAR), or a --trace of Plumbline")
      ->type_name("FILE");
  app.add_option("--tls-cert", tls_cert_, "Serve https or wss with this certificate (PEM)")
      ->type_name("PEM");
  app.add_option("--tls-key", tls_key_, "Use this private key (PEM) for --tls-cert")
      ->type_name("PEM");
  app.add_option("--out", out, "Write the recording here; append if it has sessions of this server")
      ->required()
      ->type_name("FILE");
  app.add_option("--redact", masks.redact,
                 "Redact members of this name, or at this JSON pointer; repeatable")
      ->type_name("NAME|/POINTER")
      ->expected(1);
  app.add_option("--keep", masks.keep, "Never redact members of this name; repeatable")
      ->type_name("NAME")
      ->expected(1);
  add_environment(app, environment);
}

Status RecordOptions::read() {
  const int ways = (command.empty() ? 0 : 1) + (url.empty() ? 0 : 1) + (imported.empty() ? 0 : 1);
  if (ways != 1) {
    return the_error("record.what");
  }
  if (stdio_ && command.empty()) {
    return the_error("target.stdio-and-url", "record", url.empty() ? "--import" : "--url " + url);
  }
  if (url.empty() != listen_.empty()) return the_error("record.both");
  const bool bare = headers.empty() && hosts.empty() && tls_cert_.empty() && tls_key_.empty();
  if (url.empty() && !bare) {
    return the_error("target.headers-only-at-a-url", ", --allow-host and --tls-cert", "has them");
  }
  if (command.empty() && !environment.is_default()) {
    return the_error("target.env-only-of-a-command");
  }
  if (tls_cert_.empty() != tls_key_.empty()) {
    return the_error("serve.tls", " and --tls-key", "expected both");
  }
  if (url.empty()) return Done{};
  if (!tls_cert_.empty()) tls = net::TlsServer{tls_cert_, tls_key_};
  Result<net::Authority> at = read_authority("--listen", listen_);
  if (!at.ok()) return at.error();
  listen = std::move(at).value();
  return Done{};
}

int run_record(const RecordOptions& options, Host& host) {
  host.hide_environment();
  host.secrets().add_words(options.command);
  Result<std::map<std::string, std::string>> variables = variables_of(options.environment);
  if (!variables.ok()) return host.complain(variables.error(), kExitUsage);
  Result<CheckTargets> targets = CheckTargets();
  if (!options.url.empty()) {
    CheckedServer server;
    server.url = options.url;
    server.headers = options.headers;
    targets = read_targets(server, host);
    if (!targets.ok()) return host.complain(targets.error(), kExitUsage);
  }
  Result<std::string> text = std::string();
  if (!options.imported.empty()) {
    text = host.files().read_file(options.imported);
    if (!text.ok()) return host.complain(text.error(), kExitUsage);
  }
  const Status own = go_on_with(options, targets.value(), host);
  if (!own.ok()) return host.complain(own.error(), kExitUsage);
  Result<os::LineLog> log = os::LineLog::open(options.out);
  if (!log.ok()) return host.complain(log.error(), kExitUnreachable);
  if (log.value().path() != options.out) {
    host.tell_line("record: " + options.out + " is being written, so this goes to " +
                   log.value().path());
  }
  if (!options.imported.empty()) {
    return import_file(options, text.value(), std::move(log).value(), host);
  }
  if (options.url.empty()) {
    return record_stdio(options, std::move(variables).value(), std::move(log).value(), host);
  }
  return record_web(options, targets.value().targets.front(), std::move(log).value(), host);
}

}  // namespace plumbline::cli
