#include "cli/options/arguments.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/options/version.h"
#include "scenarios/format/inner_faults.h"

namespace plumbline::cli {

namespace {

constexpr std::uint64_t kSeedsMax = 100'000'000;
constexpr std::uint64_t kShardsMax = 100'000;

// Options that CLI11 fills as text and that are read afterwards, all in one place.
struct Texts {
  CommonTexts common;
  CheckTexts check;
  std::string seed;
  std::string seeds;
  std::string shard;
  std::string show;
  bool stdio = false;
  bool reference = false;
  std::string http;
  std::string sse;
  std::string ws;
  std::string tls_cert;
  std::string tls_key;
};

template <typename Number>
std::optional<Number> number_of(std::string_view text) {
  Number value{};
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Error usage(std::string message) { return Error{ErrorCode::kInvalidInput, std::move(message)}; }

// add_plants declares what no help shows: docs/sweep.md tells of it.
void add_plants(CLI::App& app, std::vector<std::string>& plants) {
  app.add_option("--plant", plants)
      ->check(CLI::Validator(
          [](std::string& name) {
            scenarios::InnerFaults ignored;
            return scenarios::plant(name, ignored) ? std::string() : "no defect is called " + name;
          },
          "DEFECT"))
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->group("");
}

Status read_seeds(const Texts& texts, SeedRange& seeds) {
  if (!texts.seed.empty() && !texts.seeds.empty())
    return usage("--seed and --seeds exclude each other");
  if (!texts.seed.empty()) {
    const std::optional<std::uint64_t> seed = number_of<std::uint64_t>(texts.seed);
    if (!seed) return usage("--seed " + texts.seed + ": expected a number from 0 to 2^64-1");
    seeds = SeedRange{*seed, *seed};
  }
  if (texts.seeds.empty()) return Done{};
  const std::size_t dots = texts.seeds.find("..");
  const std::string_view all = texts.seeds;
  const auto first = number_of<std::uint64_t>(all.substr(0, dots));
  const auto last =
      dots == std::string::npos ? std::nullopt : number_of<std::uint64_t>(all.substr(dots + 2));
  if (!first || !last || *first > *last) {
    return usage("--seeds " + texts.seeds + ": expected A..B with A at most B");
  }
  if (*last - *first >= kSeedsMax) {
    return usage("--seeds " + texts.seeds + ": at most " + std::to_string(kSeedsMax) + " seeds");
  }
  seeds = SeedRange{*first, *last};
  return Done{};
}

// read_shard reads "2/7".
Status read_shard(const std::string& text, SweepOptions& sweep) {
  if (text.empty()) return Done{};
  const std::size_t slash = text.find('/');
  const std::string_view all = text;
  const auto index = number_of<std::uint64_t>(all.substr(0, slash));
  const auto of =
      slash == std::string::npos ? std::nullopt : number_of<std::uint64_t>(all.substr(slash + 1));
  if (!index || !of || *index < 1 || *index > *of || *of > kShardsMax) {
    return usage("--shard " + text + ": expected I/N with I from 1 to N, and N at most " +
                 std::to_string(kShardsMax));
  }
  sweep.shard = *index;
  sweep.shards = *of;
  return Done{};
}

Result<transport::Authority> read_authority(std::string_view option, const std::string& text) {
  const std::size_t colon = text.rfind(':');
  const auto port = colon == std::string::npos
                        ? std::nullopt
                        : number_of<std::uint16_t>(std::string_view(text).substr(colon + 1));
  std::string host = text.substr(0, std::min(colon, text.size()));
  const bool bracketed = host.starts_with('[') && host.ends_with(']');
  if (bracketed) host = host.substr(1, host.size() - 2);
  if (!port || host.empty() || (!bracketed && host.find(':') != std::string::npos)) {
    return usage(std::string(option) + " " + text +
                 ": expected HOST:PORT such as 127.0.0.1:8080, or port 0 for a free one");
  }
  return transport::Authority{std::move(host), *port};
}

// read_serve reads what `serve` is, and over what.
Status read_serve(const Texts& texts, ServeOptions& serve) {
  if (texts.reference == !serve.scenario.empty()) {
    return usage("serve: expected either a SCENARIO or --reference");
  }
  if (texts.reference && !serve.server.empty()) {
    return usage("--server: the reference server has no others beside it");
  }
  const std::vector<std::pair<ServeOver, const std::string*>> places = {
      {ServeOver::kHttp, &texts.http},
      {ServeOver::kSse, &texts.sse},
      {ServeOver::kWebSocket, &texts.ws}};
  int ways = texts.stdio ? 1 : 0;
  for (const auto& [over, place] : places) {
    if (place->empty()) continue;
    ++ways;
    Result<transport::Authority> at = read_authority("serve", *place);
    if (!at.ok()) return at.error();
    serve.over = over;
    serve.at = std::move(at).value();
  }
  if (ways != 1) return usage("serve: expected one of --stdio, --http, --sse and --ws");
  if (texts.tls_cert.empty() != texts.tls_key.empty()) {
    return usage("--tls-cert and --tls-key: expected both");
  }
  if (texts.tls_cert.empty()) return Done{};
  if (texts.stdio) return usage("--tls-cert: --stdio has no TLS");
  serve.tls = transport::TlsServer{texts.tls_cert, texts.tls_key};
  return Done{};
}

// Every command: how its options are declared. The parsed values are read by finish().
struct Parser {
  CLI::App app{"Runs, judges and replays MCP orchestrators, clients and servers.", "plumbline"};
  Texts texts;
  DemoOptions demo;
  RunOptions run;
  SweepOptions sweep;
  ShrinkOptions shrink;
  MergeOptions merge;
  CheckServerOptions check_server;
  CheckGatewayOptions check_gateway;
  CheckClientOptions check_client;
  RelayOptions relay;
  AskOptions ask;
  ServeOptions serve;
  GraphOptions graph;
  ListOptions list;
  ExplainOptions explain;

  Parser() {
    app.require_subcommand(1);
    app.set_version_flag("--version", std::string("plumbline ") + kVersion);
    declare_judging();
    declare_sweeping();
    declare_checking();
    declare_doing();
    declare_telling();
  }

  void declare_judging() {
    CLI::App& demo_app =
        *app.add_subcommand("demo", "Run the built-in scenario library and show it");
    add_common(demo_app, demo.common, texts.common);
    CLI::App& run_app = *app.add_subcommand("run", "Run scenario files in simulation");
    run_app.add_option("PATH", run.paths, "Scenario files, or folders of them")->required();
    run_app.add_option("--seed", texts.seed, "One seed (default 1)")->type_name("N");
    run_app.add_option("--seeds", texts.seeds, "A range of seeds, both ends included")
        ->type_name("A..B");
    run_app.add_option("--jobs,-j", run.jobs, "Threads; results do not depend on it")
        ->check(CLI::Range(1, 256))
        ->type_name("J");
    run_app.add_flag("--real", run.real, "With real processes instead: once, in real time");
    run_app.add_flag("--all-orders", run.all_orders,
                     "Every order in which what is due at one instant can happen");
    run_app.add_option("--trace", run.trace, "Write the trace of one scenario and seed")
        ->type_name("FILE");
    run_app.add_flag("--strict", run.strict,
                     "What a file hardly means is an error: names of nothing, idle rules");
    run_app.add_option("--show", texts.show, "outcome: what came of each, in the words of expect")
        ->check(CLI::IsMember({"outcome"}))
        ->type_name("WHAT");
    run_app.add_flag("--fail-each-operation", run.fail_each_operation,
                     "Once for each operation, which then fails; the invariants are judged");
    add_plants(run_app, run.plants);
    add_common(run_app, run.common, texts.common);
  }

  void declare_sweeping() {
    CLI::App& sweep_app =
        *app.add_subcommand("sweep", "Run one world for each seed, under weather of its own");
    sweep_app.add_option("PATH", sweep.paths, "Scenario files, or folders of them")->required();
    sweep_app.add_option("--seeds", texts.seeds, "A range of seeds, both ends included")
        ->required()
        ->type_name("A..B");
    sweep_app.add_option("--jobs,-j", sweep.jobs, "Threads; results do not depend on it")
        ->check(CLI::Range(1, 256))
        ->type_name("J");
    sweep_app.add_option("--shard", texts.shard, "Only every N-th seed, from the I-th on")
        ->type_name("I/N");
    sweep_app.add_option("--faults", sweep.faults, "default, or none: what the files say alone")
        ->check(CLI::IsMember({"default", "none"}))
        ->type_name("PROFILE");
    sweep_app.add_option("--failures", sweep.failures, "Where the small failures are written")
        ->type_name("FOLDER");
    sweep_app.add_flag("--until-failure", sweep.until_failure, "Stop at the first that fails");
    sweep_app.add_flag("--check-determinism", sweep.check_determinism,
                       "Run each world twice; both must do the same");
    add_plants(sweep_app, sweep.plants);
    add_common(sweep_app, sweep.common, texts.common);
    CLI::App& shrink_app =
        *app.add_subcommand("shrink", "Make a failure that a sweep found as small as it gets");
    shrink_app.add_option("SCENARIO", shrink.scenario, "The scenario file")->required();
    shrink_app.add_option("--seed", texts.seed, "Under which it fails")->required()->type_name("N");
    shrink_app.add_option("--out", shrink.out, "The file to write (default ID-seed-N.json)")
        ->type_name("FILE");
    add_plants(shrink_app, shrink.plants);
    CLI::App& report_app = *app.add_subcommand("report", "Work on JSON reports");
    report_app.require_subcommand(1);
    CLI::App& merge_app = *report_app.add_subcommand(
        "merge", "Make one report of several, or of all shards of a sweep");
    merge_app.add_option("FILE", merge.files, "Their JSON reports")->required();
    merge_app.add_option("--out", merge.out, "The JSON report of the whole, - for stdout")
        ->required()
        ->type_name("FILE");
    add_common(merge_app, merge.common, texts.common);
  }

  void declare_checking() {
    CLI::App& check_app =
        *app.add_subcommand("check", "Judge what others have built against the specification");
    check_app.require_subcommand(1);
    declare_check_server(*check_app.add_subcommand("server", "Judge a server"), check_server,
                         texts.check, texts.common);
    declare_check_gateway(*check_app.add_subcommand("gateway", "Judge what stands between"),
                          check_gateway, texts.check, texts.common);
    declare_check_client(*check_app.add_subcommand("client", "Judge a client"), check_client,
                         texts.check, texts.common);
    CLI::App& relay_app = *app.add_subcommand("relay", "Copies its streams to and from a judge");
    relay_app.add_option("ADDRESS", relay.address)->required();
    relay_app.group("");
  }

  // finish_check reads what `check` judges.
  Result<std::variant<Invocation, Answered>> finish_check() {
    const std::string what = app.get_subcommands().front()->get_subcommands().front()->get_name();
    if (what == "gateway") {
      Result<transport::Authority> at = read_authority("--listen", texts.check.listen);
      if (!at.ok()) return at.error();
      check_gateway.listen = std::move(at).value();
      return with(read_common(texts.common, check_gateway.common), check_gateway);
    }
    if (what == "client") {
      const Status shared = read_common(texts.common, check_client.common);
      if (!shared.ok()) return shared.error();
      return with(read_check_client(texts.check, check_client), check_client);
    }
    const Status common = read_common(texts.common, check_server.common);
    if (!common.ok()) return common.error();
    return with(read_check_server(texts.check, check_server), check_server);
  }

  void declare_doing() {
    CLI::App& ask_app = *app.add_subcommand("ask", "Put one request to the operations assistant");
    ask_app.add_option("REQUEST", ask.request, "What is asked, in words")->required();
    ask_app.add_option("--config", ask.config, "The mcpServers file of desktop clients")
        ->required()
        ->type_name("FILE");
    ask_app.add_option("--server", ask.servers, "Use only this server; repeatable")
        ->type_name("NAME")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
    ask_app
        .add_option("--approve", ask.approve,
                    "Let the call of this id run once, or all; repeatable")
        ->type_name("ID|all")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
    ask_app.add_flag("--json", ask.json, "Print the final output as one JSON document");
    ask_app.add_flag("--verbose,-v", ask.verbose, "Show the route and the events on stderr");
    ask_app.add_option("--trace", ask.trace, "Write every event as JSON Lines")->type_name("FILE");
    add_timeout(ask_app, texts.common);
    declare_serve();
  }

  void declare_serve() {
    CLI::App& serve_app = *app.add_subcommand("serve", "Be the MCP server of a scenario");
    serve_app.add_option("SCENARIO", serve.scenario, "A scenario file");
    serve_app.add_flag("--reference", texts.reference, "Be the reference server instead");
    serve_app.add_option("--server", serve.server, "Which of its servers")->type_name("NAME");
    serve_app.add_flag("--stdio", texts.stdio, "Over standard input and output");
    const auto place = [&serve_app](const char* name, std::string& text, const char* what) {
      serve_app.add_option(name, text, what)->type_name("HOST:PORT");
    };
    place("--http", texts.http, "Over Streamable HTTP; port 0 is a free one. Prints its URL");
    place("--sse", texts.sse, "Over the older HTTP+SSE. Prints its URL");
    place("--ws", texts.ws, "Over WebSocket. Prints its URL");
    serve_app.add_option("--tls-cert", texts.tls_cert, "A certificate: serve https or wss")
        ->type_name("PEM");
    serve_app.add_option("--tls-key", texts.tls_key, "Its private key")->type_name("PEM");
    serve_app.add_option("--trace", serve.trace, "Write effects and ends as JSON Lines")
        ->type_name("FILE");
  }

  void declare_telling() {
    CLI::App& graph_app = *app.add_subcommand("graph", "Draw the graph of an agent");
    graph_app.add_option("NAME", graph.name, "The agent (default operations-assistant)");
    graph_app.add_option("--format", graph.format, "mermaid or dot")
        ->check(CLI::IsMember({"mermaid", "dot"}));
    CLI::App& list_app = *app.add_subcommand("list", "List what there is");
    list_app
        .add_option("WHAT", list.what, "checks, scenarios, revisions, agents, faults or situations")
        ->required()
        ->check(
            CLI::IsMember({"checks", "scenarios", "revisions", "agents", "faults", "situations"}));
    list_app.add_flag("--json", list.json, "As one JSON document");
    CLI::App& explain_app = *app.add_subcommand("explain", "Say what an id means");
    explain_app.add_option("ID", explain.id, "Of a check, a scenario, a fault or an agent")
        ->required();
  }

  bool knows(const std::string& command) const {
    const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
    return std::ranges::count(commands, command,
                              [](const CLI::App* one) { return one->get_name(); }) > 0;
  }

  Result<std::variant<Invocation, Answered>> finish() {
    const std::string command = app.get_subcommands().front()->get_name();
    if (command == "demo") return with(read_common(texts.common, demo.common), demo);
    if (command == "run") {
      const Status seeds = read_seeds(texts, run.seeds);
      if (!seeds.ok()) return seeds.error();
      if (run.real && (!run.trace.empty() || !texts.seed.empty() || !texts.seeds.empty())) {
        return usage("--real: the real world has no seeds and no trace");
      }
      if (run.fail_each_operation && (run.real || !run.trace.empty() || !texts.seeds.empty())) {
        return usage("--fail-each-operation: expected one seed, no --real and no --trace");
      }
      if (run.all_orders && (run.real || !run.trace.empty() || !texts.seeds.empty())) {
        return usage("--all-orders: one seed, in simulation and without --trace");
      }
      run.common.outcome = !texts.show.empty();
      return with(read_common(texts.common, run.common), run);
    }
    if (command == "sweep") {
      const Status seeds = read_seeds(texts, sweep.seeds);
      if (!seeds.ok()) return seeds.error();
      const Status shard = read_shard(texts.shard, sweep);
      if (!shard.ok()) return shard.error();
      return with(read_common(texts.common, sweep.common), sweep);
    }
    if (command == "shrink") {
      SeedRange seeds;
      const Status read = read_seeds(texts, seeds);
      shrink.seed = seeds.first;
      return with(read, shrink);
    }
    if (command == "report") {
      texts.common.reports.push_back("json=" + merge.out);
      return with(read_common(texts.common, merge.common), merge);
    }
    if (command == "check") return finish_check();
    if (command == "relay") return with(Done{}, relay);
    if (command == "ask") return with(read_duration(texts.common.timeout, ask.timeout), ask);
    if (command == "serve") return with(read_serve(texts, serve), serve);
    if (command == "graph") return with(Done{}, graph);
    if (command == "list") return with(Done{}, list);
    return with(Done{}, explain);
  }

  template <typename Options>
  static Result<std::variant<Invocation, Answered>> with(const Status& status, Options& options) {
    if (!status.ok()) return status.error();
    return std::variant<Invocation, Answered>(Invocation(std::move(options)));
  }
};

std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

}  // namespace

Result<std::variant<Invocation, Answered>> parse_arguments(std::vector<std::string> words) {
  Parser parser;
  if (!words.empty() && !words.front().starts_with('-') && !parser.knows(words.front())) {
    return usage("unknown command \"" + words.front() + "\"; see plumbline --help");
  }
  std::ranges::reverse(words);  // As CLI11 takes them.
  try {
    parser.app.parse(words);
  } catch (const CLI::CallForHelp&) {
    const auto chosen = parser.app.get_subcommands();
    return std::variant<Invocation, Answered>(
        Answered{chosen.empty() ? parser.app.help() : chosen.front()->help("plumbline")});
  } catch (const CLI::CallForVersion&) {
    return std::variant<Invocation, Answered>(
        Answered{std::string("plumbline ") + kVersion + "\n"});
  } catch (const CLI::ParseError& wrong) {
    return usage(one_line(wrong.what()) + "; see plumbline --help");
  }
  return parser.finish();
}

}  // namespace plumbline::cli
