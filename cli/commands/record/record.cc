#include "cli/commands/record/record.h"

#include <csignal>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/options/shown_words.h"
#include "cli/options/version.h"
#include "core/os/child/stdio_relay.h"
#include "core/os/interrupt.h"
#include "core/os/line_log.h"
#include "core/os/wall_clock.h"
#include "scenarios/record/recorder.h"

namespace plumbline::cli {

namespace {

using scenarios::Side;

// Tap writes down what passes the relay.
class Tap final : public os::StdioListener {
 public:
  Tap(const RecordOptions& options, os::LineLog log, Host& host)
      : host_(host),
        loop_(host.world().loop()),
        log_(std::move(log)),
        masker_(host.secrets().redactor(), options.masks),
        recorder_(masker_, [this](const std::string& line) { write(line); }),
        start_(loop_.now()) {
    Json head = Json::object();
    head["transport"] = "stdio";
    head["command"] = shown_words(options.command);
    head["started"] = os::wall_clock_rfc3339();
    head["plumbline"] = kVersion;
    recorder_.begin(std::move(head));
  }

  // implements StdioListener ---
  void on_bytes(os::StdioStream stream, std::string_view bytes) override {
    if (stream == os::StdioStream::kErr) return recorder_.stderr_bytes(bytes, now());
    recorder_.bytes(side_of(stream), bytes, now());
  }

  void on_end(os::StdioStream stream) override {
    if (stream == os::StdioStream::kErr) return recorder_.stderr_end(now());
    recorder_.end(side_of(stream), now());
  }

  void signal(int number) { recorder_.signal(number == SIGINT ? "SIGINT" : "SIGTERM", now()); }

  void exited(net::ExitStatus status) {
    recorder_.exited(describe(status), now());
    if (recorder_.withheld() > 0) {
      host_.tell_line("record: " + std::to_string(recorder_.withheld()) +
                      " lines were withheld: a secret was left in them");
    }
  }

 private:
  static Side side_of(os::StdioStream stream) {
    return stream == os::StdioStream::kIn ? Side::kServer : Side::kClient;
  }

  Duration now() const { return loop_.now() - start_; }

  // write never stands in the way of the two: what cannot be kept is told once.
  void write(const std::string& line) {
    if (failed_) return;
    const Status written = log_.append(line);
    failed_ = !written.ok();
    if (failed_) host_.tell_line("record: " + written.error().message + "; going on without");
  }

  Host& host_;
  os::RealLoop& loop_;
  os::LineLog log_;
  scenarios::Masker masker_;
  scenarios::Recorder recorder_;
  Instant start_;
  bool failed_ = false;
};

}  // namespace

void RecordOptions::declare(CLI::App& app) {
  app.add_option("COMMAND", command, "The server, with its arguments, behind --")->required();
  app.add_option("--out", out, "Where the recording goes; one that is there grows")
      ->required()
      ->type_name("FILE");
  app.add_option("--redact", masks.redact,
                 "A member of this name is secret, or with a slash what this JSON pointer finds in "
                 "a message; may be given again")
      ->type_name("NAME|/POINTER")
      ->expected(1);
  app.add_option("--keep", masks.keep, "A member of this name is no secret; may be given again")
      ->type_name("NAME")
      ->expected(1);
  add_environment(app, environment);
}

int run_record(const RecordOptions& options, Host& host) {
  host.hide_environment();
  host.secrets().add_words(options.command);
  Result<std::map<std::string, std::string>> variables = variables_of(options.environment);
  if (!variables.ok()) return host.complain(variables.error().message, kExitUsage);
  Result<os::LineLog> log = os::LineLog::open(options.out);
  if (!log.ok()) return host.complain(log.error().message, kExitUnreachable);
  if (log.value().path() != options.out) {
    host.tell_line("record: " + options.out + " is being written, so this goes to " +
                   log.value().path());
  }
  Tap tap(options, std::move(log).value(), host);
  net::Command command(options.command);
  command.env = std::move(variables).value();
  os::RealLoop& loop = host.world().loop();
  const Result<std::unique_ptr<os::StdioRelay>> relay = os::StdioRelay::start(loop, command, tap);
  if (!relay.ok()) return host.complain(relay.error().message, kExitUnreachable);
  const os::Interrupt interrupt(loop, [&](int number) {
    tap.signal(number);
    relay.value()->signal(number);
  });
  loop.run_until([&] { return relay.value()->exit_status().has_value(); });
  const net::ExitStatus ended = relay.value()->exit_status().value_or(net::ExitStatus{});
  tap.exited(ended);
  return ended.signal != 0 ? 128 + ended.signal : ended.code;
}

}  // namespace plumbline::cli
