// Agent is all that everybody else sees of an agent: its name and its graph, a request to start
// with, a person's answer to resume with, and what came of it. core/agents/all/agents.h lists them.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/agents/policy/policy.h"
#include "core/base/loop.h"
#include "core/base/rng.h"
#include "core/base/task.h"
#include "core/connector/mcp_client.h"
#include "core/graph/checkpoint.h"
#include "core/graph/drawing.h"
#include "core/graph/observer.h"
#include "core/graph/saved_state.h"
#include "core/json/json.h"
#include "core/model/model.h"

namespace plumbline::agents::command_line {
class CommandDesk;
}

namespace plumbline::agents::supervisor {
struct SupervisorServices;
}

namespace plumbline::agents {

// Surroundings are what an agent works with. All must outlive its sessions.
struct Surroundings {
  Loop& loop;
  connector::McpClient& mcp;
  const Policy& policy;
  graph::GraphObserver* observer = nullptr;       // Hears every step of its graph. May be null.
  model::Model* model = nullptr;                  // Null: there is none.
  command_line::CommandDesk* commands = nullptr;  // Null: no commands are run.

  // supervisor has what the supervisor works with besides; null: `model` and `commands` alone.
  const supervisor::SupervisorServices* supervisor = nullptr;

  Rng* jitter = nullptr;  // Draws waits, where they are to differ. Null: they do not.
};

struct Request {
  std::string input;
  std::vector<std::string> server_preferences{};
  std::string conversation{};  // Which one it belongs to, for an agent that remembers some.
};

// AgentBounds is what one request may cost, for whoever watches.
struct AgentBounds {
  std::int64_t steps_max = 64;   // Nodes visited.
  std::int64_t calls_max = 8;    // tools/call, resources/read, prompts/get.
  std::int64_t answers_max = 8;  // Of models, each asked for a few times.
};

// SavedState is the state of any agent for whoever keeps it.
using graph::SavedState;
using Checkpoints = graph::Checkpointer<SavedState>;

// Place is where the checkpoints of one request are kept.
struct Place {
  Checkpoints& checkpoints;  // Must outlive the request.
  std::string thread;        // One for each request.
  std::int64_t writer = 0;   // Tells the processes apart that may work on one request at a time.
};

// Outcome is what came of a request, or what it waits for.
struct Outcome {
  enum class End {
    kDone,         // It was answered.
    kNeedsPerson,  // A person has to decide, to look at it, or to say more.
    kFailed,       // It did not work, or a person refused it.
    kUnreachable,  // What it may have needed could not be reached or used.
    kNothingFits,  // Nothing that is offered does what is asked for.
    kBadRequest,   // There is nothing in it, or too much.
  };

  // review is what a person is to decide: {"approval_id", "server", "type", "name", "arguments",
  // "risks", "reason"}. Nothing when the request has ended.
  std::optional<Json> review{};

  // wrong_answer is why the last answer was none to `review`, which is still open.
  std::optional<Error> wrong_answer{};

  // state is what the agent knows when the request has ended. Every agent has
  //   "final_output"   {"status", "response", "errors", "selected_capability"}, the answer, and
  //   "errors"         the same as in it,
  // and calls by these names what it has of
  //   "intent"         what kind of help was asked for; null only when the request failed,
  //   "mcp_request"    {"server", "method", "params"}, the last call,
  //   "context_update" {"kind", "text", "item_count"}, what a model may see of its result,
  //   "fallback_reason" why it was not answered as asked.
  Json state{};

  std::vector<std::string> route{};  // The nodes that were visited.
  End end = End::kDone;              // Of the operations assistant, when it has ended.
};

// Session is an agent at work in one process. It remembers from one request to the next which
// approvals were used. Requests follow one another.
class Session {
 public:
  Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  virtual ~Session() = default;

  // start works on `request` until it ends or waits for a person. With a `place`, one that died
  // with its process goes on where its last checkpoint stands: what a person has approved is not
  // asked again, and a call that would change something and may have been sent is not sent again.
  virtual Task<Outcome> start(Request request, std::optional<Place> place) = 0;

  // resume goes on with the request that waits. An answer that Agent::check_answer refuses changes
  // nothing: the outcome has the same review, and wrong_answer.
  virtual Task<Outcome> resume(Json answer) = 0;
};

// Agent has no state of its own: one object serves all threads.
class Agent {
 public:
  virtual std::string_view name() const = 0;  // "operations-assistant".
  virtual std::string_view what() const = 0;  // One sentence.
  virtual graph::Drawing drawing() const = 0;

  // needs_model returns whether it does nothing without Surroundings::model.
  virtual bool needs_model() const { return false; }

  virtual AgentBounds bounds() const { return {}; }

  // state_fields returns what the state has, whatever came of the request.
  virtual std::span<const std::string_view> state_fields() const = 0;

  // check_kept returns whether the agent can go on from what was kept: kInvalidInput, with what is
  // wrong and where, when it is of a version that it does not know, or damaged.
  virtual Status check_kept(graph::Checkpoint<SavedState> kept) const = 0;

  // check_answer returns whether `answer` is one to `review`: kInvalidInput, with what was
  // expected, when it is not. Whatever an agent asks, it takes approval(false) for a no.
  virtual Status check_answer(const Json& review, const Json& answer) const = 0;

  virtual std::unique_ptr<Session> open(const Surroundings& surroundings) const = 0;

 protected:
  ~Agent() = default;
};

// approval returns {"approve": approved}, the plainest answer to a review.
Json approval(bool approved);

// check_decision returns whether `answer` decides on a call: {"approve"}, with a "reason" or
// without. kInvalidInput says what was expected.
Status check_decision(const Json& answer);

// check_remembering_decision takes what check_decision does, and with an approval "remember", where
// `review` offers that.
Status check_remembering_decision(const Json& review, const Json& answer);

// Reviewer answers Outcome::review: with JSON that the agent wants, approval(true) for one. One
// that gives a wrong answer is asked again.
using Reviewer = std::function<Json(const Json& review)>;

// ask works on one request to its end, with what `reviewer` answers. Without one nothing is
// approved.
Task<Outcome> ask(Session& session, Request request, Reviewer reviewer,
                  std::optional<Place> place = std::nullopt);

}  // namespace plumbline::agents
