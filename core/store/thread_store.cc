#include "core/store/thread_store.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/errors/errors.h"
#include "core/graph/checkpoint_json.h"
#include "core/json/value_bytes.h"
#include "core/store/thread_entry.h"

namespace plumbline::store {

namespace {

constexpr std::size_t kPageMin = 8;
constexpr std::size_t kPageMax = 128;
constexpr std::int64_t kScannedMax = 100'000;  // Records, for a message.
const std::string kThreads = "thread/";
const std::string kAbouts = "about/";

std::string of_thread(const std::string& thread) { return "thread '" + thread + "'"; }

Error led_by(const std::string& where, Error error) {
  error.message = where + ": " + error.message;
  return error;
}

Error overtaken(const std::string& where) {
  return {ErrorCode::kConflict, where + " was written by somebody else since"};
}

Result<ThreadInfo> info_of(const Record& record) {
  const Result<Json> json = parse_json(record.value);
  const Json* const about = json.ok() ? find(json.value(), "about") : nullptr;
  ThreadInfo info;
  info.id = record.key.substr(kAbouts.size());
  if (about == nullptr) {
    return Error{ErrorCode::kInvalidInput, of_thread(info.id) + ": what it is about is damaged"};
  }
  info.begun = std::chrono::milliseconds(int_or(json.value(), "at_ms", 0));
  info.about = *about;
  info.altered = is_altered(*about);
  info.about.erase("altered");
  return info;
}

// StepReader makes steps of the records of a thread, which come newest first.
class StepReader {
 public:
  explicit StepReader(graph::Range range) : range_(range) {}

  Status take(const Record& record) {
    Result<ThreadEntry> entry = entry_of(record);
    if (!entry.ok()) return entry.error();
    if (!std::holds_alternative<ThreadEntry::Step>(entry.value().what)) {
      later_.push_back(std::move(entry).value());
      return Done{};
    }
    return finish(std::move(entry).value());
  }

  bool full() const { return steps_.size() >= range_.count; }
  std::vector<KeptStep> steps() { return std::move(steps_); }

 private:
  Status finish(ThreadEntry entry) {
    KeptStep kept{std::move(std::get<ThreadEntry::Step>(entry.what)), entry.at, entry.at,
                  entry.version};
    kept.checkpoint.version = {entry.version, entry.writer};
    kept.altered = entry.altered;
    for (auto later = later_.rbegin(); later != later_.rend(); ++later) {
      Status added = add(*later, kept.checkpoint);
      if (!added.ok()) return added;
      kept.changed = later->at;
      kept.altered = kept.altered || later->altered;
    }
    later_.clear();
    if (kept.checkpoint.step < range_.before && !full()) steps_.push_back(std::move(kept));
    return Done{};
  }

