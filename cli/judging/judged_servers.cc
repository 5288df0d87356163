#include "cli/judging/judged_servers.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include <unistd.h>

#include "cli/judging/judge_line.h"
#include "conformance/judge/instances.h"
#include "conformance/judge/server.h"
#include "conformance/peer/opening.h"
#include "conformance/peer/upstream.h"
#include "core/base/errors/errors.h"
#include "core/os/interrupt.h"
#include "core/os/random.h"
#include "reports/effort.h"

namespace plumbline::cli {

namespace {

using conformance::Judgement;
using conformance::Transport;

Json json_of(const conformance::Spent& spent) {
  Json shown(Json::value_t::object);
  shown["times"] = spent.times;
  shown["ms"] = milliseconds_of(spent.took);
  return shown;
}

// effort_of returns what a judgement cost, as reports have it.
Json effort_of(const Judgement& judgement) {
  Json effort(Json::value_t::object);
  effort["starts"] = judgement.starts;
  effort["openings"] = json_of(judgement.effort.openings);
  effort["answers"] = json_of(judgement.effort.answers);
  effort["silences"] = json_of(judgement.effort.silences);
  effort["listening"] = json_of(judgement.effort.listening);
  return effort;
}

constexpr Duration kAnswerMax = std::chrono::seconds(10);

// ServerCheckRun judges one target after the other, in one world.
class ServerCheckRun {
 public:
  ServerCheckRun(const ServerJudging& judging, const CheckTargets& targets, Host& host)
      : judging_(judging),
        targets_(targets),
        host_(host),
        loop_(host.world().loop()),
        line_(host, loop_, judging.common.progress == When::kAlways) {}

  JudgedServers run() {
    const os::Interrupt interrupt(loop_, [this](int) { judged_.interrupted = true; });
    if (!judging_.upstream.host.empty() && !listens()) return std::move(judged_);
    for (const CheckTarget& target : targets_.targets) {
      if (is_over()) break;
      judge(target);
    }
    return std::move(judged_);
  }

 private:
  bool is_over() const { return judged_.interrupted || (judging_.newer && judging_.newer()); }

  // listens takes the place of what stands behind the servers, and returns whether it could.
  bool listens() {
    Result<std::unique_ptr<conformance::Upstream>> upstream =
        conformance::Upstream::listen(loop_, host_.world().network(), judging_.upstream);
    if (upstream.ok()) {
      upstream_ = std::move(upstream).value();
    } else {
      judged_.complaint = behind("--upstream: ", upstream.error());
    }
    return upstream_ != nullptr;
  }

  void judge(const CheckTarget& target) {
    if (!judge_once(target, judging_.starts_max) || is_over()) return;
    host_.tell_line((target.name.empty() ? "" : target.name + ": ") +
                    "of two processes of this server one ends, so it is judged again in one alone, "
                    "as with --starts 1");
    judge_once(target, 1);
  }

  // judge_once returns whether only one process of the server runs at a time, though more were
  // started; then, what was found is left out.
  bool judge_once(const CheckTarget& target, int starts_max) {
    conformance::WireLog log(targets_.secrets.redactor(), loop_.now());
    const Duration patience =
        judging_.common.timeout == Duration{} ? kAnswerMax : judging_.common.timeout;
    RealWorld& world = host_.world();
    conformance::SubjectSpec spec = target.subject;
    spec.behind = upstream_.get();
    conformance::Subject subject(loop_, world.spawner(), world.network(), os::random_bytes, log,
                                 std::move(spec), patience);
    subject.starts().max = starts_max;
    if (target.wait > Duration{} && !is_met(subject, target)) return false;
    if (target.finds_out) finish(conformance::find_transport(subject));
    conformance::ServerJudge judge(subject, conformance::all_server_checks(),
                                   judge_options(target, starts_max != judging_.starts_max));
    Task<void> work = judging_.survey ? judge.explore() : judge.judge();
    finish(std::move(work));
    line_.end();
    Judgement judgement = judge.so_far();
    if (starts_max == 0 && disturbs_itself(subject, judgement)) return true;
    judged_.found = judge.found();
    if (!judgement.unreachable.message.empty()) {
      complain(target, judgement.unreachable);
      judged_.last_words = judgement.last_words;
    }
    if (!judgement.gone.empty()) {
      host_.complain(Error{ErrorCode::kDisconnected, judgement.gone, "server.gone"},
                     kExitUnreachable);
    }
    add_identity(target, judgement);
    add_sdk(target, judgement);
    reports::add_effort(judged_.effort, effort_of(judgement));
    for (CheckResult& row : judgement.results) {
      row.server = target.name;
      judged_.results.push_back(std::move(row));
    }
    tell_of_uncalled(target, judgement);
    if (judgement.revisions.size() == 1) judged_.revision = judgement.revisions.front();
    return false;
  }

  // disturbs_itself returns whether a process of the server ends where another runs. That is looked
  // for where some have ended that nobody had asked to.
  bool disturbs_itself(conformance::Subject& subject, const Judgement& judgement) {
    const bool in_vain = judging_.survey || is_over() || judgement.revisions.empty();
    if (in_vain || subject.starts().processes.left == 0) return false;
    bool disturbs = false;
    finish(try_two(subject, judgement.revisions.front(), disturbs));
    return disturbs;
  }
  static Task<void> try_two(conformance::Subject& subject, std::string revision, bool& disturbs) {
    disturbs = co_await conformance::runs_one_at_a_time(subject, std::move(revision));
  }

