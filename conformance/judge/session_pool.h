// SessionPool keeps the sessions of one revision with a server: the one that all polite checks
// share, and those that one check at a time has to itself.

#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/server/survey.h"
#include "conformance/peer/session.h"
#include "conformance/peer/sessions.h"
#include "conformance/peer/subject.h"
#include "core/base/task.h"
#include "core/base/task_group.h"

namespace plumbline::conformance {

// way_in says how to get past an answer 401; empty for any other.
std::string way_in(const Reply& reply);

// is_page returns whether what came is no answer of MCP, but a page for people.
bool is_page(const Reply& reply);

// refusal_in says what came in place of an answer to initialize; `end` is how the process ended.
Error refusal_in(const Reply& opening, const std::string& end);

// Leases counts the sessions of all revisions that one check has to itself.
struct Leases {
  int now = 0;
  int elsewhere = 0;  // Opened by checks, for what the pool does not have.
  Instant moved{};    // When one was taken or came back.
};

class SessionPool final : public Sessions {
 public:
  // Everything given must outlive the pool. `survey` is read once it has been taken.
  SessionPool(Subject& subject, std::string revision, const Survey& survey, Leases& leases)
      : subject_(subject), revision_(std::move(revision)), survey_(survey), leases_(leases) {}
  SessionPool(const SessionPool&) = delete;
  SessionPool& operator=(const SessionPool&) = delete;

  // open_ahead opens `count` sessions beside the next shared one, which is begun first: they are
  // there for whoever wants one next. A process takes its time to start.
  void open_ahead(int count);

  // drop_ahead closes those of them that nobody has taken.
  Task<void> drop_ahead();

  // open_shared opens the shared session; where it cannot be used, refused() says why.
  Task<void> open_shared();

  // open_shared_anew gives it up and opens another one.
  Task<void> open_shared_anew();
  const Error& refused() const { return refused_; }

  // last_words are what a process that was refused said last, on its stderr.
  const std::string& last_words() const { return last_words_; }

  // astray returns whether the subject's endpoint is at another origin, to which nothing is sent.
  bool astray() const { return astray_; }

  // shared returns the shared session; null: it could not be opened.
  Session* shared() { return shared_.get(); }

  // revive_shared opens it again when somebody ended it, or waits for who does.
  Task<void> revive_shared();

  // be_frugal lends the shared session as well, when nobody uses it: for a few checks it will do.
  void be_frugal() { frugal_ = true; }
  bool frugal() const { return frugal_; }

  // yield gives away the shared session, which nobody will need.
  std::unique_ptr<Session> yield() { return std::move(shared_); }

  // lease returns a session that nobody else uses: an idle one, or a new one. Null: none to be had.
  Task<std::unique_ptr<Session>> lease();

  // implements Sessions ---
  Task<std::unique_ptr<Session>> lease_first() override;
  Task<std::unique_ptr<Session>> take_ahead() override;
  void give_back(std::unique_ptr<Session> session) override;
  bool may_lease() const override { return firsts_ == 0 && has_or_may_open(); }
  bool may_lease_first() const override { return firsts_ == 0 && has_or_may_open(for_firsts()); }
  Instant may_lease_at() const override;
  void lent_elsewhere(int more) override;
  Task<void> adopt(std::unique_ptr<Session> session) override;

  // note_start looks at what it cost to open `session`, beyond the way there and back.
  void note_start(const Session& session);

  // dead says why the subject can be told nothing more; empty: it can.
  const std::string& dead() const { return dead_; }

  // close closes what is open.
  Task<void> close();

 private:
  SessionOptions usual() const;
  Task<void> open_one_ahead();
  Task<void> try_shared();
  Task<void> withhold_what_it_refuses();
  int processes_worth_it() const;
  bool has_or_may_open(int beyond = 0) const;
  int for_firsts() const;
  Instant stuck_at() const;
  Instant others_have_opened_by() const;
  bool over_stdio() const { return subject_.spec().transport == Transport::kStdio; }
  bool is_as_good(const Session& session) const;
  Task<void> settle_era(Session& session);
  void note_opening(const Session& session);

  Subject& subject_;
  std::string revision_;
  const Survey& survey_;
  Leases& leases_;
  Error refused_;
  std::string last_words_;
  bool astray_ = false;
  std::unique_ptr<Session> shared_;
  bool reviving_ = false;
  bool frugal_ = false;
  int firsts_ = 0;  // Who wait in lease_first().
  std::vector<std::unique_ptr<Session>> idle_;
  std::vector<std::unique_ptr<Session>> retired_;  // Ended, but somebody may still look at them.
  int openings_failed_ = 0;
  std::string dead_;
  std::vector<std::unique_ptr<Session>> ahead_;
  int ahead_coming_ = 0;     // That are being opened,
  int ahead_left_ = 0;       // and that nobody has taken, of these and those.
  TaskGroup opening_ahead_;  // Last: what runs there uses the rest.
};

}  // namespace plumbline::conformance
