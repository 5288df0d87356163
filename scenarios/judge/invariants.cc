#include "scenarios/judge/invariants.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/check.h"
#include "core/base/wildcard.h"
#include "core/graph/node.h"
#include "scenarios/judge/event_text.h"

namespace plumbline::scenarios {

namespace {

constexpr std::string_view kStateComplete = "invariant.state-complete";
constexpr std::string_view kRouteIsAPath = "invariant.route-is-a-path";
constexpr std::string_view kNoUnapprovedEffect = "invariant.no-high-impact-without-approval";
constexpr std::string_view kNoCallAfterAuth = "invariant.no-call-after-auth-failure";
constexpr std::string_view kBounded = "invariant.bounded";
constexpr std::string_view kRequestsEndOnce = "invariant.requests-end-once";
constexpr std::string_view kNoEffectTwice = "invariant.no-effect-twice";
constexpr std::string_view kReadableContext = "invariant.context-is-readable";
constexpr std::string_view kNoSecret = "invariant.no-secret";
constexpr std::string_view kFallsIdle = "invariant.falls-idle";

constexpr std::array<InvariantInfo, 39> kAll = {{
    {kStateComplete,
     "The final state has every field that its agent promises, and a final_output with status and "
     "response."},
    {kRouteIsAPath, "The nodes visited are a path of the graph."},
    {kNoUnapprovedEffect,
     "No side effect without the approval of a person or an allowlist that names the tool."},
    {kNoCallAfterAuth,
     "After an authentication or authorization failure nothing of the kind is sent again."},
    {kBounded,
     "Steps, attempts, calls, backoff and virtual time are bounded: 64 nodes, 8 calls and 15 "
     "minutes for a request, a minute between two calls of it; 2,000 requests and 15 minutes, "
     "`pause_ms` included, for the run."},
    {kRequestsEndOnce,
     "Each request ends exactly once: by its answer, its timeout, a cancel or a disconnect."},
    {kNoEffectTwice, "No side effect happens twice unless it is idempotent."},
    {kReadableContext, "Opaque or oversized content never enters the context or the answer."},
    {kNoSecret, "No secret stands in the state, the trace or the report."},
    {kFallsIdle, "Once everything is closed, nothing goes on by itself."},
    {"invariant.told-the-truth",
     "What the user was told agrees with what happened: `done` only if a server said so, "
     "`not_done` only if nothing happened, and `unknown`, in words, if a call was left without an "
     "answer."},
    {"invariant.keeps-the-specification",
     "What our own client says breaks no rule of the catalogue, in whatever revision it is said: "
     "what reads the log of every `check` reads the world's messages too, in a sweep those of one "
     "seed in 64."},
    {"invariant.tokens-stay-home",
     "An access token goes to its server, in a header; what tokens are got with, to who gives them "
     "out."},
    {"invariant.shows-its-token",
     "A server that has been shown a token is asked nothing without one while that is good."},
    {"invariant.no-refresh-storm",
     "A token is renewed when it was refused or half of its lifetime is over; after a renewal that "
     "failed, not again within 29 seconds."},
    {kLetsGo, "A server of ours keeps nothing of clients that have been gone for an hour."},
    {"invariant.model-history",
     "Every conversation that a model is given, and every one that is kept, is one that a provider "
     "takes: each call of a tool is answered exactly once, right behind it."},
    {"invariant.model-bounded",
     "One request leads to at most 24 calls of a model, or 216 for the supervisor."},
    {"invariant.model-hears-one-user", "In one conversation a model hears what one user says."},
    {"invariant.command-refused-never-runs",
     "No command runs that the rules of its scenario refuse, whatever its quotes and encodings: "
     "another program, a shell, a blocked text, another folder or variable. The judge reads rules "
     "and lines with code of its own."},
    {"invariant.command-approved",
     "Where a person has to approve a command, one has approved this line in this folder with "
     "these variables, once for each time it runs."},
    {"invariant.command-once",
     "A command runs as often as the answer tells of it, and none is told to have ended that never "
     "ran."},
    {"invariant.command-output-bounded", "What is kept of a command's output is bounded."},
    {"invariant.command-leaves-nothing", "When a request has ended, no command of it is at work."},
    {"invariant.workflow-bounded",
     "The visits of the supervisor, the steps of a workflow and the turns of a conversation are "
     "bounded."},
    {"invariant.thread-consistent",
     "What was kept can be read after any crash, and results and steps in it never change or go."},
    {"invariant.fleet-bounded-connections",
     "A connector has no more connections open than it may, to all of its agents together."},
    {"invariant.fleet-bounded-retries",
     "Of the calls to a fleet a tenth is tried again, and a few more, whatever goes wrong."},
    {"invariant.fleet-no-starvation",
     "Each call to a fleet is served, or told that it is not, within its deadline."},
    {"invariant.fleet-unhealthy-gets-probes-alone",
     "An agent that is unhealthy is sent no call until a probe has found it well."},
    {"invariant.fleet-limit-holds",
     "No agent is sent more than its limit allows, by more than one request."},
    {"invariant.fleet-no-shared-session",
     "What one principal asks never travels over the connection of another."},
    {"invariant.fleet-no-change-twice",
     "A call that changes something is not sent again when it may have taken effect."},
    {"invariant.fleet-removed-is-left-alone",
     "An agent that was taken out of the configuration is sent nothing any more."},
    {kNoAbort,
     "No world ends the program: by a failed check of ours, a fault of memory, or a sanitizer. "
     "Judged by `sweep` and `shrink`, which run worlds in processes of their own."},
    {"liveness.request-ends",
     "Once nothing is broken any more, the request ends in bounded time; otherwise the report says "
     "deadlock, livelock or late, and which part waits for which."},
    {"liveness.gets-in-again",
     "Once nothing is broken any more, a server that takes tokens lets every agent in."},
    {"liveness.fleet-recovers",
     "Once nothing is broken any more, every agent of a fleet is asked again."},
    {"liveness.closes", "Closing every connection ends in bounded time."},
}};

}  // namespace

std::span<const InvariantInfo> all_invariants() { return kAll; }

void Invariants::fail(std::string_view id, std::string message) {
  const auto same = [&](const RunFailure& failure) { return failure.check == id; };
  if (std::ranges::any_of(failures_, same)) return;
  failures_.push_back(RunFailure{std::string(id), std::move(message)});
}

void Invariants::on_event(const TraceEvent& event) {
  if (rules_.secrets != nullptr) check_text("the trace", dump_json(event.detail));
  switch (event.kind) {
    case EventKind::kMessageReceived:
      return on_message(event);
    case EventKind::kRequestStarted:
      return on_request_started(event);
    case EventKind::kRequestEnded:
      return on_request_ended(event);
    case EventKind::kNodeStarted:
      return node_started(event.who, int_or(event.detail, "attempt", 1));
    case EventKind::kEdgeTaken:
      return edge_taken(event.who, text_of(event.detail, "to"));
    case EventKind::kEffect:
      return on_effect(event);
    case EventKind::kApproval:
      return on_approval(event);
    case EventKind::kMessageSent:
    case EventKind::kGarbage:
    case EventKind::kConnection:
    case EventKind::kState:
    case EventKind::kNodeEnded:
    case EventKind::kExchange:
    case EventKind::kNote:
      return;
    case EventKind::kFault:
      // One that was started again knows nothing of a refusal that it had not kept.
      if (text_of(event.detail, "fault") == "crash_orchestrator") barred_.clear();
      return;
  }
  check(false, "unknown EventKind");
}

Invariants::Level& Invariants::level_of(std::string_view node) {
  const std::size_t slash = node.rfind('/');
  if (slash == std::string_view::npos) return outer_;
  const std::string_view prefix = node.substr(0, slash + 1);
  const auto found = inner_.find(prefix);
  if (found != inner_.end()) return found->second;
  return inner_.emplace(prefix, Level{{}, {}, restarted_}).first->second;
}

void Invariants::node_started(std::string_view node, std::int64_t attempt) {
  Level& level = level_of(node);
  if (!level.next.empty()) level.here = std::exchange(level.next, {});  // A step begins.
  if (level.anywhere) level.here.emplace_back(node);
  if (!rules_.routes.has_node(node)) {
    fail(kRouteIsAPath, std::string(node) + " ran, which is no node of the graph");
  } else if (std::ranges::find(level.here, node) == level.here.end()) {
    fail(kRouteIsAPath, std::string(node) + " ran, expected " +
                            (level.here.empty() ? "the start of the graph" : level.here.front()));
  }
  if (attempt == 1 && ++steps_ > rules_.steps_max) {
    fail(kBounded, "one request took more than " + std::to_string(rules_.steps_max) + " steps");
  }
  if (attempt > rules_.attempts_max) {
    fail(kBounded, std::string(node) + " was tried " + std::to_string(attempt) +
                       " times, expected at most " + std::to_string(rules_.attempts_max));
  }
}

void Invariants::edge_taken(std::string_view from, std::string_view to) {
  Level& level = level_of(from);
  const bool starts = from.ends_with(graph::kStart);
  if (starts) level.next.clear();
  if (from == graph::kStart) {  // A new request begins.
    steps_ = 0;
    calls_ = 0;
    call_ended_.reset();
    barred_.clear();
  }
  level.anywhere = false;
  const bool ran = starts || std::ranges::find(level.here, from) != level.here.end();
  if (!rules_.routes.has_edge(from, to) || !ran) {
    const std::string_view here = starts || level.here.empty() ? graph::kStart : level.here.front();
    fail(kRouteIsAPath, "the run went from " + std::string(from) + " to " + std::string(to) +
                            ", expected one of " + rules_.routes.targets_of(here));
  }
  level.next.emplace_back(to);
}

std::vector<Invariants::OpenRequest>::iterator Invariants::find_open(std::string_view who,
                                                                     std::int64_t id) {
  return std::ranges::find_if(
      open_, [&](const OpenRequest& request) { return request.id == id && request.who == who; });
}

void Invariants::on_request_started(const TraceEvent& event) {
  const std::int64_t id = int_or(event.detail, "id", -1);
  const std::string_view method = text_of(event.detail, "method");
  const auto name = [&] { return std::string(method) + " to " + std::string(event.who); };
  if (find_open(event.who, id) != open_.end()) {
    fail(kRequestsEndOnce, name() + " has the id " + std::to_string(id) + " of one that is open");
  }
  open_.push_back(OpenRequest{std::string(event.who), id, std::string(method)});
  for (const Barred& bar : barred_) {
    const bool call = bar.who.empty() && is_call(method);
    const bool same = bar.who == event.who && (bar.method.empty() || bar.method == method);
    if (call || same) fail(kNoCallAfterAuth, name() + " was sent after an auth failure");
  }
  if (++requests_ > rules_.requests_max) {
    fail(kBounded, "more than " + std::to_string(rules_.requests_max) + " requests were sent");
  }
  if (!is_call(method)) return;
  if (++calls_ > rules_.calls_max) {
    fail(kBounded, "one request made more than " + std::to_string(rules_.calls_max) + " calls");
  }
  if (call_ended_ && event.at - *call_ended_ > rules_.backoff_max) {
    fail(kBounded, name() + " came " + std::to_string(milliseconds_of(event.at - *call_ended_)) +
                       " ms after the call before, expected at most " +
                       std::to_string(milliseconds_of(rules_.backoff_max)));
  }
}

void Invariants::on_request_ended(const TraceEvent& event) {
  const std::int64_t id = int_or(event.detail, "id", -1);
  const auto request = find_open(event.who, id);
  if (request == open_.end()) {
    fail(kRequestsEndOnce, "request " + std::to_string(id) + " to " + std::string(event.who) +
                               " ended, which was not open");
    return;
  }
  if (text_of(event.detail, "outcome").empty()) {
    fail(kRequestsEndOnce, request->method + " ended without an outcome");
  }
  const std::string_view method = text_of(event.detail, "method");
  if (!method.empty() && method != request->method) {
    fail(kRequestsEndOnce, request->method + " ended as " + std::string(method));
  }
  // Between two calls, asking for a task and opening a connection again are no pause.
  if (is_call(request->method) || call_ended_) call_ended_ = event.at;
  open_.erase(request);
}

void Invariants::on_message(const TraceEvent& event) {
  const std::int64_t number = request_number(event.detail);
  if (number < 0 || !speaks_of_auth(event.detail)) return;
  const auto request = find_open(event.who, number);
  if (request == open_.end()) return;  // Nobody waits for it.
  if (is_call(request->method)) {
    barred_.push_back(Barred{"", ""});
  } else if (request->method == "initialize") {
    barred_.push_back(Barred{request->who, ""});
  } else if (request->method != "server/discover") {  // Which initialize follows, and decides.
    barred_.push_back(Barred{request->who, request->method});
  }
}

void Invariants::on_approval(const TraceEvent& event) {
  if (!bool_or(event.detail, "approved", false)) return;
  approved_.push_back(string_or(event.detail, "server", "") + '/' +
                      string_or(event.detail, "name", ""));
}

void Invariants::on_effect(const TraceEvent& event) {
  const std::string label = std::string(event.who) + '/' + string_or(event.detail, "tool", "");
  const std::string key = string_or(event.detail, "key", "");
  const auto matches = [&](const std::string& pattern) { return fits(pattern, label); };
  const bool allowed = std::ranges::any_of(rules_.allow, matches) &&
                       !std::ranges::any_of(rules_.not_allowed, matches);
  if (!allowed) {
    const auto approval = std::ranges::find(approved_, label);
    if (approval == approved_.end()) {
      fail(kNoUnapprovedEffect,
           label + " took effect, and neither a person nor the policy allowed it");
    } else {
      approved_.erase(approval);
    }
  }
  const auto same = std::ranges::find_if(
      committed_, [&](const Committed& one) { return one.label == label && one.key == key; });
  if (same == committed_.end()) {
    committed_.push_back(Committed{label, key, 1});
  } else if (++same->count > asked_ && !bool_or(event.detail, "idempotent", false)) {
    fail(kNoEffectTwice, label + " took effect " + std::to_string(same->count) +
                             " times with the same key " + key + ", expected once");
  }
}

void Invariants::finish(Instant now, std::size_t timers) {
  if (timers > 0) {
    fail(kFallsIdle, std::to_string(timers) + " timers are still armed, expected none");
  }
  if (!open_.empty()) {
    fail(kRequestsEndOnce, open_.front().method + " to " + open_.front().who + " never ended");
  }
  if (now.time_since_epoch() > rules_.virtual_max) {
    fail(kBounded, "the run took " + std::to_string(milliseconds_of(now.time_since_epoch())) +
                       " ms, expected at most " +
                       std::to_string(milliseconds_of(rules_.virtual_max)));
  }
}

void Invariants::check_text(std::string_view where, std::string_view text) {
  if (rules_.secrets == nullptr || !rules_.secrets->finds_secret(text)) return;
  fail(kNoSecret, "a secret stands in " + std::string(where));
}

void Invariants::check_state(const Json& state) {
  check_shape(state);
  if (const Json* const context = find(state, "context_update")) {
    check_readable("context_update", *context);
  }
  if (const Json* const output = find(state, "final_output")) {
    check_readable("final_output", *output);
  }
  if (rules_.secrets != nullptr) check_text("the state", dump_json(state));
}

void Invariants::check_shape(const Json& state) {
  const auto lacks = [&](std::string_view field) { return find(state, field) == nullptr; };
  constexpr std::array<std::string_view, 2> kOfEveryAgent = {"errors", "final_output"};
  for (const std::span<const std::string_view> fields :
       {rules_.state_fields, std::span<const std::string_view>(kOfEveryAgent)}) {
    const auto missing = std::ranges::find_if(fields, lacks);
    if (missing == fields.end()) continue;
    return fail(kStateComplete, "the final state has no " + std::string(*missing));
  }
  const Json& output = *find(state, "final_output");
  const Json* const intent = find(state, "intent");
  const std::string_view status = text_of(output, "status");
  constexpr std::array<std::string_view, 4> kStatuses = {"ok", "answered_without_mcp",
                                                         "needs_review", "failed"};
  if (std::ranges::find(kStatuses, status) == kStatuses.end()) {
    fail(kStateComplete, "final_output has the status \"" + std::string(status) + '"');
  } else if (text_of(output, "response").empty()) {
    fail(kStateComplete, "final_output has no response");
  } else if (intent != nullptr && intent->is_null() && status != "failed") {
    fail(kStateComplete, "the intent is null, and nothing failed");
  } else if (!find(state, "errors")->is_array() || find(output, "errors") == nullptr ||
             *find(output, "errors") != *find(state, "errors")) {
    fail(kStateComplete, "the errors of the state and of final_output differ");
  } else if (find(output, "selected_capability") == nullptr) {
    fail(kStateComplete, "final_output has no selected_capability");
  }
}

void Invariants::check_readable(std::string_view where, const Json& value) {
  // What a response adds around a result that just fits.
  constexpr std::int64_t kAroundBytesMax = 4'096;
  if (const auto* const text = value.get_ptr<const std::string*>()) {
    const std::int64_t bytes_max = rules_.context_bytes_max + kAroundBytesMax;
    if (static_cast<std::int64_t>(text->size()) > bytes_max) {
      fail(kReadableContext, std::string(where) + " holds " + std::to_string(text->size()) +
                                 " bytes, expected at most " + std::to_string(bytes_max));
    }
    const std::string why = unreadable(*text);
    if (!why.empty()) fail(kReadableContext, std::string(where) + " holds " + why);
    return;
  }
  if (!value.is_structured()) return;
  for (const Json& item : value) check_readable(where, item);
}

}  // namespace plumbline::scenarios
