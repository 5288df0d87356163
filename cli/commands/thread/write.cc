// `thread resume`, `thread fork` and `thread delete`.

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "cli/commands/thread/thread.h"
#include "cli/jobs/threaded_job.h"
#include "core/base/errors/errors.h"
#include "core/graph/thread.h"

namespace plumbline::cli {

namespace {

constexpr int kNamesMax = 1'000;

// refuse_resume complains when the thread is not in want of what was said, and returns the exit
// status.
std::optional<int> refuse_resume(const ThreadResumeOptions& options, const ThreadView& view,
                                 Threads& threads, Host& host) {
  const std::string_view status = view.status(threads.clock().since_1970());
  const std::string step =
      view.latest ? ", step " + std::to_string(view.latest->checkpoint.step) : "";
  const std::string lead = "thread '" + view.info.id + "'" + step + ": ";
  if (status == "expired") return refuse_expired(view, threads, host);
  if (status == "ended") {
    return host.complain(the_error("thread.ended", lead), kExitUsage);
  }
  if (status == "waits" && !options.answer) {
    return host.complain(the_error("thread.wants-answer", lead), kExitUsage);
  }
  if (status == "unfinished" && options.answer) {
    return host.complain(the_error("thread.wants-no-answer", lead), kExitUsage);
  }
  if (status == "waits") {
    const Status right =
        agents::default_agent().check_answer(view.open().front().what, *options.answer);
    if (!right.ok()) return host.complain(behind(lead, right.error(), "thread.step"), kExitUsage);
  }
  return std::nullopt;
}

// answer_of returns the answer that was given. A no without a reason is one all the same: the
// request ends by it.
std::optional<Json> answer_of(const ThreadResumeOptions& options) {
  std::optional<Json> answer = options.answer;
  const bool no = answer && !bool_or(*answer, "approve", false);
  if (no && !answer->contains("reason")) (*answer)["reason"] = "no reason was given";
  return answer;
}

// begin_fork begins a thread called `as`, or, when that is empty, one by a name that is free, and
// returns its id.
Task<Result<std::string>> begin_fork(store::ThreadStore& store, std::string from, std::int64_t step,
                                     std::string as, Json about) {
  about["forked_from"] = from;
  about["forked_step"] = step;
  const std::string base = from + '-' + std::to_string(step);
  for (int tries = 1; tries <= kNamesMax; ++tries) {
    std::string id = as;
    if (id.empty()) id = tries == 1 ? base : base + '-' + std::to_string(tries);
    Result<bool> begun = co_await store.begin(id, about);
    if (!begun.ok()) co_return begun.error();
    if (begun.value()) co_return id;
    if (!as.empty()) break;
  }
  co_return the_error_as(ErrorCode::kConflict, "thread.taken", (as.empty() ? base : as));
}

constexpr const char* kAnswered = "behind_an_answer";  // In what a fork is about.

// answered_before returns the last step before `step` in which a question was answered.
Task<Result<std::optional<std::int64_t>>> answered_before(store::ThreadStore& store, std::string id,
                                                          std::int64_t step) {
  graph::Range range;
  range.before = step;
  Result<std::vector<store::SavedCheckpoint>> earlier =
      co_await store.history(std::move(id), range);
  if (!earlier.ok()) co_return earlier.error();
  for (const store::SavedCheckpoint& one : earlier.value()) {
    for (const auto& branch : one.at.branches) {
      const bool answered = std::ranges::any_of(branch.notes, &graph::Note::answers);
      if (answered) co_return std::optional<std::int64_t>(one.step);
    }
  }
  co_return std::optional<std::int64_t>();
}

// fork makes a thread that begins at a step of another, and returns its id.
Task<Result<std::string>> fork(store::ThreadStore& store, Loop& loop, ThreadForkOptions options,
                               Json about) {
  Result<std::optional<store::SavedCheckpoint>> from = co_await store.at(options.id, options.step);
  if (!from.ok()) co_return from.error();
  if (!from.value()) {
    co_return the_error_as(ErrorCode::kUnsupported, "thread.no-step", options.id,
                           std::to_string(options.step));
  }
  Result<std::optional<std::int64_t>> answered =
      co_await answered_before(store, options.id, options.step);
  if (!answered.ok()) co_return answered.error();
  if (answered.value()) about[kAnswered] = true;
  if (about.contains(kAnswered) && !options.again) {
    const std::string where =
        answered.value() ? "; fork step " + std::to_string(*answered.value()) + " to be asked" : "";
    co_return the_error_as(
        ErrorCode::kUnsupported, "thread.twice",
        std::string("thread '") + options.id + "', step " + std::to_string(options.step),
        where + ", or say --again");
  }
  Result<std::string> id =
      co_await begin_fork(store, options.id, options.step, options.as, std::move(about));
  if (!id.ok()) co_return id;
  graph::Thread<graph::SavedState> thread(store, id.value(), loop);
  Result<store::SavedCheckpoint> forked = co_await thread.fork(options.id, options.step);
  if (!forked.ok()) co_return forked.error();
  co_return id;
}

Error lost_words(const std::string& id) {
  return the_error("thread.altered", "thread '" + id + "'",
                   "its request when it was kept, so what would run is not what was asked for; "
                   "begin a new thread");
}

}  // namespace

int run_thread_resume(const ThreadResumeOptions& options, Host& host) {
  std::variant<FoundThread, int> found = find_thread(options.store, options.id, host);
  if (const int* const status = std::get_if<int>(&found)) return *status;
  auto& [threads, view] = std::get<FoundThread>(found);
  const std::optional<int> refused = refuse_resume(options, view, *threads, host);
  if (refused) return *refused;
  if (view.info.altered) return host.complain(lost_words(options.id), kExitUsage);
  JobConfig named = job_of(view.info.about);
  if (!options.configs.empty()) named.files = options.configs;
  const Result<Config> config = config_of(named, host);
  if (!config.ok()) return complain_of_config(config.error(), host);
  Result<Advisor> advisor = Advisor::open(options.advisor, config.value(), host);
  if (!advisor.ok()) return host.complain(advisor.error(), kExitUsage);
  AgentJob job(config.value(), options.job, advisor.value().model(), host);
  std::optional<Json> answer = answer_of(options);  // To the open question, and to no other.
  ThreadedJob threaded{*threads,
                       options.id,
                       {string_or(view.info.about, "request", ""), config.value().prefer},
                       options.job,
                       [&answer](const Json&) { return std::exchange(answer, std::nullopt); },
                       nullptr};
  return run_threaded(threaded, job, host);
}

int run_thread_fork(const ThreadForkOptions& options, Host& host) {
  std::variant<FoundThread, int> found = find_thread(options.store, options.id, host);
  if (const int* const status = std::get_if<int>(&found)) return *status;
  auto& [threads, view] = std::get<FoundThread>(found);
  if (view.info.altered) return host.complain(lost_words(options.id), kExitUsage);
  const std::optional<Result<std::string>> id = wait_for(
      host, fork(threads->store(), host.world().loop(), options, std::move(view.info.about)));
  if (!id) return host.complain(the_error("cli.interrupted", ""), kExitInterrupted);
  if (!id->ok()) {
    const ErrorCode code = id->error().code;
    const bool usage = code == ErrorCode::kUnsupported || code == ErrorCode::kConflict;
    return host.complain(id->error(), usage ? kExitUsage : kExitUnreachable);
  }
  host.out(host.secrets().redact(id->value()) + "\n");
  host.tell_line("It begins at step " + std::to_string(options.step) + " of " + options.id +
                 "; go on with " + thread_command("resume", id->value(), *threads));
  return kExitOk;
}

int run_thread_delete(const ThreadDeleteOptions& options, Host& host) {
  std::variant<std::unique_ptr<Threads>, int> opened = Threads::open_kept(options.store, host);
  if (const int* const status = std::get_if<int>(&opened)) return *status;
  Threads& threads = *std::get<0>(opened);
  // Not by find_thread: one that cannot be read can be deleted.
  const auto info = wait_for(host, threads.store().info(options.id));
  if (!info) return host.complain(the_error("cli.interrupted", ""), kExitInterrupted);
  if (info->ok() && !info->value()) {
    return host.complain(the_error("thread.none", options.id, threads.shown()), kExitUsage);
  }
  const std::optional<Status> erased = wait_for(host, threads.store().erase(options.id));
  if (!erased) return host.complain(the_error("cli.interrupted", ""), kExitInterrupted);
  if (!erased->ok()) return host.complain(erased->error(), kExitUnreachable);
  return kExitOk;
}

}  // namespace plumbline::cli
