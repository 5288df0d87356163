#include "cli/commands/fuzz/server.h"

#include <chrono>
#include <map>
#include <optional>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/judging/target.h"
#include "cli/options/version.h"
#include "cli/publish.h"
#include "conformance/fuzz/fuzzer.h"
#include "conformance/peer/opening.h"
#include "core/base/errors/errors.h"
#include "core/os/child/real_paths.h"
#include "core/os/interrupt.h"
#include "core/os/random.h"
#include "core/os/wall_clock.h"

namespace plumbline::cli {

namespace {

constexpr std::uint64_t kSecondsUsual = 60;
constexpr Duration kPatience = std::chrono::seconds(5);
constexpr Duration kOpeningMax = std::chrono::seconds(30);
constexpr std::size_t kCanaryBytes = 12;
constexpr const char* kCanary = "PLUMBLINE_CANARY_TOKEN";

// Kept is where findings are stored.
class Kept {
 public:
  Kept(const FuzzServerOptions& options, std::string target, Host& host)
      : options_(options), target_(std::move(target)), host_(host) {}

  // keep stores one and returns the command that runs it again.
  std::string keep(const std::string& id, Json file) {
    file["shows"] = host_.secrets().redact(string_or(file, "shows", ""));  // What is sent stays.
    const std::string path =
        options_.out + "/" + id + "-" + std::to_string(++counts_[id]) + ".json";
    Status stored = os::make_folder(options_.out);
    if (stored.ok()) stored = host_.files().write_file(path, pretty_json(file) + "\n");
    if (!stored.ok()) host_.complain(stored.error(), kExitUsage);
    return "plumbline fuzz server --again " + path +
           (options_.allow_writes ? " --allow-writes" : "") + " " + target_;
  }

 private:
  const FuzzServerOptions& options_;
  std::string target_;
  Host& host_;
  std::map<std::string, int> counts_;  // Of what was kept, by its id.
};

Result<std::optional<conformance::FuzzCase>> read_again(const FuzzServerOptions& options,
                                                        Host& host) {
  if (options.again.empty()) return std::optional<conformance::FuzzCase>();
  Result<std::string> text = host.files().read_file(options.again);
  if (!text.ok()) return text.error();
  const Result<Json> file = parse_json(text.value());
  if (!file.ok()) return the_error("fuzz.again", options.again, file.error().message);
  Result<conformance::FuzzCase> session = conformance::read_case(file.value());
  if (!session.ok()) return the_error("fuzz.again", options.again, session.error().message);
  return std::optional<conformance::FuzzCase>(std::move(session).value());
}

Json json_of(const conformance::FuzzEffort& effort) {
  const double seconds = static_cast<double>(effort.took.count()) / 1e9;
  return {{"sessions", effort.sessions},
          {"messages", effort.messages},
          {"features", effort.features},
          {"connections", effort.opened},
          {"unconfirmed", effort.unconfirmed},
          {"digest", effort.digest},
          {"sessions_per_s", seconds > 0 ? static_cast<double>(effort.sessions) / seconds : 0}};
}

// Fuzzing is one target, from the first session to the report.
class Fuzzing {
 public:
  Fuzzing(const FuzzServerOptions& options, const CheckTarget& target, Secrets secrets, Host& host)
      : options_(options),
        target_(target),
        secrets_(std::move(secrets)),
        host_(host),
        kept_(options, target.shown, host) {
    report_.version = kVersion;
    report_.command = "fuzz server";
    report_.target["target"] = target.shown;
    report_.seed = options.seed;
    report_.started = os::wall_clock_rfc3339();
  }

  // run returns false when the user interrupted it.
  bool run(std::optional<conformance::FuzzCase> again) {
    os::RealLoop& loop = host_.world().loop();
    const Duration begin = os::wall_clock_since_1970();
    conformance::SubjectSpec spec = target_.subject;
    const std::string canary = "canary-" + os::random_token(kCanaryBytes);
    spec.command.env.emplace(kCanary, canary);
    secrets_.add(canary);
    conformance::WireLog log(secrets_.redactor(), loop.now());
    RealWorld& world = host_.world();
    conformance::Subject subject(loop, world.spawner(), world.network(), os::random_bytes, log,
                                 std::move(spec), kOpeningMax);
    conformance::Fuzzer fuzzer(subject, fuzz_options(std::move(again)));
    bool interrupted = false;
    const os::Interrupt interrupt(loop, [&interrupted](int) { interrupted = true; });
    {
      Task<void> work = work_on(subject, fuzzer);
      work.start();
      loop.run_until([&] { return work.done() || interrupted; });
    }
    unreachable_ = fuzzer.unreachable();
    if (fuzzer.effort().sessions > 0) report_.results = fuzzer.rows();
    report_.revision = fuzzer.revision();
    report_.target["effort"] = json_of(fuzzer.effort());
    const Duration took = os::wall_clock_since_1970() - begin;
    report_.duration_ms = static_cast<double>(took.count()) / 1e6;
    tell(fuzzer.effort());
    return !interrupted;
  }

