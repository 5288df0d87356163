// ExecutionApi lets others run commands on this machine over HTTP, by its rules:
//
//   POST /execute  {"command": "git status", "timeout": 30, "working_directory": "/srv/project"}
//   200            a result as to_json(CommandResult) writes it, also of one that was blocked
//
// "timeout" (seconds) and "working_directory" may be left out. 400: the body is no such request;
// 405: no POST; 503: too many are at work. Nobody can be asked here: where the rules want a person
// for each command, every one is blocked. Whoever hangs up ends his command. It stands behind a
// gate: whom that has let in is named in the audit log.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "core/agents/command_line/command_desk.h"
#include "core/base/loop.h"
#include "core/net/http_reply.h"

namespace plumbline::agents::command_line {

inline constexpr const char* kExecutionPath = "/execute";

class ExecutionApi final : public net::HttpHandler {
 public:
  // `desk` must outlive the API, and it every connection. `waiting_max`: commands that run or wait
  // to run, of all callers together.
  explicit ExecutionApi(CommandDesk& desk, std::size_t waiting_max = 64)
      : desk_(desk), waiting_max_(waiting_max) {}

  // implements HttpHandler ---
  void on_request(wire::HttpRequest request, net::HttpReply reply) override;

 private:
  struct Work {
    net::HttpReply reply;
    Task<void> task;  // Last: dropped first.
  };

  Task<void> run(std::int64_t id, CommandRequest request, std::string who,
                 std::optional<Duration> timeout);

  CommandDesk& desk_;
  std::size_t waiting_max_;
  std::int64_t last_id_ = 0;
  std::map<std::int64_t, Work> works_;
};

}  // namespace plumbline::agents::command_line
