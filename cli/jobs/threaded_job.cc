#include "cli/jobs/threaded_job.h"

#include <utility>
#include <vector>

#include "core/agents/approvals/shown_text.h"
#include "core/base/errors/errors.h"
#include "core/os/random.h"
#include "core/os/real_file_store.h"

namespace plumbline::cli {

namespace {

constexpr std::size_t kWriterBytes = 6;

// new_writer returns a number that no other process has.
std::int64_t new_writer() {
  std::int64_t number = 0;
  for (const char byte : os::random_bytes(kWriterBytes)) {
    number = number << 8U | static_cast<unsigned char>(byte);
  }
  return number;
}

// waiting_answer is the answer of a job that waits for a person to decide on `review`.
Json waiting_answer(const ThreadedJob& threaded, const Json& review) {
  const std::string what = agents::approvals::shown(string_or(review, "server", "") + '/' +
                                                    string_or(review, "name", ""));
  Json answer = Json::object();
  answer["status"] = "needs_review";
  answer["response"] = "I found " + what + ", but " + string_or(review, "reason", "") +
                       " before it runs. Nothing was done.";
  answer["approval_id"] = string_or(review, "approval_id", "");
  answer["errors"] = Json::array();
  answer["thread"] = threaded.id;
  answer["question"] = review;
  answer["to_decide"] =
      thread_command("resume", threaded.id, threaded.threads) + " --answer '{\"approve\": true}'";
  return answer;
}

std::vector<std::string> names_in(const Json& about, std::string_view key) {
  std::vector<std::string> names;
  if (const Json* const listed = find(about, key)) {
    for (const Json& name : *listed) {
      if (name.is_string()) names.push_back(name.get_ref<const std::string&>());
    }
  }
  return names;
}

// refuse_to_work complains where another process is at work on the thread, or where what is kept of
// it cannot be read, and returns the exit status. Otherwise the thread is ours until we end.
std::optional<int> refuse_to_work(const ThreadedJob& threaded, Host& host) {
  store::ThreadStore& store = threaded.threads.store();
  const auto ours = wait_for(host, store.hold(threaded.id));
  if (!ours) return host.complain(the_error("cli.interrupted", ""), kExitInterrupted);
  if (!ours->ok()) return host.complain(ours->error(), kExitUnreachable);
  const std::string lead = "thread '" + threaded.id + "'";
  if (!ours->value()) {
    return host.complain(the_error("thread.at-work", lead), kExitUsage);
  }
  auto latest = wait_for(host, store.latest(threaded.id));
  if (!latest) return host.complain(the_error("cli.interrupted", ""), kExitInterrupted);
  if (!latest->ok()) return host.complain(latest->error(), kExitUnreachable);
  std::optional<store::SavedCheckpoint>& kept = latest->value();
  if (!kept) return std::nullopt;
  const std::string step = std::to_string(kept->step);
  const Status readable = agents::default_agent().check_kept(std::move(*kept));
  if (readable.ok()) return std::nullopt;
  return host.complain(the_error("thread.step", lead, step, readable.error().message),
                       kExitUnreachable);
}

}  // namespace

Json about_job(const std::string& request, const JobConfig& config) {
  Json about = Json::object();
  about["agent"] = agents::default_agent().name();
  about["request"] = request;
  // One stands as it does with earlier versions.
  if (config.files.size() == 1) about["config"] = os::absolute_path(config.files.front());
  if (config.files.size() > 1) {
    for (const std::string& file : config.files)
      about["configs"].push_back(os::absolute_path(file));
  }
  if (!config.registry.empty()) about["registry"] = config.registry;
  if (!config.allow.empty()) about["allow"] = config.allow;
  if (!config.servers.empty()) about["servers"] = config.servers;
  if (!config.prefer.empty()) about["prefer"] = config.prefer;
  if (config.timeout != Duration::zero()) about["timeout_ms"] = milliseconds_of(config.timeout);
  return about;
}

JobConfig job_of(const Json& about) {
  JobConfig config;
  config.files = names_in(about, "configs");
  const std::string only = string_or(about, "config", "");
  if (config.files.empty() && !only.empty()) config.files = {only};
  config.registry = string_or(about, "registry", "");
  config.allow = names_in(about, "allow");
  config.servers = names_in(about, "servers");
  config.prefer = names_in(about, "prefer");
  config.timeout = std::chrono::milliseconds(int_or(about, "timeout_ms", 0));
  return config;
}

std::optional<int> refuse_expired(const ThreadView& view, Threads& threads, Host& host) {
  if (view.status(threads.clock().since_1970()) != "expired") return std::nullopt;
  return host.complain(
      the_error("thread.expired", view.info.id, std::to_string(view.latest->checkpoint.step),
                rfc3339(*view.expires())),
      kExitUsage);
}

std::string thread_command(const std::string& what, const std::string& id, const Threads& threads) {
  return "plumbline thread " + what + ' ' + quoted(id) + " --store " + quoted(threads.shown());
}

int run_threaded(const ThreadedJob& threaded, AgentJob& job, Host& host) {
  if (const std::optional<int> refused = refuse_to_work(threaded, host)) return *refused;
  store::ThreadStore& store = threaded.threads.store();
  const std::optional<agents::Outcome> outcome =
      job.run(threaded.request, agents::Place{store, threaded.id, new_writer()}, threaded.decide);
  const Status traced = job.write_trace();
  if (!traced.ok()) host.complain(traced.error(), kExitUnreachable);
  if (!outcome) {
    return host.complain(
        the_error("cli.interrupted", std::string("; go on with ") +
                                         thread_command("resume", threaded.id, threaded.threads)),
        kExitInterrupted);
  }
  // A question that is not kept can be answered by nobody.
  if (outcome->review && store.unkept()) {
    return host.complain(*store.unkept(), kExitUnreachable);
  }
  Json answer = outcome->review ? waiting_answer(threaded, *outcome->review)
                                : *find(outcome->state, "final_output");
  if (threaded.tell) {
    threaded.tell(answer);
  } else {
    answer.erase("approval_id");  // It would be one of `ask`, which alone knows of some.
  }
  const int status = tell_answer(*outcome, std::move(answer), threaded.options, host);
  if (store.unkept()) return host.complain(*store.unkept(), kExitUnreachable);
  return status == kExitOk && !traced.ok() ? kExitUnreachable : status;
}

}  // namespace plumbline::cli
