// Session is one pairing of a worker with its callers, by the code that both know: its tools, the
// stream of its worker, the calls that wait, and the door of its MCP clients.

#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "core/base/loop.h"
#include "core/base/random_bytes.h"
#include "core/base/task.h"
#include "core/base/wait.h"
#include "core/service/event_feed.h"
#include "core/service/sessions/mcp_door.h"
#include "core/service/sessions/session_record.h"
#include "core/service/sessions/worker_desk.h"

namespace plumbline::service {

class Session;

// SessionParts is what all sessions of a service have in common. It outlives them.
struct SessionParts {
  Loop& loop;
  RandomBytes random;
  ToolSet global;  // The tools that every session begins with.
  DoorOptions door;
  WorkerDeskOptions desk;
  EventFeedOptions feed;
  // execute answers one tools/call of an MCP client of the session.
  std::function<Task<mcp::Reply<Json>>(Session& session, mcp::ServerCall call)> execute;
  std::function<void()> call_ended{};  // Is told of each call that has ended. Empty: nobody is.
};

class Session {
 public:
  Session(SessionParts& parts, SessionRecord record);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  const SessionRecord& record() const { return record_; }
  const std::string& code() const { return record_.code; }

  // tools returns those in force: its own, or those that every session begins with.
  const ToolSet& tools() const { return record_.tools ? *record_.tools : parts_.global; }

  // set_tools replaces its own, which are kept as `version`, and tells its MCP clients.
  void set_tools(std::optional<ToolSet> tools, std::int64_t version);

  // listen gives the worker its stream. One with a Last-Event-ID of the stream that is there goes
  // on with it; one of a worker that another has taken over from is answered 204, so that it stays
  // away; any other takes over.
  void listen(net::HttpReply reply, std::optional<std::string_view> last_event_id);

  // answer, progress and log take what the worker says of a call.
  WorkerDesk::Heard answer(const std::string& id, WorkerOutcome outcome);
  WorkerDesk::Heard progress(WorkerDesk::Progressed report);
  WorkerDesk::Heard log(WorkerDesk::Logged line);

  // Listener hears of a call on its way. An empty function: nobody wants to.
  struct Listener {
    std::function<void(const WorkerDesk::Progressed& report)> progress;
    std::function<void(const WorkerDesk::Logged& line)> log;
  };

  // call has the worker do `tool`, and returns how it ended, in bounded time. Dropping the Task
  // takes the call back.
  Task<WorkerOutcome> call(std::string tool, Json params, Listener listener);

  // queue is call for callers that come back for the outcome under an id of their own. Nothing: it
  // is queued.
  std::optional<WorkerDesk::Refusal> queue(std::string id, std::string tool, Json params,
                                           std::string principal);

  // Queued is what is known of such a call: `outcome` is nothing while it waits.
  struct Queued {
    std::string principal;  // Who asked.
    std::optional<WorkerOutcome> outcome;
  };
  const Queued* queued(const std::string& id) const;

  // door returns where its MCP clients come in.
  McpDoor& door();

  // end tells everybody that the session is over, and why: "expired" or "deleted". The session has
  // to live on until the loop has turned.
  void end(std::string_view why);

  // leave ends what is open, while the session is kept for the process that serves it next: calls
  // are told, streams end, and workers and clients come back.
  void leave();

  bool has_worker() const { return desk_.has_worker(); }
  std::size_t waiting() const { return desk_.waiting(); }
  const WorkerDesk::Ignored& ignored() const { return desk_.ignored(); }
  mcp::Server::Load load() const { return door_ ? door_->load() : mcp::Server::Load(); }

 private:
  struct Caller {
    Event done;
    WorkerOutcome outcome;
    Listener listener;
  };
  class Seat;

  std::string new_id(std::string_view prefix) const;
  WorkerDesk::Call made_call(std::string id, std::string tool, Json params) const;
  void begin_feed(net::HttpReply reply);
  bool is_former(std::string_view event_id) const;
  void pump();
  void act(WorkerDesk::Action& action);
  void on_ended(WorkerDesk::Ended& ended);

  SessionParts& parts_;
  SessionRecord record_;
  WorkerDesk desk_;
  std::unique_ptr<EventFeed> feed_;
  std::deque<std::string> former_feeds_;
  std::map<std::string, Caller*> callers_;
  std::map<std::string, Queued> queued_;
  std::deque<std::string> queued_order_;
  bool pumping_ = false;
  Alarm tick_;
  std::unique_ptr<McpDoor> door_;  // Last: its calls are dropped first.
};

}  // namespace plumbline::service
