// Calls that become tasks by the extension io.modelcontextprotocol/tasks, made and watched. No list
// says which tools do: they are tried.

#pragma once

#include <string>
#include <string_view>

#include "conformance/checks/server/probe.h"

namespace plumbline::conformance {

inline constexpr const char* kTasksExtension = "io.modelcontextprotocol/tasks";

inline constexpr const char* kNoExtension =
    "it does not offer the extension io.modelcontextprotocol/tasks";

// offers_task_extension returns whether the server declares it.
bool offers_task_extension(const Probe& probe);

// with_task_extension returns the params of a request of a client that declares it.
Json with_task_extension(Client& client, Json params);

// is_task_handle returns whether `reply` is a task in place of a result, whatever it says of its
// type.
bool is_task_handle(const Reply& reply);

// ExtensionTask is a task that a call became.
struct ExtensionTask {
  std::string unable;  // Why there is none; empty: there is.
  Json call;           // The params without _meta.
  Reply reply;
  std::string id;
};

// make_extension_task calls tools that may be called until a call becomes a task; with a `fixture`,
// that one alone. The task takes `seconds` where that can be said. `meta` is added to the _meta of
// the calls.
Task<ExtensionTask> make_extension_task(Probe& probe, Client& client, double seconds,
                                        std::string fixture = {}, Json meta = Json::object());

// about_task asks "tasks/get" or "tasks/cancel" of a client that declares the extension.
Task<Reply> about_task(Client& client, std::string method, std::string id);

// answer_task sends tasks/update with what `asked`, the inputRequests of the task, want to have.
Task<Reply> answer_task(Client& client, std::string id, Json asked);

// status_of returns the status that a reply of tasks/get tells, empty for none.
std::string status_of(const Reply& reply);

// is_over returns whether a task with this status can change no more.
bool is_over(std::string_view status);

// task_problem returns what is wrong with what every task says of itself; empty: nothing.
std::string task_problem(const Json& task);

// detail_problem returns what a task with its status lacks where it is told in full: a result, an
// error, the questions that wait.
std::string detail_problem(const Json& task);

// watch_task asks tasks/get until the task is over, waits for input, or has had its time. The last
// reply, which may be an error.
Task<Reply> watch_task(Client& client, std::string id);

}  // namespace plumbline::conformance
