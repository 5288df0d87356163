#include "core/service/sessions/session_book.h"

#include <algorithm>

#include "core/base/errors/errors.h"
#include "core/base/limits.h"

namespace plumbline::service {

namespace {

constexpr std::string_view kPrefix = "sessions/";
constexpr std::size_t kPage = 500;                      // Records read at one time.
constexpr int kCodeTriesMax = 5;                        // Of codes that are taken.
constexpr Duration kLookMax = std::chrono::minutes(1);  // The clock of the wall may be set.

std::string key_of(const std::string& code) { return std::string(kPrefix) + code; }

}  // namespace

SessionBook::SessionBook(SessionParts& parts, RecordStore& records, const WallClock& clock,
                         SessionBookOptions options)
    : parts_(parts),
      records_(records),
      clock_(clock),
      options_(options),
      expiry_([this] { expire(); }),
      sweep_([this] {
        const Instant now = parts_.loop.now();
        over_.remove_if([now](const auto& entry) { return entry.first <= now; });
        if (!over_.empty()) parts_.loop.arm(sweep_, over_.front().first);
      }) {}

Task<Status> SessionBook::load() {
  Result<bool> held = co_await records_.hold(std::string(kPrefix));
  if (!held.ok()) co_return held.error();
  if (!held.value()) {
    co_return the_error_as(ErrorCode::kConflict, "store.sessions");
  }
  std::string behind;
  for (;;) {
    Result<std::vector<Record>> page = co_await records_.list(std::string(kPrefix), behind, kPage);
    if (!page.ok()) co_return page.error();
    for (const Record& kept : page.value()) {
      behind = kept.key;
      Result<SessionRecord> record = read_session(kept.value);
      if (!record.ok()) co_return record.error();
      record.value().version = kept.version;
      if (record.value().expires <= clock_.since_1970()) {
        work_.spawn(forget(record.value().code));
      } else {
        add(std::move(record).value(), Opener());
      }
    }
    if (page.value().size() < kPage) co_return Done{};
  }
}

void SessionBook::add(SessionRecord record, Opener opener) {
  const std::string code = record.code;
  by_end_.emplace(record.expires, code);
  if (opener.guest) {
    Guest& guest = guests_[*opener.guest];
    ++guest.sessions;
    guest.unused.emplace(record.created, code);
    unused_.emplace(record.created, code);
  }
  sessions_[code] = std::make_unique<Session>(parts_, std::move(record), std::move(opener));
  arm();
}

SessionBook::Room SessionBook::room_for(const std::string& guest) {
  const auto known = guests_.find(guest);
  if (known != guests_.end() && known->second.sessions >= options_.each_max &&
      !end_unused(known->second.unused)) {
    return Room::kGuestFull;
  }
  return sessions_.size() < options_.sessions_max || end_unused(unused_) ? Room::kFree
                                                                         : Room::kFull;
}

// end_unused ends the oldest session that nobody has used for long, and forgets on its way which of
// them are in use.
bool SessionBook::end_unused(ByAge& unused) {
  while (!unused.empty()) {
    const auto [created, code] = *unused.begin();
    if (created > clock_.since_1970() - options_.unused_max) return false;
    const auto session = sessions_.find(code);
    if (session == sessions_.end() || session->second->used()) {
      unused.erase(unused.begin());
      continue;
    }
    drop(code, "unused");
    work_.spawn(forget(code));
    return true;
  }
  return false;
}

void SessionBook::arm() {
  if (by_end_.empty()) return expiry_.cancel();
  const Duration left = by_end_.begin()->first - clock_.since_1970();
  const Duration wait = std::clamp(left, Duration::zero(), kLookMax);
  parts_.loop.arm(expiry_, after(parts_.loop.now(), wait));
}

void SessionBook::expire() {
  const Duration now = clock_.since_1970();
  while (!by_end_.empty() && by_end_.begin()->first <= now) {
    const std::string code = by_end_.begin()->second;
    drop(code, "expired");
    work_.spawn(forget(code));
  }
  arm();
}

Task<void> SessionBook::forget(std::string code) {
  // Where it fails the record is found, and forgotten, by the next load.
  std::string key = key_of(code);
  const Result<bool> removed = co_await records_.remove(std::move(key), RecordStore::kNewest);
  (void)removed.ok();
}

// drop ends the session, which lives on for a moment: its last words have to leave.
void SessionBook::drop(const std::string& code, std::string_view why) {
  const auto found = sessions_.find(code);
  if (found == sessions_.end()) return;
  std::unique_ptr<Session> session = std::move(found->second);
  sessions_.erase(found);
  by_end_.erase({session->record().expires, code});
  forget_guest(*session);
  session->end(why);
  const Instant until = after(parts_.loop.now(), 2 * limits::kStopGrace);
  over_.emplace_back(until, std::move(session));
  if (!sweep_.armed()) parts_.loop.arm(sweep_, until);
}

void SessionBook::forget_guest(const Session& session) {
  const std::pair<Duration, std::string> age(session.record().created, session.code());
  unused_.erase(age);
  if (!session.opener()) return;
  const auto guest = guests_.find(*session.opener());
  if (guest == guests_.end()) return;  // Who has adopted it.
  guest->second.unused.erase(age);
  if (session.opened() && --guest->second.sessions == 0) guests_.erase(guest);
}

Task<Result<Session*>> SessionBook::open(Opener opener) {
  for (int tries = 0; tries < kCodeTriesMax; ++tries) {
    if (sessions_.size() >= options_.sessions_max) {
      co_return Error{ErrorCode::kLimitReached, "there are too many sessions"};
    }
    SessionRecord record;
    record.code = new_code(parts_.random);
    record.created = clock_.since_1970();
    record.expires = record.created + options_.ttl;
    record.version = 1;
    std::vector<Put> puts;
    puts.push_back(Put{key_of(record.code), 0, write_session(record, std::nullopt)});
    const Result<bool> put = co_await records_.put(std::move(puts));
    if (!put.ok()) co_return put.error();
    if (!put.value()) continue;
    std::string code = record.code;
    add(std::move(record), std::move(opener));
    co_return sessions_.at(code).get();
  }
  co_return Error{ErrorCode::kConflict, "no free code was found"};
}

Session* SessionBook::find(const std::string& code) {
  const auto found = sessions_.find(code);
  if (found == sessions_.end()) return nullptr;
  if (found->second->record().expires > clock_.since_1970()) return found->second.get();
  expire();
  return nullptr;
}

Task<Status> SessionBook::change(std::string code, std::optional<ToolSet> tools, Held charge) {
  Session* session = find(code);
  if (session == nullptr) co_return Error{ErrorCode::kInvalidInput, "there is no such session"};
  const std::int64_t version = session->record().version;
  std::vector<Put> puts;
  puts.push_back(Put{key_of(code), version, write_session(session->record(), tools)});
  const Result<bool> put = co_await records_.put(std::move(puts));
  if (!put.ok()) co_return put.error();
  if (!put.value()) {
    co_return Error{ErrorCode::kConflict, "the tools were changed meanwhile: read them, and again"};
  }
  session = find(code);
  if (session == nullptr) co_return Error{ErrorCode::kInvalidInput, "the session is over"};
  session->set_tools(std::move(tools), version + 1, std::move(charge));
  std::string key = key_of(code);
  const Status trimmed = co_await records_.trim(std::move(key), version + 1);
  (void)trimmed.ok();  // What stays is older, and does no harm.
  co_return Done{};
}

Task<Status> SessionBook::remove(std::string code) {
  std::string key = key_of(code);
  const Result<bool> removed = co_await records_.remove(std::move(key), RecordStore::kNewest);
  if (!removed.ok()) co_return removed.error();
  drop(code, "deleted");
  co_return Done{};
}

std::size_t SessionBook::waiting() const {
  std::size_t calls = 0;
  for (const auto& [code, session] : sessions_) calls += session->waiting();
  return calls;
}

void SessionBook::leave() {
  for (const auto& [code, session] : sessions_) session->leave();
}

}  // namespace plumbline::service
