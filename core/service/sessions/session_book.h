// SessionBook is all sessions of a service: kept in a RecordStore, so that a restart loses none,
// and forgotten when their time is over.

#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "core/base/doors/record_store.h"
#include "core/base/doors/wall_clock.h"
#include "core/base/task_group.h"
#include "core/service/sessions/session.h"

namespace plumbline::service {

struct SessionBookOptions {
  Duration ttl = std::chrono::hours(1);
  std::size_t sessions_max = 20'000;  // At one time.
  std::size_t each_max = 2'000;       // Of them, that one guest has opened.
  // A session that nobody has used for so long goes where there is no room for another.
  Duration unused_max = std::chrono::minutes(2);
};

class SessionBook {
 public:
  // All must outlive the book.
  SessionBook(SessionParts& parts, RecordStore& records, const WallClock& clock,
              SessionBookOptions options);
  SessionBook(const SessionBook&) = delete;
  SessionBook& operator=(const SessionBook&) = delete;

  // load reads the sessions that are kept and whose time is not over. kConflict: another process
  // has claimed them. Other Errors are of the store.
  Task<Status> load();

  // room_for returns whether `guest` may open another session. Where there is no room it ends the
  // oldest that nobody has used, of the guest or of all.
  enum class Room { kFree, kGuestFull, kFull };
  Room room_for(const std::string& guest);

  // open makes a session of `opener` and keeps it. kLimitReached: there are too many.
  Task<Result<Session*>> open(Opener opener);

  // find returns the session of `code`, nullptr when there is none, or none any more. Valid until
  // the loop turns.
  Session* find(const std::string& code);

  // change keeps `tools` as those of the session, nothing for those that every session begins with,
  // and puts them in force. `charge` is what was taken for them. kConflict: somebody else has
  // changed them meanwhile.
  Task<Status> change(std::string code, std::optional<ToolSet> tools, Held charge);

  // remove ends the session. Done also when there is none.
  Task<Status> remove(std::string code);

  // leave ends what is open of all sessions, which are kept: see Session::leave.
  void leave();

  // waiting returns how many calls wait for workers.
  std::size_t waiting() const;

  const std::map<std::string, std::unique_ptr<Session>>& sessions() const { return sessions_; }
  const SessionBookOptions& options() const { return options_; }
  const SessionParts& parts() const { return parts_; }

 private:
  using ByAge = std::set<std::pair<Duration, std::string>>;  // When opened, and the codes.

  struct Guest {
    std::size_t sessions = 0;
    ByAge unused;  // Some may be used by now.
  };

  void add(SessionRecord record, Opener opener);
  bool end_unused(ByAge& unused);
  void drop(const std::string& code, std::string_view why);
  void forget_guest(const Session& session);
  void expire();
  void arm();
  Task<void> forget(std::string code);

  SessionParts& parts_;
  RecordStore& records_;
  const WallClock& clock_;
  SessionBookOptions options_;
  std::map<std::string, std::unique_ptr<Session>> sessions_;
  std::set<std::pair<Duration, std::string>> by_end_;
  ByAge unused_;                         // Of all; some may be used by now.
  std::map<std::string, Guest> guests_;  // Who have opened some.
  std::list<std::pair<Instant, std::unique_ptr<Session>>> over_;  // Until they may be destroyed.
  Alarm expiry_;
  Alarm sweep_;
  TaskGroup work_;  // Last: its tasks are dropped first.
};

}  // namespace plumbline::service
