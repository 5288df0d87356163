#include "cli/commands/record/against_server.h"

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "cli/options/version.h"
#include "cli/publish.h"
#include "conformance/peer/opening.h"
#include "conformance/peer/subject.h"
#include "core/base/errors/errors.h"
#include "core/os/interrupt.h"
#include "core/os/random.h"
#include "core/os/wall_clock.h"
#include "scenarios/compare/client_half.h"
#include "scenarios/compare/comparison.h"
#include "scenarios/compare/rows.h"

namespace plumbline::cli {

namespace {

using scenarios::Conversation;
using scenarios::RecordedSession;

constexpr Duration kReplayAnswerMax = std::chrono::seconds(10);

// Asked is a server that is asked what was asked of another one.
class Asked {
 public:
  // `bounds` say how much of what it says is kept.
  Asked(const CheckTarget& target, const Secrets& secrets, const conformance::LogBounds& bounds,
        Duration patience, Host& host)
      : target_(target),
        loop_(host.world().loop()),
        redactor_(secrets.redactor()),
        log_(redactor_, loop_.now(), bounds),
        subject_(loop_, host.world().spawner(), host.world().network(), os::random_bytes, log_,
                 target.subject, patience == Duration{} ? kReplayAnswerMax : patience) {}

  bool interrupted() const { return interrupted_; }
  conformance::Transport transport() const { return subject_.spec().transport; }

  // ask plays the client of `session`. kDeadlineExceeded where the user has interrupted it.
  Result<Conversation> ask(const RecordedSession& session) {
    const os::Interrupt interrupt(loop_, [this](int) { interrupted_ = true; });
    const auto finish = [this](auto& task) {
      task.start();
      loop_.run_until([this, &task] { return task.done() || interrupted_; });
    };
    if (target_.finds_out && !found_out_) {
      Task<void> finding = conformance::find_transport(subject_);
      finish(finding);
      found_out_ = true;
    }
    Task<Result<Conversation>> playing = scenarios::play_client(subject_, session);
    finish(playing);
    if (!playing.done()) return the_error_as(ErrorCode::kDeadlineExceeded, "cli.interrupted", "");
    return std::move(playing.result());
  }

 private:
  const CheckTarget& target_;
  os::RealLoop& loop_;
  Redactor redactor_;
  conformance::WireLog log_;
  conformance::Subject subject_;
  bool found_out_ = false;
  bool interrupted_ = false;
};

// learn takes what differs between sessions that were recorded with the same server.
Status learn(const ReplayOptions& options, const std::vector<RecordedSession>& sessions,
             scenarios::Volatile& unsteady, Host& host) {
  for (const std::string& place : options.unsteady) unsteady.add(place);
  for (const std::string& file : options.learn) {
    const Result<scenarios::Recording> other = read_recording_file(file, host);
    if (!other.ok()) return other.error();
    for (const RecordedSession& one : sessions) {
      for (const RecordedSession& two : other.value().sessions) {
        unsteady.learn(scenarios::conversation_of(one), scenarios::conversation_of(two));
      }
    }
  }
  return Done{};
}

// BothAsked asks the older server, where there is one, and the newer one.
class BothAsked {
 public:
  BothAsked(const ReplayOptions& options, CheckTargets newer, std::optional<CheckTargets> older,
            scenarios::Volatile unsteady, Host& host)
      : options_(options),
        newer_(std::move(newer)),
        older_(std::move(older)),
        unsteady_(std::move(unsteady)),
        host_(host) {}

  int run(const std::vector<RecordedSession>& sessions) {
    report_.version = kVersion;
    report_.command = options_.diff ? "replay --diff" : "replay --against server";
    report_.target = Json::object();
    report_.target["recording"] = options_.file;
    report_.target["target"] = newer_.targets.front().shown;
    report_.started = os::wall_clock_rfc3339();
    const Instant begin = host_.world().loop().now();
    for (const RecordedSession& session : sessions) {
      const Status compared = compare(session);
      if (!compared.ok()) {
        return host_.complain(compared.error(), interrupted_ ? kExitInterrupted : kExitUnreachable);
      }
    }
    for (CheckResult& row : report_.results) {
      if (row.verdict == Verdict::kFail || row.verdict == Verdict::kWarn) {
        row.reproduce = reproduction();
      }
    }
    report_.duration_ms = static_cast<double>((host_.world().loop().now() - begin).count()) / 1e6;
    return publish(host_, options_.common, report_);
  }

