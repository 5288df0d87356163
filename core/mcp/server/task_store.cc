#include "core/mcp/server/task_store.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "core/base/check.h"
#include "core/json/value_bytes.h"
#include "core/mcp/server/sealed_state.h"
#include "core/rpc/message.h"

namespace plumbline::mcp {

namespace {

constexpr std::size_t kTaskIdDigits = 32;                           // 128 bits.
constexpr std::uint64_t kValueBytesMax = std::uint64_t{64} << 20U;  // Of all tasks.
constexpr std::size_t kEachMin = 16;  // Tasks that one owner may have.

void append_padded(std::string& out, std::int64_t number, std::size_t digits) {
  const std::string text = std::to_string(number);
  out.append(digits - std::min(digits, text.size()), '0').append(text);
}

// append_date writes the day of the proleptic Gregorian calendar, `days` after 1970-01-01.
void append_date(std::string& out, std::int64_t days) {
  const std::int64_t shifted = days + 719'468;  // Since 0000-03-01.
  const std::int64_t era = shifted / 146'097;
  const std::int64_t day = shifted % 146'097;
  const std::int64_t year = (day - day / 1'460 + day / 36'524 - day / 146'096) / 365;
  const std::int64_t in_year = day - (365 * year + year / 4 - year / 100);
  const std::int64_t month = (5 * in_year + 2) / 153;  // From March.
  append_padded(out, era * 400 + year + (month >= 10 ? 1 : 0), 4);
  out += "-";
  append_padded(out, month < 10 ? month + 3 : month - 9, 2);
  out += "-";
  append_padded(out, in_year - (153 * month + 2) / 5 + 1, 2);
}

}  // namespace

std::string_view name_of(TaskStatus status) {
  switch (status) {
    case TaskStatus::kWorking:
      return "working";
    case TaskStatus::kInputRequired:
      return "input_required";
    case TaskStatus::kCompleted:
      return "completed";
    case TaskStatus::kFailed:
      return "failed";
    case TaskStatus::kCancelled:
      return "cancelled";
  }
  check(false, "unknown TaskStatus");
  return {};
}

std::string TaskStore::timestamp(Instant when) const {
  const std::int64_t ms = milliseconds_of(options_.clock + (when - Instant{}));
  const std::int64_t seconds = ms / 1'000;
  std::string out;
  append_date(out, seconds / 86'400);
  for (const auto& [mark, part] :
       {std::pair("T", seconds / 3'600 % 24), std::pair(":", seconds / 60 % 60),
        std::pair(":", seconds % 60)}) {
    out += mark;
    append_padded(out, part, 2);
  }
  out += ".";
  append_padded(out, ms % 1'000, 3);
  return out + "Z";
}

TaskStore::TaskStore(const ServerOptions& options)
    : options_(options),
      guests_(Amounts()
                  .set(Resource::kResults, options.tasks.count_max)
                  .set(Resource::kValueBytes, kValueBytesMax),
              Amounts()
                  .set(Resource::kResults, std::max(options.tasks.count_max / 2,
                                                    std::min(options.tasks.count_max, kEachMin)))
                  .set(Resource::kValueBytes, kValueBytesMax / 2)) {}

Result<TaskRecord*, std::string> TaskStore::create(std::string owner, Revision revision,
                                                   std::optional<Duration> ttl, const Json& params,
                                                   Instant now) {
  const Share share = guests_.of(owner);
  std::optional<Held> seat = share.take(Resource::kResults);
  if (!seat) return "too many tasks: " + share.refusal(Resource::kResults, 1).what;
  const std::size_t bytes = value_bytes(params);
  std::optional<Held> values = share.take(Resource::kValueBytes, bytes);
  if (!values) return "too many tasks: " + share.refusal(Resource::kValueBytes, bytes).what;
  TaskRecord task;
  task.seat = *std::move(seat);
  task.values = *std::move(values);
  task.number = next_++;
  task.id = hmac_sha256(options_.secret, "task " + std::to_string(task.number));
  task.id.resize(kTaskIdDigits);
  task.owner = std::move(owner);
  task.revision = revision;
  task.created = task.updated = now;
  task.ttl = std::min(ttl.value_or(options_.tasks.ttl_max), options_.tasks.ttl_max);
  const std::int64_t number = task.number;
  return &tasks_.emplace(number, std::move(task)).first->second;
}

void TaskStore::keep(TaskRecord& task, Reply<Json> outcome) {
  const bool fits = !outcome.ok() || task.values.grow_to(value_bytes(outcome.value()));
  task.outcome =
      fits ? std::move(outcome)
           : Failure(rpc::kInternalError, "there is no room to keep the outcome of this task");
}

TaskRecord* TaskStore::find(const std::string& id, std::string_view owner) {
  for (auto& [number, task] : tasks_) {
    if (task.id == id && task.owner == owner) return &task;
  }
  return nullptr;
}

TaskRecord* TaskStore::find(std::int64_t number) {
  const auto found = tasks_.find(number);
  return found == tasks_.end() ? nullptr : &found->second;
}

bool TaskStore::change(TaskRecord& task, TaskStatus status, std::string message, Instant now) {
  if (task.over()) return false;
  task.status = status;
  task.status_message = std::move(message);
  task.updated = now;
  return true;
}

Reply<Json> TaskStore::list(std::string_view owner, const Json* cursor) const {
  std::int64_t from = 0;
  if (cursor != nullptr) {
    const auto* const text = cursor->get_ptr<const std::string*>();
    const char* const end = text ? text->data() + text->size() : nullptr;
    bool good = text != nullptr && text->size() > 1 && text->front() == 'c';
    if (good) {
      const auto [rest, error] = std::from_chars(text->data() + 1, end, from);
      good = error == std::errc() && rest == end && from > 0 && from < next_;
    }
    if (!good) return Failure(rpc::kInvalidParams, "invalid cursor");
  }
  Json page = Json::array();
  Json result(Json::value_t::object);
  for (auto at = tasks_.upper_bound(from); at != tasks_.end(); ++at) {
    if (at->second.owner != owner || is_stateless(at->second.revision)) continue;
    if (page.size() >= options_.page_items_max) {
      result["nextCursor"] = "c" + std::to_string(from);
      break;
    }
    page.push_back(describe(at->second));
    from = at->first;
  }
  result["tasks"] = std::move(page);
  return result;
}

std::vector<std::int64_t> TaskStore::expired(Instant now) {
  std::vector<std::int64_t> out;
  for (const auto& [number, task] : tasks_) {
    if (after(task.created, task.ttl) <= now) out.push_back(number);
  }
  for (const std::int64_t number : out) tasks_.erase(number);
  return out;
}

Instant TaskStore::next_expiry() const {
  Instant next = kNever;
  for (const auto& [number, task] : tasks_) next = std::min(next, after(task.created, task.ttl));
  return next;
}

Json TaskStore::describe(const TaskRecord& task) const {
  const bool extension = has_task_extension(task.revision);
  Json out(Json::value_t::object);
  out["taskId"] = task.id;
  out["status"] = name_of(task.status);
  if (!task.status_message.empty()) out["statusMessage"] = task.status_message;
  out["createdAt"] = timestamp(task.created);
  out["lastUpdatedAt"] = timestamp(task.updated);
  out[extension ? "ttlMs" : "ttl"] = milliseconds_of(task.ttl);
  out[extension ? "pollIntervalMs" : "pollInterval"] = milliseconds_of(options_.tasks.poll);
  return out;
}

}  // namespace plumbline::mcp
