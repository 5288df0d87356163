// WorkerDesk is where the calls of one session wait for its worker, without I/O: calls, answers and
// Instants go in, what to tell the worker and how each call ended come out.
//
// A call ends exactly once, in bounded time: with what the worker answered, or because it took too
// long, the worker went away, the caller took it back, or the session is over.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/budget/guests.h"
#include "core/base/time.h"
#include "core/json/json.h"

namespace plumbline::service {

struct WorkerDeskOptions {
  Duration call_max = std::chrono::seconds(30);  // From the call to its end.
  // How long calls wait for a worker that is not there: it may be about to come, or to come back.
  Duration grace = std::chrono::seconds(5);
  std::size_t calls_max = 256;       // That wait at one time.
  std::size_t remembered_max = 256;  // Ended calls, to know what comes late or twice.
  // How long the outcome of a call is kept for a caller that comes back for it.
  Duration outcome_kept = std::chrono::seconds(60);
};

// WorkerOutcome is how a call ended.
struct WorkerOutcome {
  enum class End {
    kResult,      // `result` is what the worker returned.
    kFailed,      // It said why not: `error`.
    kTimeout,     // No answer in time.
    kWorkerGone,  // There was no worker, or it went away with the call.
    kTakenOver,   // Another worker took over from the one that had the call.
    kSessionOver,
    kCancelled,  // By the caller.
  };
  End end = End::kCancelled;
  Json result{};
  std::string error{};  // A sentence for people, unless kResult.
  Held charge{};        // For its bytes.
};

class WorkerDesk {
 public:
  struct Call {
    std::string id;  // Of any caller: no two calls of a session have the same.
    std::string tool;
    Json params;
    Json dataset{};  // What we made for it; null: nothing.
    Held charge{};   // For its bytes.
  };

  // Tell: send the worker this event. Ended: the call `id` is over. Progressed: it goes on. Logged:
  // the worker says something of it, at a level of RFC 5424.
  struct Tell {
    std::string event;
    Json data;
  };
  struct Ended {
    std::string id;
    WorkerOutcome outcome;
  };
  struct Progressed {
    std::string id;
    double progress = 0;
    std::optional<double> total;
    std::string message;
  };
  struct Logged {
    std::string id;
    std::string level;
    Json data;
  };
  using Action = std::variant<Tell, Ended, Progressed, Logged>;

  explicit WorkerDesk(WorkerDeskOptions options = {}) : options_(options) {}

  enum class Refusal { kIdInUse, kTooManyCalls, kSessionOver };

  // start takes a call. Nothing: it waits, and Ended will come.
  std::optional<Refusal> start(Call call, Instant now);

  // What became of something that a worker said about the call `id`.
  enum class Heard {
    kTaken,
    kUnknown,  // There is and was no such call.
    kTwice,    // It has been answered.
    kLate,     // It has ended otherwise.
  };
  Heard answer(const std::string& id, WorkerOutcome outcome);
  Heard progress(Progressed report);
  Heard log(Logged line);

  // cancel takes a call back; the worker is told. No-op for one that is over.
  void cancel(const std::string& id);

  // worker_came tells that a worker listens. `resumed`: it is the one that was there before, and
  // has all it was told; any other begins anew, and calls that the former had end.
  void worker_came(bool resumed);
  void worker_left(Instant now);
  bool has_worker() const { return present_; }

  // close ends every call, and refuses all that follow.
  void close();

  // tick ends what is overdue. Call it at next_deadline().
  void tick(Instant now);
  Instant next_deadline() const;

  std::vector<Action> take_actions() { return std::exchange(actions_, {}); }

  std::size_t waiting() const { return calls_.size(); }

  // Counts of what workers said too late, twice, or about calls that never were.
  struct Ignored {
    std::int64_t late = 0;
    std::int64_t twice = 0;
    std::int64_t unknown = 0;
  };
  const Ignored& ignored() const { return ignored_; }

 private:
  struct Waiting {
    Call call;
    Instant deadline;
    Instant patience = kNever;  // When it ends without a worker.
    bool told = false;
  };
  using Calls = std::map<std::string, Waiting>;

  void tell(Waiting& waiting);
  void end(Calls::iterator at, WorkerOutcome outcome);
  Heard heard_of_ended(const std::string& id);
  template <typename Said>
  Heard pass_on(Said said);

  WorkerDeskOptions options_;
  bool present_ = false;
  bool closed_ = false;
  Calls calls_;
  std::map<std::string, bool> ended_;  // Whether by an answer of the worker.
  std::deque<std::string> ended_order_;
  std::vector<Action> actions_;
  Ignored ignored_;
};

}  // namespace plumbline::service