 private:
  Result<Conversation> ask(const CheckTargets& whom, const RecordedSession& session) {
    Asked asked(whom.targets.front(), whom.secrets, scenarios::bounds_for(session),
                options_.common.timeout, host_);
    Result<Conversation> conversation = asked.ask(session);
    transport_ = asked.transport();
    interrupted_ = asked.interrupted();
    return conversation;
  }

  Status compare(const RecordedSession& session) {
    Conversation then = scenarios::conversation_of(session);
    if (older_) {
      Result<Conversation> first = ask(*older_, session);
      if (!first.ok()) return first.error();
      const Result<Conversation> second = ask(*older_, session);
      if (!second.ok()) return second.error();
      unsteady_.learn(first.value(), second.value());
      then = std::move(first).value();
    }
    const Result<Conversation> now = ask(newer_, session);
    if (!now.ok()) return now.error();
    const std::vector<scenarios::Difference> found =
        scenarios::compare(then, now.value(), unsteady_);
    std::vector<CheckResult> rows = options_.diff
                                        ? scenarios::difference_rows(found, then, now.value())
                                        : scenarios::answer_rows(found, then, now.value());
    for (CheckResult& row : rows) {
      row.revision = scenarios::revision_of(session);
      row.transport = conformance::name_of(transport_);
      add(std::move(row));
    }
    return Done{};
  }

  // add keeps the worst row of an id, of all sessions.
  void add(CheckResult row) {
    const auto known = std::ranges::find_if(report_.results, [&row](const CheckResult& other) {
      return other.id == row.id && other.revision == row.revision;
    });
    if (known == report_.results.end()) {
      report_.results.push_back(std::move(row));
    } else {
      const std::int64_t observed = known->observed + row.observed;
      if (known->verdict == Verdict::kPass && row.verdict != Verdict::kPass)
        *known = std::move(row);
      known->observed = observed;
    }
  }

  std::string reproduction() const {
    return "plumbline replay " + options_.file +
           (options_.diff ? " --diff " : " --against server ") + newer_.targets.front().shown;
  }

  const ReplayOptions& options_;
  CheckTargets newer_;
  std::optional<CheckTargets> older_;
  scenarios::Volatile unsteady_;
  Host& host_;
  conformance::Transport transport_ = conformance::Transport::kStdio;  // Of who was asked last.
  bool interrupted_ = false;
  Report report_;
};

// older_target reads --old: a URL, or a command for the shell.
CheckedServer older_target(const std::string& old) {
  CheckedServer older;
  if (old.find("://") != std::string::npos && old.find(' ') == std::string::npos) {
    older.url = old;
  } else {
    older.command = {"sh", "-c", old};
  }
  return older;
}

}  // namespace

int replay_against_server(const ReplayOptions& options, std::vector<RecordedSession> sessions,
                          Host& host) {
  Result<CheckTargets> newer = read_targets(options.target, host);
  if (!newer.ok()) return host.complain(newer.error(), kExitUsage);
  if (newer.value().targets.size() != 1) {
    return host.complain(
        the_error("target.which-server", "--config: ", "", ", to say which of its servers"),
        kExitUsage);
  }
  std::optional<CheckTargets> older;
  if (!options.old.empty()) {
    Result<CheckTargets> read = read_targets(older_target(options.old), host);
    if (!read.ok()) return host.complain(read.error(), kExitUsage);
    older = std::move(read).value();
  }
  scenarios::Volatile unsteady;
  const Status learned = learn(options, sessions, unsteady, host);
  if (!learned.ok()) return host.complain(learned.error(), kExitUsage);
  BothAsked both(options, std::move(newer).value(), std::move(older), std::move(unsteady), host);
  return both.run(sessions);
}

}  // namespace plumbline::cli
