#include "cli/commands/ask.h"

#include <optional>
#include <string>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/approvals.h"
#include "cli/config/load_config.h"
#include "core/base/errors/errors.h"
#include "core/os/child/environment.h"
#include "core/os/random.h"
#include "core/os/wall_clock.h"

namespace plumbline::cli {

namespace {

constexpr std::size_t kNonceBytes = 6;

// approver_of reads the ids that were given for `request`, whose use is kept in the user's folder.
Approver approver_of(const AskOptions& options, const std::string& request, Host& host) {
  return Approver(options.approve, request,
                  approvals_folder(os::environment_variable("XDG_STATE_HOME"),
                                   os::environment_variable("HOME")),
                  host.files(), os::wall_clock_since_1970(),
                  [] { return os::random_token(kNonceBytes); });
}

// add_names declares an option that takes names, one each time.
void add_names(CLI::App& app, const char* option, std::vector<std::string>& names, const char* type,
               const char* what) {
  app.add_option(option, names, what)
      ->type_name(type)
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

// begin_thread begins the thread of `request`, or takes it up where it was begun for the same one.
// Complains and returns the exit status where it cannot.
std::optional<int> begin_thread(const AskOptions& options, const std::string& request,
                                Threads& threads, Host& host) {
  const std::string& id = options.thread;
  Json about = about_job(request, options.config);
  if (options.expires != Duration::zero()) about["expires_ms"] = milliseconds_of(options.expires);
  const auto begun = wait_for(host, threads.store().begin(id, std::move(about)));
  if (!begun)
    return host.complain(the_error("cli.interrupted", " before it began"), kExitInterrupted);
  if (!begun->ok()) return host.complain(begun->error(), kExitUnreachable);
  if (begun->value()) return std::nullopt;
  const auto found = wait_for(host, view_thread(threads.store(), id));
  if (!found)
    return host.complain(the_error("cli.interrupted", " before it began"), kExitInterrupted);
  if (!found->ok()) return host.complain(found->error(), kExitUnreachable);
  if (!found->value()) return host.complain(the_error("thread.removed", id), kExitUsage);
  const ThreadView& view = *found->value();
  const std::string before = string_or(view.info.about, "request", "");
  const std::string kept = threads.store().as_kept(request);
  if (before != kept) {
    return host.complain(the_error("thread.other-request", id, before), kExitUsage);
  }
  return refuse_expired(view, threads, host);
}

int run_in_thread(const AskOptions& options, const agents::Request& request, Approver& approver,
                  AgentJob& job, Host& host) {
  auto opened = Threads::open(options.store, host);
  if (const int* const status = std::get_if<int>(&opened)) return *status;
  Threads& threads = *std::get<0>(opened);
  if (const std::optional<int> refused = begin_thread(options, request.input, threads, host)) {
    return *refused;
  }
  const auto decide = [&approver](const Json& review) {
    return approver.decide(review) ? std::optional(agents::approval(true)) : std::nullopt;
  };
  const ThreadedJob threaded{threads, options.thread,
                             request, options.job,
                             decide,  [&approver](Json& answer) { approver.tell(answer); }};
  const int status = run_threaded(threaded, job, host);
  if (approver.failure()) return host.complain(*approver.failure(), kExitUnreachable);
  return status;
}

}  // namespace

void AskOptions::declare(CLI::App& app) {
  app.footer(kJobStatuses);
  app.add_option("REQUEST", request, "Your request, in plain words")->required();
  add_names(app, "--config", config.files, "FILE",
            "Use the servers in this mcpServers file; repeatable, a later one wins");
  app.add_option("--registry", config.registry, "Also use the agents of this registry")
      ->type_name("URL");
  add_names(app, "--allow-origin", config.allow, "ORIGIN|any",
            "Also use agents of this origin; repeatable");
  add_names(app, "--server", config.servers, "NAME", "Use only this server; repeatable");
  add_inputs(app, config.inputs);
  add_names(app, "--prefer", config.prefer, "NAME",
            "Prefer this server where several fit; repeatable, best first");
  add_names(app, "--approve", approve, "ID|all",
            "Let the call with this id run once, or all; repeatable");
  advisor.declare(app);
  app.add_option("--thread", thread, "Save the request under this id, to continue it later")
      ->type_name("ID");
  add_store(app, store);
  app.add_option("--expires", expires_,
                 "Let questions of the thread expire after this long, such as 30s or 10m")
      ->type_name("DURATION");
  app.add_flag("--json", job.json, "Print one JSON document");
  app.add_flag("--verbose,-v", job.verbose, "Print the route and the events to stderr");
  app.add_option("--trace", job.trace, "Write every event as JSON Lines")->type_name("FILE");
  add_otlp(app, job.otlp);
  add_timeout(app, texts_);
}

Status AskOptions::read() {
  if (config.files.empty() && config.registry.empty()) {
    return the_error("agent.no-source");
  }
  if (thread.empty() && !store.empty()) {
    return the_error("thread.store-only");
  }
  if (thread.empty() && !expires_.empty()) {
    return the_error("thread.expires-only");
  }
  const Status traced = check_otlp(job.otlp);
  if (!traced.ok()) return traced;
  const Status read = read_duration("--expires", expires_, expires);
  if (!read.ok()) return read;
  return read_duration("--timeout", texts_.timeout, config.timeout);
}

int run_ask(const AskOptions& options, Host& host) {
  const Result<Config> config = config_of(options.config, host);
  if (!config.ok()) return complain_of_config(config.error(), host);
  Result<Advisor> advisor = Advisor::open(options.advisor, config.value(), host);
  if (!advisor.ok()) return host.complain(advisor.error(), kExitUsage);
  AgentJob job(config.value(), options.job, advisor.value().model(), host);
  const std::string& request = options.request;
  Approver approver = approver_of(options, request, host);
  if (!options.thread.empty()) {
    return run_in_thread(options, {request, config.value().prefer}, approver, job, host);
  }
  const std::optional<agents::Outcome> outcome = job.run(
      {request, config.value().prefer}, std::nullopt,
      [&approver](const Json& review) { return agents::approval(approver.decide(review)); });
  const Status traced = job.write_trace();
  if (!traced.ok()) host.complain(traced.error(), kExitUnreachable);
  if (!outcome) {
    return host.complain(the_error("cli.interrupted", " before there was an answer"),
                         kExitInterrupted);
  }
  if (approver.failure()) return host.complain(*approver.failure(), kExitUnreachable);
  Json answer = *find(outcome->state, "final_output");
  approver.tell(answer);
  const int status = tell_answer(*outcome, std::move(answer), options.job, host);
  return status == kExitOk && !traced.ok() ? kExitUnreachable : status;
}

}  // namespace plumbline::cli