  const Report& report() const { return report_; }
  const Error& unreachable() const { return unreachable_; }

 private:
  Task<void> work_on(conformance::Subject& subject, conformance::Fuzzer& fuzzer) {
    if (target_.finds_out) co_await conformance::find_transport(subject);
    co_await fuzzer.run();
  }

  conformance::FuzzOptions fuzz_options(std::optional<conformance::FuzzCase> again) {
    conformance::FuzzOptions how;
    how.seed = options_.seed;
    how.sessions_max = options_.runs;
    how.time_max = options_.time_max;
    how.revision = options_.revision;
    how.probe.allow_writes = options_.allow_writes;
    how.patience = options_.common.timeout == Duration{} ? kPatience : options_.common.timeout;
    how.only = std::move(again);
    how.keep = [this](const std::string& id, const Json& file) { return kept_.keep(id, file); };
    if (options_.common.verbose) {
      how.tell = [this](const std::string& line) { host_.tell_line(line); };
    }
    return how;
  }

  void tell(const conformance::FuzzEffort& effort) {
    if (options_.common.quiet) return;
    const double seconds = std::max(static_cast<double>(effort.took.count()) / 1e9, 1e-3);
    host_.tell_line(
        "fuzz server: " + std::to_string(effort.sessions) + " sessions, " +
        std::to_string(effort.messages) + " messages, " + std::to_string(effort.features) +
        " different answers, " +
        std::to_string(static_cast<std::uint64_t>(static_cast<double>(effort.sessions) / seconds)) +
        " sessions/s, " + std::to_string(effort.unconfirmed) +
        " findings that did not come again, digest " + effort.digest);
  }

  const FuzzServerOptions& options_;
  const CheckTarget& target_;
  Secrets secrets_;
  Host& host_;
  Kept kept_;
  Report report_;
  Error unreachable_;
};

}  // namespace

void FuzzServerOptions::declare(CLI::App& app) {
  declare_target(app, target);
  app.add_option("--start", target.start, "Start the server at the URL with this shell command")
      ->type_name("'COMMAND'");
  app.add_option("--runs", runs, "Stop after N sessions")->type_name("N");
  app.add_option("--seconds", seconds_, "Stop after S seconds (default 60, unless --runs is given)")
      ->check(CLI::Range(1, 86'400))
      ->type_name("S");
  app.add_option("--seed", seed, "Generate the sessions from this seed (default 1)")
      ->type_name("N");
  app.add_option("--revision", revision, "Speak this revision (default: the newest with sessions)")
      ->type_name("R");
  app.add_option("--out", out, "Save findings in this folder (default plumbline-fuzz)")
      ->type_name("DIR");
  app.add_option("--again", again, "Replay this finding once, and nothing else")->type_name("FILE");
  app.add_flag("--allow-writes", allow_writes, "Also call tools that are not marked read-only");
  add_timeout(app, texts_);
  add_common(app, common, texts_);
}

Status FuzzServerOptions::read() {
  const Status shared = read_common(texts_, common);
  if (!shared.ok()) return shared;
  os::RealPaths paths;
  const Status taken = take_target("fuzz server", target, paths);
  if (!taken.ok()) return taken;
  if (!target.start.empty() && target.url.empty()) {
    return the_error("target.only-at-a-url", "start", "a server", "it");
  }
  if (seconds_ == 0 && runs == 0) seconds_ = kSecondsUsual;
  time_max = std::chrono::seconds(seconds_);
  return Done{};
}

int run_fuzz_server(const FuzzServerOptions& options, Host& host) {
  const Result<CheckTargets> targets = read_targets(options.target, host);
  if (!targets.ok()) return host.complain(targets.error(), kExitUsage);
  if (targets.value().targets.size() != 1) {
    return host.complain(
        the_error("target.which-server", "fuzz server: ", " one server,", " says which"),
        kExitUsage);
  }
  Result<std::optional<conformance::FuzzCase>> again = read_again(options, host);
  if (!again.ok()) return host.complain(again.error(), kExitUsage);
  Fuzzing fuzzing(options, targets.value().targets.front(), targets.value().secrets, host);
  const bool whole = fuzzing.run(std::move(again).value());
  const bool nothing = fuzzing.report().results.empty();
  const int status = nothing ? kExitOk : publish(host, options.common, fuzzing.report());
  if (!whole) return kExitInterrupted;
  if (!fuzzing.unreachable().message.empty())
    return host.complain(fuzzing.unreachable(), kExitUnreachable);
  return status;
}

}  // namespace plumbline::cli
