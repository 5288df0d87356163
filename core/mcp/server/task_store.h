// TaskStore is the book of the tasks of a server: what runs beside the request that started it.
// Without I/O; TaskRunner keeps it and runs the work.
//
// Spec 2025-11-25, basic/utilities/tasks; extension io.modelcontextprotocol/tasks (SEP-2663).

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/budget/guests.h"
#include "core/base/time.h"
#include "core/json/json.h"
#include "core/mcp/protocol/failure.h"
#include "core/mcp/server/server_options.h"

namespace plumbline::mcp {

enum class TaskStatus { kWorking, kInputRequired, kCompleted, kFailed, kCancelled };

// name_of returns the status as MCP spells it.
std::string_view name_of(TaskStatus status);

struct TaskRecord {
  std::int64_t number = 0;  // In the order of creation, from 1.
  std::string id;           // Not to be guessed: made of ServerOptions::secret.
  std::string owner;        // Who may see it.
  Revision revision = kLatestStateful;
  TaskStatus status = TaskStatus::kWorking;
  std::string status_message;
  Instant created{};
  Instant updated{};
  Duration ttl{0};
  std::optional<Reply<Json>> outcome;  // Of the call, once it is over.
  Json asks = Json::object();          // What the client has still to answer, by name.
  Held seat{};                         // Among the tasks of its owner.
  Held values{};                       // Of its call, and of its outcome once it has one.

  bool over() const { return status >= TaskStatus::kCompleted; }
};

class TaskStore {
 public:
  // `options` must outlive the store.
  explicit TaskStore(const ServerOptions& options);

  // create adds a working task, of a call with `params`; a reason when the owner, or all, have too
  // many, or too large ones. `ttl` is what the client wants to have it kept for, at most
  // TaskOptions::ttl_max.
  Result<TaskRecord*, std::string> create(std::string owner, Revision revision,
                                          std::optional<Duration> ttl, const Json& params,
                                          Instant now);

  // keep keeps the outcome of the task; where its owner has no room for it, that is the outcome.
  void keep(TaskRecord& task, Reply<Json> outcome);

  // find returns the task `id` of `owner`, nullptr when there is none. Valid until it expires.
  TaskRecord* find(const std::string& id, std::string_view owner);
  TaskRecord* find(std::int64_t number);

  // change sets the status, unless the task is over: what is over never changes. Returns whether
  // it did.
  bool change(TaskRecord& task, TaskStatus status, std::string message, Instant now);

  // list returns a page of the tasks of `owner` and the cursor of the next; -32602 for a cursor
  // that is none.
  Reply<Json> list(std::string_view owner, const Json* cursor) const;

  // expired takes out the tasks whose time is over and returns their numbers.
  std::vector<std::int64_t> expired(Instant now);
  Instant next_expiry() const;

  // describe returns the task as its revision shows it.
  Json describe(const TaskRecord& task) const;

  std::size_t size() const { return tasks_.size(); }

 private:
  std::string timestamp(Instant when) const;

  const ServerOptions& options_;
  Guests guests_;
  std::map<std::int64_t, TaskRecord> tasks_;  // By number.
  std::int64_t next_ = 1;
};

}  // namespace plumbline::mcp