  // add_identity says who was judged.
  void add_identity(const CheckTarget& target, const Judgement& judgement) {
    const conformance::Sdk* const sdk = judgement.built_with;
    judged_.judged.push_back({target.name, judgement.name, judgement.version,
                              sdk == nullptr ? "" : std::string(sdk->name),
                              judgement.results.empty() ? "" : judgement.results.front().transport,
                              judgement.revisions});
  }

  // add_sdk says with what the target is built, and which of the rows are the doing of that.
  void add_sdk(const CheckTarget& target, const Judgement& judgement) {
    if (judgement.built_with == nullptr) return;
    const conformance::Sdk& known = *judgement.built_with;
    reports::BuiltWith sdk{target.name,
                           std::string(known.name),
                           judgement.revisions,
                           !known.bare.empty(),
                           std::string(known.seen),
                           judgement.signs,
                           {},
                           {}};
    const auto add = [](std::vector<reports::Habit>& habits, const CheckResult& row,
                        const conformance::SdkHabit* habit) {
      if (habit == nullptr) return;
      habits.push_back({row.id, row.revision, row.transport, std::string(habit->words)});
    };
    for (const CheckResult& row : judgement.results) {
      if (row.verdict != Verdict::kFail && row.verdict != Verdict::kWarn) continue;
      add(sdk.habits, row, habit_in(known.habits, row));
      add(sdk.settings, row, habit_in(known.settings, row));
    }
    judged_.sdks.push_back(std::move(sdk));
  }

  // tell_of_uncalled says what would be judged if more tools might be called.
  void tell_of_uncalled(const CheckTarget& target, const Judgement& judgement) {
    const auto waiting = std::ranges::count_if(judgement.results, [](const CheckResult& row) {
      return row.verdict == Verdict::kSkip && row.reason == conformance::kWantsHint;
    });
    if (judgement.tools_uncalled == 0 || waiting == 0 || judging_.common.quiet) {
      return;
    }
    host_.tell_line((target.name.empty() ? "" : target.name + ": ") +
                    std::to_string(judgement.tools_uncalled) +
                    " tools were not called, since they do not say that they only read; with "
                    "--allow-writes, or those that a --hint names, up to " +
                    std::to_string(waiting) + " rules more could be judged");
  }

  void complain(const CheckTarget& target, const Error& why) {
    add_complaint(judged_.complaint, target.name, why);
  }

  // is_met waits until the server listens, and returns whether it does.
  bool is_met(conformance::Subject& subject, const CheckTarget& target) {
    Status there = Done{};
    finish(meet(subject, target.wait, there));
    if (!there.ok()) complain(target, there.error());
    return there.ok();
  }
  static Task<void> meet(conformance::Subject& subject, Duration wait, Status& there) {
    there = co_await subject.presence().meet(wait);
  }

  // finish drives `work` until it is done or the user wants no more.
  void finish(Task<void> work) {
    work.start();
    Task<void> shown = line_.keep_moving();
    shown.start();
    loop_.run_until([&] { return work.done() || is_over(); });
  }

  conformance::JudgeOptions judge_options(const CheckTarget& target, bool one_process) {
    conformance::JudgeOptions judging;
    judging.one_process = one_process;
    judging.revision = judging_.selection.revision;
    judging.selection = judging_.selection.rules;
    judging.concurrency = judging_.selection.concurrency;
    if (::sysconf(_SC_NPROCESSORS_ONLN) < 2) judging.starts_ahead = 0;
    judging.probe = judging_.probe;
    judging.reproduce = [this, &target](const std::string& id, const std::string& revision) {
      return "plumbline check server --only " + id + " --revision " + revision +
             (judging_.probe.allow_writes ? " --allow-writes" : "") +
             (judging_.starts_max == 0 ? "" : " --starts " + std::to_string(judging_.starts_max)) +
             (judging_.upstream.host.empty() ? ""
                                             : " --upstream " + net::describe(judging_.upstream)) +
             (judging_.hint_file.empty() ? "" : " --hint " + judging_.hint_file) + " " +
             target.shown;
    };
    if (host_.wants_progress(judging_.common)) {
      judging.tell = [this, &target](const std::string& line) {
        line_.wipe();
        host_.tell_line((target.name.empty() ? "" : target.name + ": ") + line);
      };
      judging.progress = [this](const conformance::JudgeProgress& progress) {
        line_.show(progress.done, progress.all, progress.doing);
      };
    }
    return judging;
  }

  const ServerJudging& judging_;
  const CheckTargets& targets_;
  Host& host_;
  os::RealLoop& loop_;
  JudgeLine line_;
  std::unique_ptr<conformance::Upstream> upstream_;
  JudgedServers judged_;
};

}  // namespace

JudgedServers judge_servers(const ServerJudging& judging, const CheckTargets& targets, Host& host) {
  return ServerCheckRun(judging, targets, host).run();
}

}  // namespace plumbline::cli
