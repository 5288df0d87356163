// Fuzzer plays session after session to a server, keeps those that show something new, and makes
// each finding as small as it gets.

#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "conformance/fuzz/fuzz_oracles.h"
#include "conformance/fuzz/player.h"
#include "conformance/fuzz/session_maker.h"
#include "conformance/peer/subject.h"
#include "core/base/sha256.h"
#include "core/events/report.h"

namespace plumbline::conformance {

struct FuzzOptions {
  std::uint64_t seed = 1;
  std::uint64_t sessions_max = 0;  // 0: any number.
  Duration time_max{};             // And one answer, then it ends. 0: any time.
  std::string revision;            // Empty: the newest that it answers to.
  ProbeOptions probe;
  Duration patience = std::chrono::seconds(5);
  std::optional<FuzzCase> only;  // Played once, instead of any other.
  // keep stores the file of a finding and returns the command that runs it again.
  std::function<std::string(const std::string& id, const Json& file)> keep;
  std::function<void(const std::string& line)> tell;  // May be empty.
};

// FuzzEffort is what was done.
struct FuzzEffort {
  std::uint64_t sessions = 0;
  std::uint64_t messages = 0;
  std::uint64_t features = 0;     // Different things that were seen of it.
  std::uint64_t opened = 0;       // Connections; over stdio, processes.
  std::uint64_t unconfirmed = 0;  // Findings that did not come again, and are not told.
  std::string digest;             // Of all sessions: equal where the same were played.
  Duration took{};                // Playing sessions, without making findings small.
};

class Fuzzer {
 public:
  // `subject` must outlive the fuzzer.
  Fuzzer(Subject& subject, FuzzOptions options);
  Fuzzer(const Fuzzer&) = delete;
  Fuzzer& operator=(const Fuzzer&) = delete;

  // run returns within bounded time. It may be dropped at any time.
  Task<void> run();

  // rows returns one row for each finding, and one for each oracle that found nothing.
  std::vector<CheckResult> rows() const;
  const FuzzEffort& effort() const { return effort_; }
  const std::string& revision() const { return revision_; }

  // unreachable says why nothing could be played; wordless: something was.
  const Error& unreachable() const { return unreachable_; }

 private:
  Task<Done> work();
  Task<bool> survey();
  Task<void> learn_honest();
  Task<FuzzAnswer> quick_answer(AskedOf asked, Duration within);
  Task<void> play_all();
  Task<void> play_one(FuzzCase session);
  Task<bool> ready();
  bool over() const;
  bool is_new(const FuzzCase& session, const Played& played);
  std::vector<FuzzFinding> judge(const FuzzCase& session, const Played& played, bool thoroughly);
  Task<void> confirm(FuzzFinding finding, FuzzCase session);
  Task<bool> comes_again(FuzzCase session, std::string key);
  Task<std::optional<FuzzCase>> find_cause(FuzzCase session, std::string key);
  Task<FuzzCase> shrink(FuzzCase session, std::string key);
  Task<void> watch_memory(Played played);
  Task<std::size_t> growth(FuzzCase session, std::size_t rounds);
  void report(const FuzzFinding& finding, const FuzzCase& session);

  Subject& subject_;
  FuzzOptions options_;
  std::string revision_;
  Error unreachable_;
  std::unique_ptr<SessionMaker> maker_;
  std::unique_ptr<Player> player_;
  std::vector<Honest> honest_;
  const Honest* asked_ = nullptr;  // Behind the session that is played.
  std::vector<FuzzCase> known_;    // Sessions that showed something new.
  std::set<std::string> features_;
  std::set<std::string> found_;       // Keys of findings that are told.
  std::map<std::string, int> tries_;  // How often each was looked into.
  std::deque<FuzzCase> history_;      // Since the connection was opened.
  std::size_t opening_end_ = 0;
  std::size_t memory_begin_ = 0;  // Of this process, once it has warmed up.
  std::size_t memory_alarm_ = 0;  // What it may grow before that is looked into.
  int replays_left_ = 0;          // Of the finding that is made small.
  Sha256 played_;                 // Of the sessions, in their order.
  Instant begin_{};
  Instant end_ = kNever;
  Instant finding_deadline_{};
  FuzzEffort effort_;
  std::vector<CheckResult> rows_;
};

}  // namespace plumbline::conformance
