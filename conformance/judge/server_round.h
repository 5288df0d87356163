// ServerRound is the judgement of a server in one revision: a survey, a row for each rule, the
// checks that write them, and in the end the oracles over everything that was said.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/catalogue/requirement.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/exercises.h"
#include "conformance/checks/server/survey.h"
#include "conformance/judge/judgement.h"
#include "conformance/judge/rows.h"
#include "conformance/judge/session_pool.h"
#include "conformance/oracles/oracle.h"
#include "conformance/peer/openings.h"
#include "conformance/peer/subject.h"
#include "core/base/task.h"

namespace plumbline::conformance {

class ServerRound {
 public:
  // Everything given must outlive the round. It keeps a log of its own.
  ServerRound(Subject& subject, const JudgeOptions& options, Leases& leases, Openings& openings,
              std::string revision);
  ServerRound(const ServerRound&) = delete;
  ServerRound& operator=(const ServerRound&) = delete;

  const std::string& revision() const { return revision_; }

  // refused says why nothing can be judged; wordless: nothing is known against it.
  const Error& refused() const { return refused_; }
  const std::string& last_words() const { return sessions_.last_words(); }

  // astray returns whether its endpoint is at another origin: there is a row that says so.
  bool astray() const { return sessions_.astray(); }

  // told returns whether there are rows of a round that could not begin.
  bool told() const;

  // shut_out returns whether it wants credentials: only the rules about those were judged.
  bool shut_out() const { return shut_out_; }

  // surveyed returns whether the subject answers in this revision.
  bool surveyed() const { return surveyed_; }

  // start_ahead has processes started beside that of ask() or insist(), for those who will want
  // one: the bound on them allows it.
  void start_ahead();

  // ask opens the session that polite checks share, and finds out whether the subject agrees to the
  // revision.
  Task<void> ask();

  // insist does so for a revision that was asked for: refused() says where the subject does not
  // answer to it.
  Task<void> insist();

  // agreed returns whether there is something to judge in this revision.
  bool agreed() const { return agreed_ || astray(); }

  // begin takes the survey. With `whole` false only rules are judged that end with this revision,
  // and those of everywhere.
  Task<void> begin(ServerChecks checks, bool whole);

  // in_order returns the places of what is to be judged: those go first that take their time alone.
  std::vector<std::size_t> in_order() const;

  // can_begin returns whether a row needs no session that cannot be had now.
  bool can_begin(std::size_t place) const;

  // shares returns whether polite checks speak through one session at the same time.
  bool shares() const { return !sessions_.frugal() && !survey_.one_at_a_time; }

  // may_lease_at is Sessions::may_lease_at of its sessions.
  Instant may_lease_at() const { return sessions_.may_lease_at(); }

  // id_of returns the rule of a row.
  std::string_view id_of(std::size_t place) const { return rows_[place].rule->id; }

  // only_waits returns whether a check has a session to itself on which it waits.
  bool only_waits(std::size_t place) const {
    return rows_[place].check->session == SessionUse::kWaits;
  }

  // is_asked_of returns whether a row is put to the test over this transport.
  bool is_asked_of(std::size_t place) const { return concerns(rows_[place]); }

  // opening_took returns how long its first answer took; 0: there was none.
  Duration opening_took() {
    const Session* const shared = sessions_.shared();
    return shared == nullptr ? Duration{} : shared->start_took();
  }

  // answer_takes returns how long an answer usually takes.
  Duration answer_takes() const { return subject_.pace().several(1); }

  // strain is how many times longer answers take now than at their quickest. See Pace.
  double strain() const { return subject_.pace().strain(); }

  // busy counts the checks at work; those that only wait for what another one does are not.
  int busy() const { return begun_ - exercises_.waiting(); }

  Task<void> judge_row(std::size_t place);

  // tools_uncalled counts the tools that may not be called.
  std::size_t tools_uncalled() const;

  // explore calls what may be called and returns what that showed, as hint_file() has it. The
  // survey is taken.
  Task<Json> explore();

  // use_at_last uses the subject as an ordinary client does, for the oracles.
  Task<void> use_at_last();

  // end closes what is open and lets the oracles speak.
  Task<void> end();

  // log returns all that was said.
  const WireLog& log() const { return log_; }

  // add_rows appends those that are done.
  void add_rows(std::vector<CheckResult>& results) const;

 private:
  struct Row {
    const Requirement* rule = nullptr;
    const ServerCheck* check = nullptr;
    const Oracle* oracle = nullptr;
    CheckResult result;
  };

  void choose_rows(ServerChecks checks, bool whole);
  void add_row(std::string_view id, const ServerCheck* check, const Oracle* oracle, bool whole);
  Task<void> open_shared();
  void note_opening();
  bool concerns(const Row& row) const;
  bool concerns_rule(const Requirement& rule) const;
  Task<bool> is_supported();
  Task<void> list_early();
  Task<std::string> stateless_refusal();
  void refuse(const std::string& why);
  void judge_endpoint();
  Task<void> judge_opening(Reply opening);
  Task<void> judge_door(int status);
  bool has_work() const;
  bool has_oracles() const;
  Task<Finding> run_check(ServerCheck check, std::uint32_t number);
  Task<Finding> put_to_test(ServerCheck check, std::uint32_t number);
  Task<Finding> put_to_test_alone(ServerCheck check, std::uint32_t number);
  Task<bool> is_slow(Duration waited);
  bool has_doubts(const Finding& finding, std::uint32_t number);
  Task<void> consult_oracles();
  std::string unheard() const;
  void write_row(Row& row, Finding finding, std::uint32_t number, Duration took);

  const JudgeOptions& options_;
  WireLog log_;
  Subject subject_;
  std::string revision_;
  Error refused_;
  bool agreed_ = false;
  bool surveyed_ = false;
  bool shut_out_ = false;
  std::vector<Row> rows_;
  RowWriter writer_;
  int begun_ = 0;  // Checks that are not done.
  Survey survey_;
  Openings& openings_;
  SessionPool sessions_;
  Exercises exercises_;
};

}  // namespace plumbline::conformance
