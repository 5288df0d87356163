#include "core/agents/supervisor/threads/thread_book.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>
#include <vector>

#include "core/base/percent.h"
#include "core/json/archive.h"
#include "core/store/thread_entry.h"

namespace plumbline::agents::supervisor {

namespace {

constexpr std::size_t kThreadIdBytes = 16;
constexpr std::size_t kThreadIdBytesMax = 2 * kThreadIdBytes;
constexpr std::size_t kWriterBytes = 6;
constexpr std::size_t kPageThreads = 100;
constexpr std::int64_t kThreadFormat = 2;
const std::string kToolThreads = "tool-thread/";
const std::string kToolWriters = "tool-writer/";
const std::string kToolSecret = "tool-secret";
constexpr std::size_t kSecretBytes = 32;

constexpr std::array<std::string_view, 3> kCallStatusNames = {"answered", "working", "asking"};

struct KeptThreadFields {
  static constexpr CallStatus last(CallStatus /*of*/) { return CallStatus::kAsking; }

  static void fields(auto& archive, Some<Conversation> auto& part) {
    archive("thread_id", part.thread_id);
    archive("parent_thread_id", part.parent_thread_id);
    archive("conversation_turns", part.conversation_turns);
    archive("remembered", part.remembered);
  }
  static void fields(auto& archive, Some<KeptThread> auto& part) {
    fields(archive, part.conversation);
    archive("owner", part.owner);
    archive("tool", part.tool);
    archive("call", part.call);
    archive("answer", part.answer);
    archive("status", part.status);
    archive("question", part.question);
    archive("run", part.run);
    archive("calls", part.calls);
    archive("writer", part.writer);
    archive("used_ms", part.used_ms);
  }
};

Error no_such_thread() {
  return {ErrorCode::kInvalidInput,
          "there is no such thread, or it has expired; begin a new one without an id"};
}

std::int64_t number_of(const std::string& bytes) {
  std::int64_t number = 0;
  for (const char byte : bytes) number = number << 8U | static_cast<unsigned char>(byte);
  return number;
}

Result<KeptThread> read_thread(const Record& record) {
  const auto json = parse_json(record.value);
  if (!json.ok()) return Error{ErrorCode::kInvalidInput, "what is kept of the thread is damaged"};
  if (int_or(json.value(), "format", 0) != kThreadFormat) {
    return Error{ErrorCode::kInvalidInput, "the thread was kept by another version"};
  }
  Result<KeptThread> read =
      JsonReader<KeptThreadFields>::read<KeptThread>(json.value(), "the kept thread");
  if (read.ok()) {
    read.value().version = record.version;
    read.value().altered = store::is_altered(json.value());
  }
  return read;
}

}  // namespace

std::string_view name_of(CallStatus status) {
  return kCallStatusNames.at(static_cast<std::size_t>(status));
}

ThreadBook::ThreadBook(Keeping keeping, ThreadLimits limits)
    : keeping_(std::move(keeping)),
      limits_(limits),
      writer_(number_of(keeping_.random(kWriterBytes))) {}

std::int64_t ThreadBook::now_ms() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(keeping_.clock.since_1970()).count();
}

bool ThreadBook::too_old(std::int64_t used_ms) const {
  return std::chrono::milliseconds(now_ms() - used_ms) > limits_.age_max;
}

Task<Status> ThreadBook::open() {
  if (open_) co_return Done{};
  const Result<bool> ours = co_await keeping_.records.hold(kToolWriters + std::to_string(writer_));
  if (!ours.ok()) co_return ours.error();
  std::string after;
  for (;;) {
    Result<std::vector<Record>> page =
        co_await keeping_.records.list(kToolThreads, after, kPageThreads);
    if (!page.ok()) co_return page.error();
    for (const Record& record : page.value()) {
      const Result<KeptThread> thread = read_thread(record);
      if (!thread.ok()) continue;
      const KeptThread& kept = thread.value();
      used_[kept.id()] = Used{kept.used_ms, kept.owner, record.value.size()};
    }
    if (page.value().size() < kPageThreads) break;
    after = page.value().back().key;
  }
  open_ = true;
  co_return Done{};
}

KeptThread ThreadBook::begin(Conversation conversation, std::string owner) {
  KeptThread thread;
  thread.owner = std::move(owner);
  conversation.thread_id = hex_of(keeping_.random(kThreadIdBytes));
  thread.conversation = std::move(conversation);
  return thread;
}

Task<Result<KeptThread>> ThreadBook::find(std::string id, std::string owner) {
  if (id.size() > kThreadIdBytesMax) co_return no_such_thread();
  Result<std::optional<Record>> record = co_await keeping_.records.get(kToolThreads + id);
  if (!record.ok()) co_return record.error();
  if (!record.value()) co_return no_such_thread();
  if (const std::string* const exact = exact_.find(id, *record.value())) {
    record.value()->value = *exact;
  }
  Result<KeptThread> thread = read_thread(*record.value());
  if (!thread.ok()) co_return thread.error();
  const bool strange = thread.value().owner != owner || too_old(thread.value().used_ms);
  if (strange) co_return no_such_thread();
  co_return thread;
}

