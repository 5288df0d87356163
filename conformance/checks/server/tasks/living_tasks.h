// Tasks of 2025-11-25 from their beginning to their end: spec, basic/utilities/tasks.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/checks/server/probe.h"
#include "conformance/peer/client.h"
#include "core/base/task.h"
#include "core/json/json.h"

namespace plumbline::conformance {

struct LivingTask {
  std::string unable;  // Why there is none; empty: there is.
  std::string id;
};

// tool_for_tasks returns the tool `name`, or any for an empty one, that may be called as a task.
const Json* tool_for_tasks(const Probe& probe, std::string_view name);

// params_of_task returns the params of a call of `tool`, which works for `seconds` if it lets that
// be said.
Json params_of_task(const Probe& probe, const Json& tool, double seconds);

// begin_task calls `tool` as a task; null: there is none to call.
Task<LivingTask> begin_task(Probe& probe, Client& client, const Json* tool, double seconds);

// ask_about asks something of one task: "tasks/get", "tasks/cancel" ...
Task<Reply> ask_about(Client& client, std::string method, std::string id);

// status_in returns the status that a task has in `reply`; empty: none.
std::string status_in(const Reply& reply);

bool is_terminal(std::string_view status);

// looks_until_over asks often until the task is over, or has had its time; each has a result.
Task<std::vector<Reply>> looks_until_over(Client& client, std::string id);

// Lived is a task from its beginning to its end, on a session that hears of nothing else.
struct Lived {
  std::string unable;
  std::string id;
  std::vector<Reply> polled;  // Results of tasks/get.
  std::vector<Json> heard;    // What the server said by itself.
};

// live lets the first task begin that there is for one of `names`, answers what it asks, and takes
// its result.
Task<Lived> live(Probe& probe, Client& client, std::vector<std::string> names);

}  // namespace plumbline::conformance
