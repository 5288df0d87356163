#include "core/service/chat/chat_book.h"

#include <algorithm>
#include <utility>

#include "core/base/percent.h"
#include "core/base/sha256.h"

namespace plumbline::service {

namespace {

constexpr std::size_t kIdBytes = 16;
constexpr std::size_t kPageMax = 200;

std::string session_key(const std::string& id) { return "chat/session/" + id; }
std::string running_key(const std::string& id) { return "chat/running/" + id; }
std::string owner_key(const std::string& user, const std::string& id) {
  return "chat/user/" + user_key(user) + "/" + id;
}

// message_key sorts as the numbers do.
std::string message_key(const std::string& id, std::int64_t number) {
  std::string digits = std::to_string(number);
  constexpr std::size_t kDigits = 10;
  digits.insert(0, kDigits - std::min(kDigits, digits.size()), '0');
  return "chat/message/" + id + "/" + digits;
}

}  // namespace

std::string user_key(const std::string& user) {
  Sha256 hash;
  hash.update(user);
  return hash.finish_hex().substr(0, 2 * kIdBytes);
}

ChatSession ChatBook::open(std::string user) const {
  ChatSession out;
  out.id = hex_of(random_(kIdBytes));
  out.user = std::move(user);
  out.created = out.updated = now();
  return out;
}

ChatMessage ChatBook::message(model::Message said) const {
  return {hex_of(random_(kIdBytes)), now(), std::move(said)};
}

Task<Result<std::optional<ChatSession>>> ChatBook::find(std::string id) {
  std::string key = session_key(id);
  if (!check_record_key(key).ok()) co_return std::optional<ChatSession>();
  const Result<std::optional<Record>> kept = co_await records_.get(std::move(key));
  if (!kept.ok()) co_return kept.error();
  if (!kept.value()) co_return std::optional<ChatSession>();
  Result<ChatSession> session = read_chat_session(kept.value()->value);
  if (!session.ok()) co_return session.error();
  session.value().version = kept.value()->version;
  co_return std::optional<ChatSession>(std::move(session).value());
}

Task<Result<std::vector<ChatSession>>> ChatBook::sessions(std::string user, std::size_t count) {
  std::string prefix = owner_key(user, "");
  const std::size_t prefix_bytes = prefix.size();
  const Result<std::vector<Record>> owned =
      co_await records_.list(std::move(prefix), "", std::min(count, kPageMax));
  if (!owned.ok()) co_return owned.error();
  std::vector<ChatSession> out;
  for (const Record& record : owned.value()) {
    std::string id = record.key.substr(prefix_bytes);
    Result<std::optional<ChatSession>> session = co_await find(std::move(id));
    if (!session.ok()) co_return session.error();
    if (session.value()) out.push_back(*std::move(session).value());
  }
  co_return out;
}

Task<Result<std::size_t>> ChatBook::count(std::string user, std::size_t most) {
  const std::string prefix = owner_key(user, "");
  std::string behind;
  std::size_t found = 0;
  for (;;) {
    const Result<std::vector<Record>> page = co_await records_.list(prefix, behind, kPageMax);
    if (!page.ok()) co_return page.error();
    found += page.value().size();
    if (page.value().size() < kPageMax || found >= most) co_return std::min(found, most);
    behind = page.value().back().key;
  }
}

Task<Result<bool>> ChatBook::put(ChatSession& session, std::vector<ChatMessage> added) {
  ChatSession next = session;
  next.updated = now();
  std::vector<Put> puts;
  for (const ChatMessage& message : added) {
    puts.push_back({message_key(next.id, next.messages++), 0, write_chat_message(message)});
  }
  puts.push_back({session_key(next.id), next.version, write_chat_session(next)});
  if (next.version == 0) puts.push_back({owner_key(next.user, next.id), 0, ""});
  const bool runs = next.state == ChatSession::State::kRunning;
  // A mark that outlives its turn is looked at once more, and no harm; the other way round a turn
  // would be forgotten. So it is put before, and taken away after.
  if (runs) {
    std::vector<Put> mark = {{running_key(next.id), 0, ""}};
    const Result<bool> marked = co_await records_.put(std::move(mark));
    if (!marked.ok()) co_return marked.error();
  }
  const Result<bool> done = co_await records_.put(std::move(puts));
  if (!done.ok() || !done.value()) co_return done;
  ++next.version;
  session = std::move(next);
  co_await tidy(session);
  co_return true;
}

// tidy takes away what a session needs no more. What is left over does no harm.
Task<void> ChatBook::tidy(ChatSession session) {
  std::string key = session_key(session.id);
  [[maybe_unused]] const Status trimmed = co_await records_.trim(std::move(key), session.version);
  if (session.state == ChatSession::State::kRunning) co_return;
  std::string mark = running_key(session.id);
  [[maybe_unused]] const Result<bool> unmarked =
      co_await records_.remove(std::move(mark), RecordStore::kNewest);
}

Task<Result<std::vector<ChatMessage>>> ChatBook::messages(ChatSession session, std::size_t count) {
  const auto all = static_cast<std::size_t>(session.messages);
  std::size_t next = all - std::min(all, count);
  std::vector<ChatMessage> out;
  std::string prefix = message_key(session.id, 0);
  prefix.resize(prefix.rfind('/') + 1);
  const std::string end = message_key(session.id, session.messages);
  std::string after = next == 0 ? "" : message_key(session.id, static_cast<std::int64_t>(next) - 1);
  while (next < all) {
    std::string from = after;
    std::string lead = prefix;
    const Result<std::vector<Record>> page =
        co_await records_.list(std::move(lead), std::move(from), kPageMax);
    if (!page.ok()) co_return page.error();
    if (page.value().empty()) break;
    for (const Record& record : page.value()) {
      if (record.key >= end) break;
      Result<ChatMessage> message = read_chat_message(record.value);
      if (!message.ok()) co_return message.error();
      out.push_back(std::move(message).value());
    }
    next += page.value().size();
    after = page.value().back().key;
  }
  co_return out;
}

Task<Result<std::vector<std::string>>> ChatBook::unfinished() {
  const std::string prefix = running_key("");
  std::vector<std::string> out;
  std::string after;
  for (;;) {
    std::string from = after;
    std::string lead = prefix;
    const Result<std::vector<Record>> page =
        co_await records_.list(std::move(lead), std::move(from), kPageMax);
    if (!page.ok()) co_return page.error();
    for (const Record& record : page.value()) out.push_back(record.key.substr(prefix.size()));
    if (page.value().size() < kPageMax) co_return out;
    after = page.value().back().key;
  }
}

Task<Result<bool>> ChatBook::remove(ChatSession session) {
  std::string key = session_key(session.id);
  const Result<bool> removed = co_await records_.remove(std::move(key), session.version);
  if (!removed.ok() || !removed.value()) co_return removed;
  std::vector<std::string> keys = {owner_key(session.user, session.id)};
  for (std::int64_t number = 0; number < session.messages; ++number) {
    keys.push_back(message_key(session.id, number));
  }
  for (std::string& own : keys) {
    const Result<bool> gone = co_await records_.remove(std::move(own), RecordStore::kNewest);
    if (!gone.ok()) co_return gone;
  }
  co_return true;
}

}  // namespace plumbline::service
