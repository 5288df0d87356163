#include "cli/jobs/agent_job.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "cli/config/load_config.h"
#include "cli/connect/found_agents.h"
#include "cli/connect/hub_options.h"
#include "core/agents/approvals/approval.h"
#include "core/base/check.h"
#include "core/base/errors/errors.h"
#include "core/os/child/environment.h"
#include "core/os/interrupt.h"
#include "core/os/random.h"
#include "reports/text.h"

namespace plumbline::cli {

namespace {

// Agents that one request asks, where a registry lists them.
constexpr std::size_t kFoundMax = 100;

Status check_preferred(const Config& config, const JobConfig& job) {
  for (const std::string& name : job.prefer) {
    if (std::ranges::find(config.servers, name) == config.servers.end()) {
      return the_error("target.no-such-server", std::string("prefer ") + name, "configuration has",
                       "server");
    }
  }
  return Done{};
}

Result<Config> files_of(const JobConfig& job, Host& host) {
  Config config;
  config.replaces = true;
  for (const std::string& file : job.files) {
    Result<Config> read = load_config({file, job.servers, job.inputs}, host, std::move(config));
    if (!read.ok()) return read;
    config = std::move(read).value();
  }
  return config;
}

// name_registry puts what the command line says of a registry over what the file does.
Status name_registry(const JobConfig& job, Config& config) {
  if (!job.registry.empty()) {
    Result<wire::Url> url = read_registry_url(job.registry);
    if (!url.ok()) return the_error("registry.pages", url.error().message);
    RegistrySource source;
    source.url = std::move(url).value();
    config.registry = std::move(source);
  }
  if (!config.registry && !job.allow.empty()) {
    return the_error("registry.none");
  }
  for (const std::string& origin : job.allow) {
    const Status read = registry::read_origin(origin, config.registry->allowed);
    if (read.ok()) continue;
    return the_error("registry.origin", origin);
  }
  return Done{};
}

// set_in returns `response` with all lines but the first set in: others may have written them, and
// none is to pass for a line of ours.
std::string set_in(const std::string& response) {
  std::string out;
  for (const char c : reports::printable(response)) {
    out += c;
    if (c == '\n') out += "  ";
  }
  return out;
}

std::string answer_text(const Json& final_output, bool json) {
  if (json) return reports::safe_json(pretty_json(final_output)) + "\n";
  std::string text = set_in(string_or(final_output, "response", "")) + "\n";
  if (const Json* const question = find(final_output, "question")) {
    bool cut = false;
    text += agents::approvals::text_of(*question, agents::approvals::kRowBytesMax, cut) + "\n";
    if (cut) text += "To see all of it, ask with --json\n";
  }
  if (const std::optional<std::string> how = find_string(final_output, "to_decide")) {
    text += "To decide: " + *how + "\n";
  } else if (const std::optional<std::string> id = find_string(final_output, "approval_id")) {
    text += "To let it run once, ask again with --approve " + *id + "\n";
  }
  return reports::without_commands(reports::printable(text));
}

// why_failed returns what went wrong; empty: it was answered, or waits.
std::string why_failed(const agents::Outcome& outcome) {
  const Json* const answer = find(outcome.state, "final_output");
  if (answer == nullptr || string_or(*answer, "status", "") != "failed") return {};
  return string_or(*answer, "response", "it failed");
}

// exit_status_of returns what scripts are told of a job that has ended, or waits for a person.
int exit_status_of(const agents::Outcome& outcome) {
  using End = agents::Outcome::End;
  if (outcome.review) return kExitNeedsPerson;
  switch (outcome.end) {
    case End::kDone:
      return kExitOk;
    case End::kNeedsPerson:
      return kExitNeedsPerson;
    case End::kFailed:
      return kExitFailed;
    case End::kUnreachable:
      return kExitUnreachable;
    case End::kNothingFits:
      return kExitNothingFits;
    case End::kBadRequest:
      return kExitUsage;
  }
  check(false, "unknown End");
  return kExitUnreachable;
}

std::uint64_t seed_of(std::string_view bytes) {
  std::uint64_t seed = 0;
  for (const char c : bytes) seed = (seed << 8U) | static_cast<unsigned char>(c);
  return seed;
}

// stored_tokens opens the tokens of this user where a server could want one. Where that cannot be,
// a line says so, and the servers say the rest.
std::unique_ptr<Tokens> stored_tokens(const Config& config, Secrets& secrets, Host& host) {
  if (config.remotes.empty() || !config.settings.secure_storage) return nullptr;
  if (!Tokens::exist(host)) return nullptr;
  Result<std::unique_ptr<Tokens>> tokens = Tokens::open(
      host, config.settings, [&secrets](const std::string& secret) { secrets.add(secret); });
  if (tokens.ok()) return std::move(tokens).value();
  host.tell_line("note: the tokens that are kept cannot be read: " + tokens.error().message);
  return nullptr;
}

}  // namespace

Result<Config> config_of(const JobConfig& job, Host& host) {
  Result<Config> config = files_of(job, host);
  if (!config.ok()) return config;
  const Status set = take_variables(config.value().settings, os::environment_variable);
  if (!set.ok()) return set.error();
  const Status named = name_registry(job, config.value());
  if (!named.ok()) return named.error();
  host.secrets().add_all(secrets_of(config.value()));
  const Status found = add_found(config.value(), host);
  if (!found.ok()) return found.error();
  const Status kept = keep_servers(config.value(), job.servers);
  if (!kept.ok()) return kept.error();
  if (config.value().registry && config.value().servers.size() > kFoundMax) {
    return the_error("registry.too-many", std::to_string(config.value().servers.size()),
                     std::to_string(kFoundMax));
  }
  const Status known = check_preferred(config.value(), job);
  if (!known.ok()) return known.error();
  if (!job.prefer.empty()) config.value().prefer = job.prefer;
  if (job.timeout != Duration::zero()) config.value().request_timeout = job.timeout;
  return config;
}

int complain_of_config(const Error& error, Host& host) {
  return host.complain(error,
                       error.code == ErrorCode::kDisconnected ? kExitUnreachable : kExitUsage);
}

void AgentJob::Follower::on_event(const TraceEvent& event) {
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

AgentJob::AgentJob(const Config& config, const JobOptions& options, model::Model* model, Host& host)
    : host_(host),
      jitter_(seed_of(os::random_bytes(sizeof(std::uint64_t)))),
      options_(options),
      secrets_(secrets_of(config)),
      follower_(host),
      events_(secrets_.redactor(), listeners_),
      children_(host.world().loop(), host.world().spawner(), config.commands, limits::kStopGrace),
      signed_in_(host, stored_tokens(config, secrets_, host)),
      remotes_(host.world().loop(), host.world().network(), signed_in_.endpoints(config.remotes),
               os::random_bytes),
      connector_(config, children_, remotes_),
      metrics_(host, options.otlp),
      hub_(host.world().loop(), connector_, hub_options_of(config), secrets_.redactor(), &events_,
           metrics_.metrics()),
      tracer_(host.world().loop(), events_),
      permitted_(hub_, permitted_methods(config)),
      spans_(host, options.otlp),
      traced_(spans_.tracer(), &tracer_),
      client_(permitted_, spans_.tracer()),
      agent_(agents::default_agent().open({host.world().loop(), client_, config.policy, &traced_,
                                           model, nullptr, nullptr, &jitter_})) {
  host.hide_environment();
  host.secrets().add_all(secrets_);
  if (!options.trace.empty()) listeners_.add(recorder_);
  if (options.verbose) listeners_.add(follower_);
}

// converse ends every server in order. The answer is worth more than a clean end, so ending is
// bounded and cannot change it.
Task<agents::Outcome> AgentJob::converse(agents::Request request,
                                         std::optional<agents::Place> place, Decide decide) {
  const std::string thread = place ? place->thread : std::string();
  traced_.begin(agents::default_agent().name(), thread, "");
  agents::Outcome outcome = co_await agent_->start(std::move(request), std::move(place));
  while (outcome.review) {
    std::optional<Json> answer = decide(*outcome.review);
    if (!answer) break;
    outcome = co_await agent_->resume(*std::move(answer));
  }
  traced_.end(why_failed(outcome));
  co_await spans_.flush();
  co_await metrics_.flush();
  co_await hub_.close();
  co_return outcome;
}

std::optional<agents::Outcome> AgentJob::run(agents::Request request,
                                             std::optional<agents::Place> place, Decide decide) {
  os::RealLoop& loop = host_.world().loop();
  const os::Interrupt interrupt(loop, [&loop](int) { loop.stop(); });
  return os::run(loop, converse(std::move(request), std::move(place), std::move(decide)));
}

Status AgentJob::write_trace() {
  if (options_.trace.empty()) return Done{};
  recorder_.finish(0);
  return host_.files().write_file(options_.trace, recorder_.text());
}

int tell_answer(const agents::Outcome& outcome, Json answer, const JobOptions& options,
                Host& host) {
  const int status = exit_status_of(outcome);
  answer["exit_status"] = status;
  const Json* const asked = at_pointer(answer, "/question/shown");
  const Json rows = asked != nullptr ? *asked : Json();
  host.secrets().redact(answer);
  // A person decides on what there is: two values that differ must not look alike.
  if (!rows.is_null()) answer["question"]["shown"] = rows;
  host.out(answer_text(answer, options.json));
  if (!options.json) {
    const Json* const errors = find(outcome.state, "errors");
    for (const Json& error : errors != nullptr ? *errors : Json::array()) {
      host.tell_line("note: " + error.get_ref<const std::string&>());
    }
  }
  return status;
}

}  // namespace plumbline::cli
