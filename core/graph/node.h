// What a graph is made of: the State it works on, the nodes that change it, and the rules under
// which a node runs.
//
// A node reads the State through its Context and returns one of three things: an Update, which the
// State's own reducers apply; an Interrupt, which stops the run until a person answers; or an
// Error. It never writes the State, so an attempt that failed leaves nothing behind.

#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/limits.h"
#include "core/base/loop.h"
#include "core/base/result.h"
#include "core/base/retry_policy.h"
#include "core/base/task.h"
#include "core/graph/observer.h"
#include "core/json/json.h"

namespace plumbline::graph {

// The two ends of every graph, spelled as LangGraph spells them. Edges name them; nodes may not.
inline constexpr std::string_view kStart = "__start__";
inline constexpr std::string_view kEnd = "__end__";

// Interrupt is a node's wish to wait for a person. `payload` is what the person is shown.
struct Interrupt {
  Json payload;
};

// Send is a way on to `node`, with an input of its own for it: two Sends to one node are two visits
// of it in one step.
struct Send {
  Send(std::string_view to) : node(to) {}  // NOLINT(google-explicit-constructor)
  Send(const char* to) : node(to) {}       // NOLINT(google-explicit-constructor)
  Send(std::string_view to, Json with) : node(to), input(std::move(with)) {}

  std::string node;
  std::optional<Json> input{};  // Nothing: a way on like any other edge.
};

// GraphState is a copyable value with a nested Update and its reducers in one place: apply()
// replaces, appends or merges each field that the Update names. The Updates of one step are applied
// in the order of its branches, whichever was done first.
template <typename State>
concept GraphState = std::copy_constructible<State> &&
    std::copy_constructible<typename State::Update> &&
    requires(State& state, typename State::Update update) {
  { state.apply(std::move(update)) } -> std::same_as<void>;
};

template <GraphState State>
using NodeResult = std::variant<typename State::Update, Interrupt, Error>;

namespace internal {
template <GraphState State, typename Services>
class Run;
}  // namespace internal

// Note is what a node has to know when it is visited again because its process died: what it was
// about to do, or what a person has answered it.
struct Note {
  std::string node;      // The key of its branch: "ask", or "outer/inner" inside a subgraph.
  Json what;             // In the node's own words, or the answer.
  bool answers = false;  // It is the answer to what was asked under this key.
};

// Notebook keeps notes, at once and for good.
class Notebook {
 public:
  // add_note keeps `note`. On an Error it may be kept or not: nothing may be done that relies on
  // it.
  virtual Task<Status> add_note(Note note) = 0;

 protected:
  ~Notebook() = default;
};

// Context is what a node sees of its run. It outlives every coroutine of the node.
template <GraphState State, typename Services>
class Context {
 public:
  const State& state() const { return *state_; }
  Services& services() { return *services_; }
  Loop& loop() { return *loop_; }
  Instant now() const { return loop_->now(); }

  // node returns the name under which this node was added.
  std::string_view node() const { return node_; }

  // key names this visit within its step: the node's name, and "NAME:2" for the second visit of the
  // same node in one step.
  std::string_view key() const { return key_; }

  // input returns what the Send gave that this visit comes from. Otherwise nullptr.
  const Json* input() const { return input_; }

  // attempt counts from 1 in each visit of the node.
  int attempt() const { return attempt_; }

  // answer returns what the person said when the run was resumed into this node, in every attempt
  // of that one visit. Otherwise nullptr.
  const Json* answer() const { return answer_; }

  // deadline returns when this attempt is dropped: the node's timeout or the end of the run's
  // time, whichever is first. kNever when there is neither.
  Instant deadline() const { return deadline_; }

  // traceparent returns what those are told who work for this attempt, as W3C Trace Context writes
  // it; empty: nobody traces it.
  const std::string& traceparent() const { return traceparent_; }

  // write tells those who watch the run whatever they are to know now, and message passes on what a
  // model says, piece by piece: Stream::kCustom and kMessages. Nobody else sees it.
  void write(const Json& what) const { stream(Stream::kCustom, what); }
  void message(const Json& what) const { stream(Stream::kMessages, what); }

  // note leaves `note` for a later visit of this node in the same place of the run: what it is
  // about to do and must not do twice. Done means that it is kept, whatever dies next. On an Error
  // it is not, or nobody knows: then the node must not do it. A run without a Thread outlives no
  // process, and keeps notes as long as it lives itself.
  Task<Status> note(Json note) {
    if (notebook_ != nullptr) {
      Note named{std::string(key_), note};
      Status kept = co_await notebook_->add_note(std::move(named));
      if (!kept.ok()) co_return kept;
    }
    notes_.push_back(std::move(note));
    co_return Done{};
  }

  // notes returns what this node has noted, oldest first: in the attempts of this visit, and in
  // all visits that a dead process has begun since the last checkpoint. Inside a subgraph the notes
  // of all visits since it was entered are kept.
  const std::vector<Json>& notes() const { return notes_; }

 private:
  friend class internal::Run<State, Services>;

  Context(const State& state, Services& services, Loop& loop)
      : state_(&state), services_(&services), loop_(&loop) {}

  void stream(Stream stream, const Json& what) const {
    if (observer_ != nullptr && observer_->streams(stream)) {
      observer_->streamed({stream, key_, what});
    }
  }

  const State* state_;
  Services* services_;
  Loop* loop_;
  std::string_view node_;
  std::string_view key_;
  const Json* input_ = nullptr;
  int attempt_ = 0;
  const Json* answer_ = nullptr;
  Instant deadline_ = kNever;
  std::string traceparent_;
  Notebook* notebook_ = nullptr;
  GraphObserver* observer_ = nullptr;
  std::vector<Json> notes_;
};

// Node is one step of work, usually a free coroutine function. It is called from every run of the
// graph, possibly from several threads: what it needs to remember belongs in State or Services.
template <GraphState State, typename Services>
using Node = std::function<Task<NodeResult<State>>(Context<State, Services>&)>;

// is_transient returns whether trying again may help: kDeadlineExceeded and kDisconnected.
inline bool is_transient(const Error& error) {
  return error.code == ErrorCode::kDeadlineExceeded || error.code == ErrorCode::kDisconnected;
}

// NodePolicy bounds one node. build() refuses values outside the ranges given here.
struct NodePolicy {
  int attempts_max = 1;                                // At least 1: the first try counts.
  Duration backoff_initial = std::chrono::seconds(1);  // Before the second attempt.
  Duration backoff_max = std::chrono::seconds(30);     // At most limits::kVirtualTimeMax.
  int backoff_growth_percent = 200;  // Of the wait before: 100 to 10,000. 200 doubles it.
  Duration timeout{};                // Of one attempt. 0: none.
  std::int64_t visits_max = limits::kGraphStepsMax;  // In one run. At least 1.
  bool (*retry_on)(const Error&) = is_transient;     // Which errors are worth another attempt.

  RetryPolicy retries() const {
    return {.first = backoff_initial,
            .cap = backoff_max,
            .growth_percent = backoff_growth_percent,
            .tries_max = attempts_max};
  }
};

}  // namespace plumbline::graph
