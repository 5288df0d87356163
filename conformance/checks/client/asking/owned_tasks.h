// What is said about a task that a client runs, and what that shows.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/peer/client/record.h"
#include "conformance/peer/client/verdicts.h"

namespace plumbline::conformance {

// OwnedTaskTalk is what a server has asked, and was answered, by the names of the steps that
// owned_task_scenarios.cc takes.
struct OwnedTaskTalk {
  bool came = false;      // A tool was called.
  std::string method;     // That is asked as a task; empty: the client offers nothing to ask for.
  bool declared = false;  // It says that it takes `method` as a task.
  bool cancels = false;
  bool lists = false;
  std::map<std::string, Json> answers;  // Whole responses, by the name of the step.
  std::vector<std::string> ids;         // Of the tasks that were made, in order.
  int pages = 0;                        // Of the list, beyond the first.

  std::string first() const { return ids.empty() ? "" : ids.front(); }

  // result returns what a step was answered, nullptr for an error or nothing; code the error, 0 for
  // none.
  const Json* result(const std::string& step) const;
  std::int64_t code(const std::string& step) const;
  bool answered(const std::string& step) const { return answers.contains(step); }

  // status returns the status in the answer to a step; empty: there is none.
  std::string status(const std::string& step) const;

  // is_over returns whether the answer to a step shows a task at its end, or no task any more.
  bool is_over(const std::string& step) const;
};

inline constexpr std::string_view kOwnedTaskIds[] = {
    "tasks.capability-declared",
    "tasks.undeclared-augmentation-ignored",
    "tasks.create-result",
    "tasks.id-is-string-from-receiver",
    "tasks.initial-status-working",
    "tasks.timestamps-present",
    "tasks.ttl-reported",
    "tasks.id-unique",
    "tasks.id-entropy",
    "tasks.result-blocks-until-terminal",
    "tasks.result-equals-underlying",
    "tasks.result-has-related-meta",
    "tasks.id-param-decides",
    "tasks.valid-transitions",
    "tasks.terminal-is-final",
    "tasks.status-notification-full",
    "tasks.unknown-id-32602",
    "tasks.cancel-terminal-32602",
    "tasks.cancel-marks-before-response",
    "tasks.cancel-sticky",
    "tasks.list-complete",
    "tasks.list-next-cursor",
    "tasks.list-bad-cursor-32602",
};

// judge_owned_tasks says something about each of kOwnedTaskIds.
void judge_owned_tasks(const Record& record, const OwnedTaskTalk& talk, Verdicts& verdicts);

}  // namespace plumbline::conformance
