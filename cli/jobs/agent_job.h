// AgentJob is an agent with real servers: what `ask` and `thread resume` run.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cli/config/config.h"
#include "cli/connect/tokens.h"
#include "cli/host.h"
#include "cli/jobs/mixed_connector.h"
#include "cli/telemetry/metrics_export.h"
#include "cli/telemetry/trace_export.h"
#include "core/agents/all/agents.h"
#include "core/agents/graph_spans.h"
#include "core/agents/graph_tracer.h"
#include "core/base/rng.h"
#include "core/connector/mcp_hub.h"
#include "core/connector/permitted_client.h"
#include "core/connector/traced_client.h"
#include "core/events/redacting_sink.h"
#include "core/mcp/transport/http_connector.h"
#include "core/mcp/transport/stdio_connector.h"
#include "fakes/world/trace_recorder.h"

namespace plumbline::cli {

struct JobOptions {
  bool json = false;     // The answer is printed as JSON.
  bool verbose = false;  // Events are told on standard error.
  std::string trace;     // Where they are written as well; empty: nowhere.
  std::string otlp;      // Where spans and metrics go, if anywhere: a file, or a URL.
};

// JobConfig is which servers a job may use, and how.
struct JobConfig {
  std::vector<std::string> files;    // What a later one says wins. Empty: `registry` knows all.
  std::vector<std::string> servers;  // Of the configuration; empty: all.
  std::vector<std::string> inputs;   // That it asks for: "NAME=VALUE".
  std::vector<std::string> prefer;   // Before others, in this order; empty: as the file says.
  Duration timeout{};                // Of one request to a server. 0: what the file says.
  std::string registry;              // Where more agents are looked for; empty: as the file says.
  std::vector<std::string> allow;    // Origins to which it may lead, beside what the file says.
};

// config_of reads the files of `job`, asks the registry, and keeps what `job` names; `prefer` is
// then never empty where either says something. One line: kInvalidInput, what was said is wrong;
// kDisconnected, the registry cannot be asked.
Result<Config> config_of(const JobConfig& job, Host& host);

// complain_of_config says what config_of did, and returns the exit status.
int complain_of_config(const Error& error, Host& host);

class AgentJob {
 public:
  // Decide returns the answer to what the agent asks; nothing: nobody knows yet, and it waits.
  using Decide = std::function<std::optional<Json>(const Json& review)>;

  // The secrets of `config` become those of the host. `model` may be null. All must outlive the
  // job.
  AgentJob(const Config& config, const JobOptions& options, model::Model* model, Host& host);

  // run works on `request` until it ends or waits, and ends the servers. Nothing: interrupted.
  std::optional<agents::Outcome> run(agents::Request request, std::optional<agents::Place> place,
                                     Decide decide);

  const Redactor& redactor() const { return secrets_.redactor(); }

  // write_trace writes the trace where it is asked for.
  Status write_trace();

 private:
  // Follower tells on standard error, as it happens, what a person wants to follow.
  class Follower final : public EventSink {
   public:
    explicit Follower(Host& host) : host_(host) {}
    void on_event(const TraceEvent& event) override;

   private:
    Host& host_;
  };

  Task<agents::Outcome> converse(agents::Request request, std::optional<agents::Place> place,
                                 Decide decide);

  Host& host_;
  Rng jitter_;
  JobOptions options_;
  Secrets secrets_;
  fakes::TraceRecorder recorder_{fakes::Keep::kText};
  Follower follower_;
  fakes::EventFanout listeners_;
  RedactingSink events_;
  transport::StdioConnector children_;
  SignedIn signed_in_;
  transport::HttpConnector remotes_;
  MixedConnector connector_;
  MetricsExport metrics_;
  connector::McpHub hub_;
  agents::GraphTracer tracer_;
  connector::PermittedClient permitted_;
  TraceExport spans_;
  agents::GraphSpans traced_;
  connector::TracedClient client_;
  std::unique_ptr<agents::Session> agent_;
};

// kJobStatuses is what --help says of the exit statuses of a job.
inline constexpr const char* kJobStatuses =
    "Exit status: 0 done, 1 failed or refused, 2 bad input, 3 could not be reached or\n"
    "used, 4 a person has to decide, 5 nothing that the servers offer fits.";

// tell_answer prints the final output of a job, and returns the exit status for `outcome`, which
// the JSON has as "exit_status": 0 it was answered, 1 it failed or was refused, 2 there was nothing
// to ask, 3 what it may have needed could not be used, 4 a person has to decide, to look, or to say
// more, 5 nothing that is offered fits.
int tell_answer(const agents::Outcome& outcome, Json answer, const JobOptions& options, Host& host);

}  // namespace plumbline::cli
