#include "cli/commands/ask.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/approvals.h"
#include "cli/mixed_connector.h"
#include "cli/options/config.h"
#include "core/agents/agents.h"
#include "core/agents/graph_tracer.h"
#include "core/connector/mcp_hub.h"
#include "core/events/redacting_sink.h"
#include "core/mcp/transport/http_connector.h"
#include "core/mcp/transport/stdio_connector.h"
#include "core/os/child/environment.h"
#include "core/os/interrupt.h"
#include "core/os/random.h"
#include "fakes/world/trace_recorder.h"
#include "reports/text.h"

namespace plumbline::cli {

namespace {

constexpr std::size_t kNonceBytes = 6;

// Follower tells on stderr, as it happens, what a person wants to follow.
class Follower final : public EventSink {
 public:
  explicit Follower(Host& host) : host_(host) {}

  void on_event(const TraceEvent& event) override {
    const std::string at = std::to_string(nanoseconds_of(event.at) / 1'000'000) + " ms ";
    const std::string who(event.who);
    switch (event.kind) {
      case EventKind::kNodeStarted:
        return host_.tell_line(at + who);
      case EventKind::kMessageSent:
        return host_.tell_line(at + who + " -> " + dump_json(event.detail));
      case EventKind::kMessageReceived:
        return host_.tell_line(at + who + " <- " + dump_json(event.detail));
      case EventKind::kGarbage:
      case EventKind::kConnection:
        return host_.tell_line(at + who + " " + std::string(name_of(event.kind)) + " " +
                               dump_json(event.detail));
      default:
        return;
    }
  }

 private:
  Host& host_;
};

// approver_of reads the ids that were given for `request`, whose use is kept in the user's folder.
Approver approver_of(const AskOptions& options, const std::string& request, Host& host) {
  return Approver(options.approve, request,
                  approvals_folder(os::environment_variable("XDG_STATE_HOME"),
                                   os::environment_variable("HOME")),
                  host.files(), [] { return os::random_token(kNonceBytes); });
}

// converse asks, then ends every server in order. The answer is worth more than a clean end, so
// ending is bounded and cannot change it.
Task<agents::Outcome> converse(agents::Session& agent, agents::Request request,
                               agents::Reviewer reviewer, connector::McpHub& hub) {
  agents::Outcome outcome = co_await agents::ask(agent, std::move(request), std::move(reviewer));
  co_await hub.close();
  co_return outcome;
}

std::string answer_text(const Json& final_output, const AskOptions& options) {
  if (options.json) return reports::safe_json(pretty_json(final_output)) + "\n";
  std::string text = string_or(final_output, "response", "") + "\n";
  if (const std::optional<std::string> id = find_string(final_output, "approval_id")) {
    text += "To let it run once, ask again with --approve " + *id + "\n";
  }
  return reports::without_commands(reports::printable(text));
}

int exit_status_of(const agents::Outcome& outcome, const Json& answer) {
  if (string_or(answer, "status", "") == "failed") return kExitFailed;
  return outcome.unreachable ? kExitUnreachable : kExitOk;
}

Result<Config> config_of(const AskOptions& options, Host& host) {
  Result<std::string> text = host.files().read_file(options.config);
  if (!text.ok()) return std::move(text).error();
  Result<Config> config = parse_config(text.value(), options.config);
  if (!config.ok()) return config;
  const Status kept = keep_servers(config.value(), options.servers);
  if (!kept.ok()) return kept.error();
  if (options.timeout != Duration::zero()) config.value().request_timeout = options.timeout;
  return config;
}

}  // namespace

void AskOptions::declare(CLI::App& app) {
  app.add_option("REQUEST", request, "What is asked, in words")->required();
  app.add_option("--config", config, "The mcpServers file of desktop clients")
      ->required()
      ->type_name("FILE");
  app.add_option("--server", servers, "Use only this server; repeatable")
      ->type_name("NAME")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("--approve", approve, "Let the call of this id run once, or all; repeatable")
      ->type_name("ID|all")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  app.add_flag("--json", json, "Print the final output as one JSON document");
  app.add_flag("--verbose,-v", verbose, "Show the route and the events on stderr");
  app.add_option("--trace", trace, "Write every event as JSON Lines")->type_name("FILE");
  add_timeout(app, texts_);
}

Status AskOptions::read() { return read_duration("--timeout", texts_.timeout, timeout); }

int run_ask(const AskOptions& options, Host& host) {
  const Result<Config> config = config_of(options, host);
  if (!config.ok()) return host.complain(config.error().message, kExitUsage);
  const Secrets secrets = secrets_of(config.value());
  const Redactor& redactor = secrets.redactor();
  host.hide_environment();
  host.secrets().add_all(secrets);

  fakes::TraceRecorder recorder(fakes::Keep::kText);
  Follower follower(host);
  fakes::EventFanout listeners;
  if (!options.trace.empty()) listeners.add(recorder);
  if (options.verbose) listeners.add(follower);
  RedactingSink events(redactor, listeners);

  os::RealLoop& loop = host.world().loop();
  transport::StdioConnector children(loop, host.world().spawner(), config.value().commands,
                                     limits::kStopGrace);
  transport::HttpConnector remotes(loop, host.world().network(), config.value().remotes,
                                   os::random_bytes);
  MixedConnector connector(config.value(), children, remotes);
  connector::HubOptions hub_options;
  hub_options.servers = config.value().servers;
  hub_options.connect_timeout = config.value().connect_timeout;
  hub_options.request_timeout = config.value().request_timeout;
  hub_options.client.preferred = mcp::kLatest;  // Older servers are found out by the probe.
  connector::McpHub hub(loop, connector, hub_options, redactor, &events);
  agents::GraphTracer tracer(loop, events);
  const std::unique_ptr<agents::Session> agent =
      agents::default_agent().open({loop, hub, config.value().policy, &tracer});
  const os::Interrupt interrupt(loop, [&loop](int) { loop.stop(); });

  const std::string request = redactor.redact(options.request);
  Approver approver = approver_of(options, request, host);
  const std::optional<agents::Outcome> outcome =
      os::run(loop, converse(
                        *agent, {request},
                        [&approver](const Json& review) { return approver.decide(review); }, hub));
  Status traced = Done{};
  if (!options.trace.empty()) {
    recorder.finish(0);
    traced = host.files().write_file(options.trace, recorder.text());
  }
  if (!traced.ok()) host.complain(traced.error().message, kExitUnreachable);
  if (!outcome) return host.complain("interrupted before there was an answer", kExitInterrupted);
  if (approver.failure()) return host.complain(approver.failure()->message, kExitUnreachable);
  Json answer = *find(outcome->state, "final_output");
  approver.tell(answer);
  host.secrets().redact(answer);
  host.out(answer_text(answer, options));
  if (!options.json) {
    for (const Json& error : *find(outcome->state, "errors")) {
      host.tell_line("note: " + error.get_ref<const std::string&>());
    }
  }
  const int status = exit_status_of(*outcome, answer);
  return status == kExitOk && !traced.ok() ? kExitUnreachable : status;
}

}  // namespace plumbline::cli
