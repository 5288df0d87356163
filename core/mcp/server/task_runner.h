// TaskRunner runs the handlers of the calls that have become tasks, and answers tasks/*.
//
// A task lives beside the session that has started it. Its handler is given the same ServerCall;
// progress and log messages go nowhere, and ask() makes the task wait for input.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/loop.h"
#include "core/base/task.h"
#include "core/mcp/protocol/reply_waiters.h"
#include "core/mcp/server/server_call.h"
#include "core/mcp/server/task_store.h"

namespace plumbline::mcp {

// TaskClient is the session of the client that has started a task.
class TaskClient {
 public:
  virtual Task<Reply<Json>> request(std::string method, Json params, Instant deadline) = 0;
  virtual void task_changed(Json task) = 0;

 protected:
  ~TaskClient() = default;
};

class TaskRunner final : public CallHost, private ReplyWaiters::Owner, private Timer {
 public:
  // `loop` and `options` must outlive the runner.
  TaskRunner(Loop& loop, const ServerOptions& options);
  TaskRunner(const TaskRunner&) = delete;
  TaskRunner& operator=(const TaskRunner&) = delete;
  ~TaskRunner();

  // on_change names who is told of each change of a task, `full` as tasks/get would show it.
  void on_change(std::function<void(const TaskRecord& task, const Json& full)> tell) {
    on_change_ = std::move(tell);
  }

  // start makes a task of a call and returns the result that names it. `session` is where the
  // questions of a task of 2025-11-25 go, until forget().
  Reply<Json> start(const ServerHandler& handler, ServerEngine::Call call, ClientInfo client,
                    std::string owner, TaskClient& session);

  // answer is the handler of tasks/get, tasks/result, tasks/list, tasks/cancel and tasks/update.
  Task<Reply<Json>> answer(std::string method, Json params, Revision revision, std::string owner);

  // forget tells that a session is gone: its tasks go on, but can ask nothing any more.
  void forget(const TaskClient& session);

  // next_session returns 1, 2, 3 ...: what tells apart sessions with people who are not known.
  std::int64_t next_session() { return ++last_session_; }

  std::size_t size() const { return store_.size(); }

  // implements CallHost ---
  const ClientInfo* client_of(ServerEngine::Key key) const override;
  Task<Reply<Json>> ask(ServerEngine::Key key, std::vector<Ask> asks, Instant deadline) override;
  Task<Reply<Json>> request(ServerEngine::Key key, std::string method, Json params,
                            Instant deadline) override;
  void progress(ServerEngine::Key, double, std::optional<double>, std::string) override {}
  void log(ServerEngine::Key, std::string_view, std::string_view, Json) override {}
  void close_stream(ServerEngine::Key) override {}
  Reply<Json> become_task(ServerEngine::Call, const ServerHandler&) override {
    return Failure(Failure::Kind::kRefused, "it is a task already");
  }

 private:
  // Run is a task at work, by the number of its record. It stays as long as the record.
  struct Run {
    ClientInfo client;
    TaskClient* session = nullptr;
    std::vector<std::int64_t> waiting;          // For its outcome.
    std::map<std::string, std::int64_t> asked;  // Questions that wait, by name.
    std::map<std::string, Json> answered;       // Names are never used twice.
    Task<void> work;
  };

  void fire() override;
  void give_up(std::int64_t id) override;
  Task<void> work(std::int64_t number, Task<Reply<Json>> answer);
  Task<Reply<Json>> outcome_of(std::int64_t number);
  Task<Reply<Json>> ask_by_session(std::int64_t number, std::vector<Ask> asks, Instant deadline);
  Task<Reply<Json>> ask_by_task(std::int64_t number, std::vector<Ask> asks, Instant deadline);
  Task<Reply<Json>> wait_for(std::int64_t id);
  void end(std::int64_t number, Reply<Json> reply);
  void changed(const TaskRecord& task);
  void set_status(std::int64_t number, TaskStatus status, std::string message);
  void wake(Run& run, const TaskRecord& task);
  void rearm();
  Json shown(const TaskRecord& task) const;
  Reply<Json> get(const TaskRecord& task) const;
  Reply<Json> cancel(TaskRecord& task);
  Reply<Json> update(TaskRecord& task, const Json& params);

  Loop& loop_;
  TaskStore store_;
  std::function<void(const TaskRecord& task, const Json& full)> on_change_;
  ReplyWaiters waiters_;
  std::int64_t next_wait_ = 1;
  std::int64_t last_session_ = 0;
  std::map<std::int64_t, Run> runs_;  // Last: dropped first.
};

}  // namespace plumbline::mcp
