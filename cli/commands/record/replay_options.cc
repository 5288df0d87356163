#include "cli/commands/record/replay_options.h"

#include <string>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/judging/target.h"
#include "cli/options/authority.h"
#include "cli/options/choice.h"
#include "core/base/errors/errors.h"
#include "core/os/child/real_paths.h"
#include "core/os/files/mapped_file.h"
#include "scenarios/real/agent_program.h"

namespace plumbline::cli {

namespace {

// add_texts declares an option that takes one text each time.
void add_texts(CLI::App& app, const char* option, std::vector<std::string>& texts, const char* type,
               const char* what) {
  app.add_option(option, texts, what)
      ->type_name(type)
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

}  // namespace

void ReplayOptions::declare(CLI::App& app) {
  app.add_option("FILE", file, "A recording made by plumbline record")->required();
  app.add_option("--session", session,
                 "Replay session N of FILE, from 1 (default: all; with --serve, the best match)")
      ->type_name("N");
  declare_serving(app);
  declare_target(app);
  declare_orchestrator(app);
  add_timeout(app, texts_);
  add_common(app, common, texts_);
}

void ReplayOptions::declare_serving(CLI::App& app) {
  using scenarios::Match;
  app.add_option("--serve", serve, "Serve as the recorded server did")
      ->transform(one_of({"stdio", "http", "sse", "ws"}))
      ->type_name("stdio|http|sse|ws");
  app.add_option("--listen", listen_, "Listen here (default 127.0.0.1:0, a free port)")
      ->type_name("HOST:PORT");
  add_allowed_hosts(app, place.hosts);
  app.add_option("--tls-cert", tls_cert_, "Serve https or wss with this certificate (PEM)")
      ->type_name("PEM");
  app.add_option("--tls-key", tls_key_, "Use this private key (PEM) for --tls-cert")
      ->type_name("PEM");
  app.add_option("--match", match, "Match messages with recorded ones by this (default content)")
      ->transform(choice<Match>(
          {{"strict", Match::kStrict}, {"content", Match::kContent}, {"method", Match::kMethod}}))
      ->type_name("strict|content|method");
  app.add_flag("--fast", fast, "Answer at once instead of at the recorded pace");
}

void ReplayOptions::declare_target(CLI::App& app) {
  app.add_option("--against", against,
                 "Play the other side against a server, a client or the orchestrator")
      ->transform(choice<Against>({{"orchestrator", Against::kOrchestrator},
                                   {"client", Against::kClient},
                                   {"server", Against::kServer}}))
      ->type_name("orchestrator|client|server");
  app.add_flag("--diff", diff,
               "Send the same requests to a newer server and report what breaks clients");
  cli::declare_target(app, target);
  app.add_option("--old", old, "Compare with this older server instead of the recording")
      ->type_name("URL|'COMMAND'");
  add_texts(app, "--learn", learn, "FILE",
            "Another recording of the server: ignore what differs between them; repeatable");
  add_texts(app, "--volatile", unsteady, "POINTER",
            "Ignore the value at this place, such as /result/content/*/text; repeatable");
}

void ReplayOptions::declare_orchestrator(CLI::App& app) {
  add_texts(app, "--request", requests, "TEXT",
            "Ask the orchestrator this; repeatable, one tool call each");
  app.add_option("--scenario-out", scenario_out, "Write the recording as a scenario")
      ->type_name("FILE");
  app.add_option("--seed", seed_texts_.seed, "Run one seed (default 1)")->type_name("N");
  app.add_option("--seeds", seed_texts_.seeds, "Run these seeds: each orders events differently")
      ->type_name("A..B");
  app.add_option("--jobs,-j", jobs, "Use J threads; results are the same for any J")
      ->check(CLI::Range(1, 256))
      ->type_name("J");
  app.add_flag("--all-orders", all_orders, "Try every order of simultaneous events");
  app.add_flag("--mutate", mutate,
               "Replay once for each known server fault; against a client, for each response");
}

Status ReplayOptions::read() {
  // A client is served over a network, over HTTP unless it is said.
  const bool serves = !serve.empty() && against != Against::kClient;
  const int ways = (serves ? 1 : 0) + (diff ? 1 : 0) + (against == Against::kNobody ? 0 : 1);
  if (ways != 1) return the_error("replay.how");
  if (session && *session < 1)
    return the_error("replay.session", "0", "expected a number from 1 on");
  const Status shared = read_common(texts_, common);
  if (!shared.ok()) return shared;
  if (against == Against::kClient) return read_client();
  if (!serve.empty()) return read_serving();
  if (against == Against::kOrchestrator) return read_orchestrator();
  return read_target();
}

Status ReplayOptions::read_serving() {
  if (serve == "stdio") {
    if (!listen_.empty() || !tls_cert_.empty() || !tls_key_.empty()) {
      return the_error("replay.stdio");
    }
    place.over = mcp::Transport::kStdio;
    return Done{};
  }
  place.over = *mcp::parse_transport(serve);
  Result<net::Authority> at = read_authority("--listen", listen_.empty() ? "127.0.0.1:0" : listen_);
  if (!at.ok()) return at.error();
  place.at = std::move(at).value();
  if (tls_cert_.empty() != tls_key_.empty()) {
    return the_error("serve.tls", " and --tls-key", "expected both");
  }
  if (!tls_cert_.empty()) place.tls = net::TlsServer{tls_cert_, tls_key_};
  return Done{};
}

Status ReplayOptions::read_client() {
  target.command.insert(target.command.begin(), target.words.begin(), target.words.end());
  if (target.command.empty()) {
    return the_error("replay.client-wants",
                     "expected -- COMMAND ARGS..., with {url} or {config} in it");
  }
  if (serve == "stdio" && scenarios::has_placeholder(target.command, "{url}")) {
    return the_error("replay.client-wants",
                     "over stdio there is no {url}, {config} says what to start");
  }
  if (serve.empty()) serve = "http";
  return read_serving();
}

Status ReplayOptions::read_target() {
  if (mutate) return the_error("replay.mutate");
  os::RealPaths paths;
  const Status taken = take_target("replay", target, paths);
  if (!taken.ok()) return taken;
  for (const std::string& place_of_value : unsteady) {
    if (place_of_value.find('/') == std::string::npos) {
      return the_error("replay.volatile", place_of_value);
    }
  }
  return Done{};
}

Status ReplayOptions::read_orchestrator() {
  if (requests.empty()) {
    return the_error("replay.request");
  }
  if ((all_orders || mutate) && !seed_texts_.seeds.empty()) {
    return the_error("world.one-seed", "all-orders and --mutate", "expected ", "", "");
  }
  return read_seeds(seed_texts_, seeds);
}

Result<scenarios::Recording> read_recording_file(const std::string& path, Host& host) {
  const Result<std::string> text = host.files().read_file(path);
  const bool is_long = !text.ok() && text.error().code == ErrorCode::kLimitReached;
  if (!text.ok() && !is_long) return text.error();
  Result<scenarios::Recording> recording = Error{};
  if (is_long) {  // It is read where it lies.
    const Result<os::MappedFile> file = os::MappedFile::open(path);
    if (!file.ok()) return file.error();
    recording = scenarios::read_recording(file.value().text());
  } else {
    recording = scenarios::read_recording(text.value());
  }
  if (!recording.ok()) return behind(path + ", ", recording.error());
  return recording;
}

}  // namespace plumbline::cli