Task<Status> ThreadBook::put(KeptThread& thread) {
  thread.writer = writer_;
  thread.used_ms = now_ms();
  Json json = JsonWriter<KeptThreadFields>::write(thread);
  json["format"] = kThreadFormat;
  std::string exact = dump_json(json);
  const std::size_t bytes = exact.size();
  const bool altered = store::redact_kept(json, keeping_.redactor);
  // A thread may be large: there are no more copies of it than are needed.
  std::string text = altered ? dump_json(json) : std::move(exact);
  json = Json();
  std::string kept = altered ? text : std::string();
  std::vector<Put> puts;
  puts.push_back({kToolThreads + thread.id(), thread.version, std::move(text)});
  const Result<bool> written = co_await keeping_.records.put(std::move(puts));
  if (!written.ok()) co_return written.error();
  if (!written.value()) {
    co_return Error{ErrorCode::kConflict, "another call has gone on with the thread"};
  }
  used_[thread.id()] = Used{thread.used_ms, thread.owner, bytes};
  const std::int64_t before = thread.version++;
  exact_.forget_all(thread.id());
  if (altered) exact_.remember(thread.id(), thread.version, std::move(kept), std::move(exact));
  const Status trimmed = co_await keeping_.records.trim(kToolThreads + thread.id(), before + 1);
  static_cast<void>(trimmed);  // What is not forgotten now is forgotten with the next call.
  co_return Done{};
}

Task<Result<bool>> ThreadBook::is_ours(std::int64_t writer) {
  if (writer == writer_) co_return true;
  Result<bool> dead = co_await keeping_.records.hold(kToolWriters + std::to_string(writer));
  co_return dead;
}

std::vector<std::string> ThreadBook::old_threads() const {
  std::vector<std::string> out;
  std::vector<const std::pair<const std::string, Used>*> newest_first;
  for (const auto& entry : used_) newest_first.push_back(&entry);
  std::ranges::sort(newest_first, std::ranges::greater(),
                    [](const auto* entry) { return std::pair(entry->second.ms, entry->first); });
  std::size_t threads = 0;
  std::size_t bytes = 0;
  std::map<std::string, std::size_t> bytes_of;
  for (const auto* const entry : newest_first) {
    const Used& used = entry->second;
    std::size_t& own = bytes_of[used.owner];
    const bool first = own == 0;  // The last thread of an owner stays, however large.
    ++threads;
    bytes += used.bytes;
    own += used.bytes;
    const bool many =
        threads > limits_.threads_max || bytes > limits_.bytes_max || own > limits_.bytes_each_max;
    if (too_old(used.ms) || (many && !first)) out.push_back(entry->first);
  }
  return out;
}

Task<std::string> ThreadBook::forget(std::string id) {
  const auto known = used_.find(id);
  if (known == used_.end()) co_return "";
  const std::int64_t used_ms = known->second.ms;
  used_.erase(known);
  exact_.forget_all(id);
  Result<std::optional<Record>> record = co_await keeping_.records.get(kToolThreads + id);
  if (!record.ok() || !record.value()) co_return "";
  const Result<KeptThread> thread = read_thread(*record.value());
  if (!thread.ok() || thread.value().used_ms != used_ms) co_return "";
  const Result<bool> removed =
      co_await keeping_.records.remove(kToolThreads + id, thread.value().version);
  const bool gone = removed.ok() && removed.value();
  co_return gone ? thread.value().run_id() : std::string();
}

bool ThreadBook::says_the_same(const KeptThread& thread, const Json& call) const {
  if (!thread.altered || keeping_.redactor == nullptr) return thread.call == call;
  Json kept = call;
  keeping_.redactor->redact(kept);
  return thread.call == kept;
}

Task<Result<std::string>> shared_secret(RecordStore& records, RandomBytes random) {
  std::vector<Put> first;
  first.push_back({kToolSecret, 0, hex_of(random(kSecretBytes))});
  const Result<bool> put = co_await records.put(std::move(first));
  if (!put.ok()) co_return put.error();
  const Result<std::optional<Record>> kept = co_await records.get(kToolSecret);
  if (!kept.ok()) co_return kept.error();
  if (!kept.value()) co_return Error{ErrorCode::kInvalidInput, "the shared secret is not kept"};
  co_return kept.value()->value;
}

Task<Result<std::string>> run_of(RecordStore& records, std::string id) {
  const Result<std::optional<Record>> record = co_await records.get(kToolThreads + id);
  if (!record.ok()) co_return record.error();
  if (!record.value()) co_return std::string();
  const Result<KeptThread> thread = read_thread(*record.value());
  if (!thread.ok()) co_return thread.error();
  co_return thread.value().run_id();
}

Task<Result<std::vector<KeptThread>>> kept_threads(RecordStore& records) {
  std::vector<KeptThread> out;
  std::string after;
  for (;;) {
    Result<std::vector<Record>> page = co_await records.list(kToolThreads, after, kPageThreads);
    if (!page.ok()) co_return page.error();
    for (const Record& record : page.value()) {
      Result<KeptThread> thread = read_thread(record);
      if (thread.ok()) out.push_back(std::move(thread).value());
    }
    if (page.value().size() < kPageThreads) co_return out;
    after = page.value().back().key;
  }
}

Task<Result<std::optional<KeptThread>>> kept_thread(RecordStore& records, std::string id) {
  const Result<std::optional<Record>> record = co_await records.get(kToolThreads + id);
  if (!record.ok()) co_return record.error();
  std::optional<KeptThread> out;
  if (!record.value()) co_return out;
  Result<KeptThread> thread = read_thread(*record.value());
  if (!thread.ok()) co_return thread.error();
  out = std::move(thread).value();
  co_return out;
}

}  // namespace plumbline::agents::supervisor