  graph::Range range_;
  std::vector<ThreadEntry> later_;  // Newest first, whose step is still to come.
  std::vector<KeptStep> steps_;
};

// runnable returns the checkpoint of `step` where what was said is still known, or nothing is left
// to do with it.
Result<std::optional<SavedCheckpoint>> runnable(const std::string& thread, KeptStep step) {
  if (!step.altered || step.checkpoint.ended()) {
    return std::optional<SavedCheckpoint>(std::move(step.checkpoint));
  }
  return the_error("thread.altered",
                   of_thread(thread) + ", step " + std::to_string(step.checkpoint.step),
                   "what is kept, so what would run is not what was asked for; begin a new thread");
}

}  // namespace

Task<Result<bool>> ThreadStore::begin(std::string thread, Json about) {
  redact_kept(about, options_.redactor);
  Json entry = Json::object();
  entry["at_ms"] = milliseconds_of(clock_.since_1970());
  entry["about"] = std::move(about);
  std::vector<Put> puts;
  puts.push_back({kAbouts + thread, 0, dump_json(entry)});
  Result<bool> begun = co_await records_.put(std::move(puts));
  if (!begun.ok()) co_return led_by(of_thread(thread), begun.error());
  co_return begun;
}

Task<Result<std::optional<ThreadInfo>>> ThreadStore::info(std::string thread) {
  Result<std::optional<Record>> record = co_await records_.get(kAbouts + thread);
  if (!record.ok()) co_return led_by(of_thread(thread), record.error());
  if (!record.value()) co_return std::optional<ThreadInfo>();
  Result<ThreadInfo> info = info_of(*record.value());
  if (!info.ok()) co_return info.error();
  co_return std::optional<ThreadInfo>(std::move(info).value());
}

Task<Result<std::vector<ThreadInfo>>> ThreadStore::threads(std::string after, std::size_t count) {
  const std::string behind = after.empty() ? std::string() : kAbouts + after;
  Result<std::vector<Record>> records = co_await records_.list(kAbouts, behind, count);
  if (!records.ok()) co_return led_by("the list of threads", records.error());
  std::vector<ThreadInfo> threads;
  for (const Record& record : records.value()) {
    Result<ThreadInfo> info = info_of(record);
    if (!info.ok()) co_return info.error();
    threads.push_back(std::move(info).value());
  }
  co_return threads;
}

// damage_of says which step comes before what cannot be read, for people.
Task<Error> ThreadStore::damage_of(std::string thread, Error error) {
  error = led_by(of_thread(thread), std::move(error));
  if (error.code != ErrorCode::kInvalidInput) co_return error;
  std::optional<std::int64_t> step;
  for (std::int64_t version = 1; version <= kScannedMax; ++version) {
    Result<std::vector<Record>> read = co_await records_.history(kThreads + thread, version, 1);
    if (!read.ok()) break;
    if (read.value().empty()) continue;  // Trimmed.
    if (read.value().front().version < version) co_return error;
    const Result<ThreadEntry> entry = entry_of(read.value().front());
    if (!entry.ok()) break;
    if (const auto* const whole = std::get_if<ThreadEntry::Step>(&entry.value().what)) {
      step = whole->step;
    }
  }
  if (step) error.message += " (after step " + std::to_string(*step) + ")";
  co_return error;
}

Task<Result<std::vector<KeptStep>>> ThreadStore::steps(std::string thread, graph::Range range) {
  if (options_.steps_max > 0) range.count = std::min(range.count, options_.steps_max);
  StepReader reader(range);
  std::int64_t upto = RecordStore::kNewest;
  for (std::size_t page = kPageMin; !reader.full(); page = std::min(2 * page, kPageMax)) {
    Result<std::vector<Record>> records = co_await records_.history(kThreads + thread, upto, page);
    Status read = Done{};
    if (!records.ok()) read = records.error();
    for (std::size_t i = 0; read.ok() && i < records.value().size() && !reader.full(); ++i) {
      Record& record = records.value()[i];
      if (const std::string* const exact = exact_.find(thread, record)) record.value = *exact;
      read = reader.take(record);
    }
    if (!read.ok()) {
      Error error = co_await damage_of(std::move(thread), read.error());
      co_return error;
    }
    if (records.value().size() < page) break;
    upto = records.value().back().version - 1;
  }
  co_return reader.steps();
}

Task<Result<std::vector<SavedCheckpoint>>> ThreadStore::history(std::string thread,
                                                                graph::Range range) {
  Result<std::vector<KeptStep>> kept = co_await steps(std::move(thread), range);
  if (!kept.ok()) co_return kept.error();
  std::vector<Kept> out;
  for (KeptStep& one : kept.value()) out.push_back(std::move(one.checkpoint));
  co_return out;
}

Task<Result<std::optional<SavedCheckpoint>>> ThreadStore::latest(std::string thread) {
  graph::Range range;
  range.count = 1;
  Result<std::vector<KeptStep>> kept = co_await steps(thread, range);
  if (!kept.ok()) co_return kept.error();
  if (kept.value().empty()) co_return std::optional<Kept>();
  co_return runnable(thread, std::move(kept.value().front()));
}

Task<Result<std::optional<SavedCheckpoint>>> ThreadStore::at(std::string thread,
                                                             std::int64_t step) {
  graph::Range range;
  range.count = options_.steps_max > 0 ? options_.steps_max : 1;
  if (options_.steps_max == 0) range.before = step + 1;
  Result<std::vector<KeptStep>> kept = co_await steps(thread, range);
  if (!kept.ok()) co_return kept.error();
  for (KeptStep& one : kept.value()) {
    if (one.checkpoint.step == step) co_return runnable(thread, std::move(one));
  }
  co_return std::optional<Kept>();
}

// known returns what is known of a thread that is of version `version`, reading it where nothing
// is.
Task<Result<ThreadStore::Known>> ThreadStore::known(std::string thread, std::int64_t version) {
  const auto found = known_.find(thread);
  if (found != known_.end() && found->second.version == version) co_return found->second;
  Known known;
  graph::Range range;
  if (options_.steps_max == 0) range.count = 1;
  Result<std::vector<KeptStep>> kept = co_await steps(thread, range);
  if (!kept.ok()) co_return kept.error();
  if (kept.value().empty()) co_return known;
  for (const KeptStep& one : kept.value()) known.steps.push_front({one.begins, 0});
  const Kept& latest = kept.value().front().checkpoint;
  known.version = latest.version.number;
  known.step = latest.step;
  for (const auto& branch : latest.at.branches) known.branches.push_back(branch.key);
  co_return known;
}

// write adds one record, an entry of `kind`, to the thread. `which` names it for people.
Task<Status> ThreadStore::write(graph::Turn turn, std::string kind, std::string which, Json entry) {
  EntryText text =
      entry_text(kind, std::move(entry), turn.writer, clock_.since_1970(), options_.redactor);
  std::string kept = text.exact.empty() ? std::string() : text.kept;
  std::vector<Put> puts;
  puts.push_back({kThreads + turn.thread, turn.expected, std::move(text.kept)});
  Result<bool> put = co_await records_.put(std::move(puts));
  unkept_.reset();
  if (!put.ok()) {
    unkept_ =
        the_error_as(put.error().code, "thread.unkept", turn.thread, which, put.error().message);
  } else if (!put.value()) {
    unkept_ = overtaken(of_thread(turn.thread));
  }
  if (unkept_) co_return *unkept_;
  if (!text.exact.empty()) {
    exact_.remember(turn.thread, turn.expected + 1, std::move(kept), std::move(text.exact));
  }
  co_return Done{};
}

Task<Result<bool>> ThreadStore::hold(std::string thread) {
  Result<bool> ours = co_await records_.hold(kThreads + thread);
  if (!ours.ok()) co_return led_by(of_thread(thread), ours.error());
  co_return ours;
}

Task<Status> ThreadStore::put(graph::Turn turn, Kept checkpoint) {
  Result<Known> before = Known();
  if (turn.expected > 0) before = co_await known(turn.thread, turn.expected);
  if (!before.ok()) co_return before.error();
  Known now = std::move(before).value();
  if (now.version != turn.expected) co_return overtaken(of_thread(turn.thread));
  if (checkpoint.step <= now.step) {
    co_return Error{ErrorCode::kInvalidInput, of_thread(turn.thread) + ": step " +
                                                  std::to_string(checkpoint.step) +
                                                  " is not after the latest one"};
  }
  Result<Json> json = graph::to_json(checkpoint);
  if (!json.ok()) co_return led_by(of_thread(turn.thread), json.error());
  now.version = turn.expected + 1;
  now.step = checkpoint.step;
  now.branches.clear();
  for (const auto& branch : checkpoint.at.branches) now.branches.push_back(branch.key);
  now.steps.push_back({now.version, value_bytes(json.value())});
  std::string thread = turn.thread;
  std::string which = "step " + std::to_string(checkpoint.step);
  Status written = co_await write(std::move(turn), std::string(kStepEntry), std::move(which),
                                  std::move(json).value());
  if (!written.ok()) {
    known_.erase(thread);
    co_return written;
  }
  known_[thread] = std::move(now);
  if (options_.steps_max == 0) co_return Done{};
  const Status trimmed = co_await keep_latest(std::move(thread));
  static_cast<void>(trimmed);  // What is not forgotten now is forgotten with a later step.
  co_return Done{};
}

// keep_latest forgets steps that are too old, half as many as are kept at a time, and those that
// are too much.
Task<Status> ThreadStore::keep_latest(std::string thread) {
  std::deque<StepPlace>& steps = known_[thread].steps;
  const std::size_t before = steps.size();
  if (before > options_.steps_max + options_.steps_max / 2) {
    steps.erase(steps.begin(),
                std::prev(steps.end(), static_cast<std::ptrdiff_t>(options_.steps_max)));
  }
  std::size_t bytes = 0;
  for (const StepPlace& step : steps) bytes += step.bytes;
  while (bytes > options_.steps_bytes_max && steps.size() > 1) {
    bytes -= steps.front().bytes;
    steps.pop_front();
  }
  if (steps.size() == before) co_return Done{};
  const std::int64_t first = steps.front().version;
  exact_.forget(thread, first);
  Status trimmed = co_await records_.trim(kThreads + thread, first);
  co_return trimmed;
}

// write_on_branch adds what concerns the branch `key` of the latest step.
Task<Status> ThreadStore::write_on_branch(graph::Turn turn, std::string kind, std::string key,
                                          Json entry) {
  Result<Known> before = co_await known(turn.thread, turn.expected);
  if (!before.ok()) co_return before.error();
  Known now = std::move(before).value();
  if (now.version != turn.expected) co_return overtaken(of_thread(turn.thread));
  if (std::ranges::find(now.branches, key) == now.branches.end()) {
    co_return Error{ErrorCode::kInvalidInput,
                    of_thread(turn.thread) + " has no branch '" + key + "'"};
  }
  now.version = turn.expected + 1;
  std::string thread = turn.thread;
  std::string which = "a " + kind + " of step " + std::to_string(now.step);
  Status written =
      co_await write(std::move(turn), std::move(kind), std::move(which), std::move(entry));
  if (written.ok()) {
    known_[thread] = std::move(now);
  } else {
    known_.erase(thread);
  }
  co_return written;
}

Task<Status> ThreadStore::put_branch(graph::Turn turn, graph::Branch<graph::SavedState> branch) {
  Result<Json> json = graph::to_json(branch);
  if (!json.ok()) co_return led_by(of_thread(turn.thread), json.error());
  Status put = co_await write_on_branch(std::move(turn), std::string(kBranchEntry),
                                        std::move(branch.key), std::move(json).value());
  co_return put;
}

Task<Status> ThreadStore::add_note(graph::Turn turn, graph::Note note) {
  std::string key(graph::branch_of(note.node));
  Json json = graph::to_json(note);
  Status noted = co_await write_on_branch(std::move(turn), std::string(kNoteEntry), std::move(key),
                                          std::move(json));
  co_return noted;
}

Task<Status> ThreadStore::erase(std::string thread) {
  known_.erase(thread);
  exact_.forget_all(thread);
  for (const std::string& place : {kThreads, kAbouts}) {
    Result<bool> removed = co_await records_.remove(place + thread, RecordStore::kNewest);
    if (!removed.ok()) co_return led_by(of_thread(thread), removed.error());
  }
  co_return Done{};
}

}  // namespace plumbline::store
