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

// Opener is who has opened a session, and what was taken for it.
struct Opener {
  std::optional<std::string> guest;  // Nothing: it was kept from before, and nobody knows.
  Share share;
  Held seat;
};

class Session {
 public:
  Session(SessionParts& parts, SessionRecord record, Opener opener);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  const SessionRecord& record() const { return record_; }
  const std::string& code() const { return record_.code; }

  // opener names who has opened it. used returns whether a worker or a caller has come since.
  const std::optional<std::string>& opener() const { return opener_.guest; }
  bool used() const { return used_; }

  // opened returns whether it was opened since this process serves it.
  bool opened() const { return opened_; }

  // adopt makes `guest` the one who has opened it, where nobody knows who did.
  void adopt(const std::string& guest, Share share);

  // tools returns those in force: its own, or those that every session begins with.
  const ToolSet& tools() const { return record_.tools ? *record_.tools : parts_.global; }

  // set_tools replaces its own, which are kept as `version`, and tells its MCP clients. `charge` is
  // what was taken for them.
  void set_tools(std::optional<ToolSet> tools, std::int64_t version, Held charge);
  const Share& share() const { return opener_.share; }

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
  // `charge` is what was taken for the params.
  std::optional<WorkerDesk::Refusal> queue(std::string id, std::string tool, Json params,
                                           std::string principal, Held charge);

  // Queued is what is known of such a call: `outcome` is nothing while it waits, and forgotten a
  // while after it ended (WorkerDeskOptions::outcome_kept).
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
  WorkerDesk::Call made_call(std::string id, std::string tool, Json params, Held charge) const;
  void begin_feed(net::HttpReply reply);
  bool is_former(std::string_view event_id) const;
  void pump();
  void act(WorkerDesk::Action& action);
  void on_ended(WorkerDesk::Ended& ended);
  void forget_outcomes();

  SessionParts& parts_;
  SessionRecord record_;
  Opener opener_;
  Held tools_charge_;
  bool opened_;
  bool used_ = false;
  WorkerDesk desk_;
  std::unique_ptr<EventFeed> feed_;
  std::deque<std::string> former_feeds_;
  std::map<std::string, Caller*> callers_;
  std::map<std::string, Queued> queued_;
  std::deque<std::string> queued_order_;
  std::deque<std::pair<Instant, std::string>> outcomes_;  // Of queued_, until when.
  Alarm forget_;
  bool pumping_ = false;
  Alarm tick_;
  std::unique_ptr<McpDoor> door_;  // Last: its calls are dropped first.
};

}  // namespace plumbline::service
