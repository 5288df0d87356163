#include <algorithm>
#include <utility>

#include "core/agents/operations/approved_call.h"
#include "core/agents/operations/operations_nodes.h"
#include "core/agents/operations/readability.h"
#include "core/base/wait.h"
#include "core/connector/retry/error_category.h"
#include "core/connector/retry/retry_strategies.h"
#include "core/connector/traced_client.h"

namespace plumbline::agents {

namespace {

using mcp::FailureClass;
using Next = Invocation::Next;
using Update = OperationsState::Update;

// Attempt is one sent request, judged.
struct Attempt {
  Invocation invocation;
  std::optional<FailureClass> failed;  // Nothing: it worked.
  std::string what;                    // Of a failure, for people.
  bool elsewhere = false;              // What to do about it: ask another agent that has it.
};

Attempt judge(mcp::Reply<Json> reply) {
  Attempt attempt;
  if (!reply.ok()) {
    attempt.failed = mcp::classify(reply.error());
    attempt.what = mcp::describe(reply.error());
    attempt.invocation.failure = std::move(reply).error();
    return attempt;
  }
  attempt.invocation.result = std::move(reply).value();
  if (bool_or(*attempt.invocation.result, "isError", false)) {
    attempt.what = "the tool failed: " + error_text(*attempt.invocation.result);
    attempt.failed = mcp::classify_text(attempt.what).value_or(FailureClass::kExecution);
  }
  return attempt;
}

// failed_of tells the retries how an attempt ended. A request that was refused by its status has
// done nothing; a lost connection may have, and so may a tool that ran and then told of a limit.
connector::CallRetries::Failed failed_of(const Attempt& attempt, bool changes_the_world) {
  connector::CallRetries::Failed failed;
  failed.category = connector::category_of(*attempt.failed);
  const auto& failure = attempt.invocation.failure;
  const bool limited = *attempt.failed == FailureClass::kRateLimit;
  const bool unrun = failure && mcp::class_by_status(*failure) == FailureClass::kRateLimit;
  failed.may_have_changed_something =
      changes_the_world &&
      (mcp::may_have_happened(*attempt.failed) || (limited && !unrun) || attempt.invocation.result);
  if (!failure) return failed;
  const std::optional<std::int64_t> asked_ms = mcp::retry_after_ms(*attempt.invocation.failure);
  if (asked_ms) failed.asked = std::chrono::milliseconds(*asked_ms);
  return failed;
}

struct Route {
  Next next = Next::kIntegrate;
  std::string reason;
};

Route route_of(const OperationsState& state, const Attempt& attempt,
               const AssistantServices& services) {
  const FailureClass kind = *attempt.failed;
  const bool changes = state.capability_validation.assessment.changes_the_world;
  if (kind == FailureClass::kAuthentication || kind == FailureClass::kAuthorization) {
    return {Next::kReview, "security: " + attempt.what};
  }
  if (changes && mcp::may_have_happened(kind)) {
    return {Next::kReview, "it is not known whether " + shown_label(*state.selected()) +
                               " took effect: " + attempt.what};
  }
  if (attempt.elsewhere && !changes && has_namesake(state, services.policy)) {
    return {Next::kTryAnother, attempt.what};
  }
  if (kind == FailureClass::kNetwork) {
    return {Next::kReview, "repeated transport errors: " + attempt.what};
  }
  const auto tried = std::ranges::count_if(state.candidate_capabilities, &Candidate::tried);
  const bool budget_left = tried + 1 < services.limits.candidates_tried_max;
  const bool another =
      another_candidate(state, services.policy) < state.candidate_capabilities.size();
  if (!changes && budget_left && another) return {Next::kTryAnother, attempt.what};
  return {Next::kIntegrate, attempt.what};
}

// settle turns the last attempt into the update of the node.
Update settle(const OperationsState& state, Attempt attempt, const AssistantServices& services) {
  Update update;
  std::vector<Candidate> candidates = state.candidate_capabilities;
  for (Candidate& candidate : candidates) {
    if (candidate.ref == state.selected_capability->ref) candidate.tried = true;
  }
  if (attempt.failed) {
    Route route = route_of(state, attempt, services);
    attempt.invocation.next = route.next;
    attempt.invocation.in_doubt = state.capability_validation.assessment.changes_the_world &&
                                  mcp::may_have_happened(*attempt.failed);
    update.errors.push_back(std::string(mcp::name_of(*attempt.failed)) + ": " +
                            shown_label(*state.selected()) + ": " + attempt.what);
    update.fallback_reason = std::move(route.reason);
  } else {
    update.fallback_reason = std::optional<std::string>();
  }
  update.candidate_capabilities = std::move(candidates);
  update.mcp_result = std::move(attempt.invocation);
  return update;
}

// A call note says that a call which changes something is about to be sent.
Json call_note(const connector::McpRequest& request) {
  Json note = Json::object();
  note["sends"] = to_json(request);
  return note;
}

// unsent makes the attempt of a call that this visit of the node does not send.
Attempt unsent(FailureClass kind, mcp::Failure::Kind failure, std::string why) {
  Attempt attempt;
  attempt.failed = kind;
  attempt.invocation.failure = mcp::Failure(failure, why);
  attempt.what = std::move(why);
  return attempt;
}

// announce notes a call before it is sent, so that it is not sent again after a crash. It returns
// why this call must not be sent.
Task<std::optional<Attempt>> announce(AssistantContext& context) {
  Json note = call_note(*context.state().mcp_request);
  if (std::ranges::find(context.notes(), note) != context.notes().end()) {
    co_return unsent(FailureClass::kNetwork, mcp::Failure::Kind::kDisconnected,
                     "the assistant was restarted when the call had begun");
  }
  const Status noted = co_await context.note(std::move(note));
  if (noted.ok()) co_return std::nullopt;
  co_return unsent(FailureClass::kExecution, mcp::Failure::Kind::kRefused,
                   "the call was not sent, for it could not be noted: " + noted.error().message);
}

// recheck holds the call that a person has approved against what it would be now, and says in
// `request` where its server was then. It returns why this call must not be sent.
Task<std::optional<Attempt>> recheck(AssistantContext& context, connector::McpRequest& request) {
  const OperationsState& state = context.state();
  const Validation& validation = state.capability_validation;
  if (!validation.approved) co_return std::nullopt;
  const connector::Discovery now = co_await context.services().mcp.discover();
  const approvals::Action action = action_of(*state.selected(), *state.mcp_request, now.manifest);
  if (action.meaning.empty()) {
    co_return unsent(FailureClass::kNetwork, mcp::Failure::Kind::kRefused,
                     "the server does not say now what the approved call is, so it was not sent");
  }
  if (digest_of(action) == validation.digest) {
    request.place = action.identity;
    co_return std::nullopt;
  }
  co_return unsent(FailureClass::kAuthorization, mcp::Failure::Kind::kRefused,
                   shown_label(*state.selected()) +
                       " is not what was approved: its server is another one now, or describes it "
                       "otherwise, so it was not called; ask again to approve it as it is");
}

}  // namespace

Task<AssistantResult> build_mcp_request(AssistantContext& context) {
  Update update;
  update.mcp_request = request_of(*context.state().selected(),
                                  context.state().capability_validation.extraction.arguments);
  co_return update;
}

Task<AssistantResult> invoke_mcp_capability(AssistantContext& context) {
  const OperationsState& state = context.state();
  AssistantServices& services = context.services();
  const bool changes = state.capability_validation.assessment.changes_the_world;
  connector::McpRequest wanted = *state.mcp_request;
  std::optional<Attempt> other = co_await recheck(context, wanted);
  if (other) co_return settle(state, std::move(*other), services);
  if (changes) {
    std::optional<Attempt> held_back = co_await announce(context);
    if (held_back) co_return settle(state, std::move(*held_back), services);
  }
  const connector::RetryStrategies* const said = services.mcp.retries(state.mcp_request->server);
  const connector::RetryStrategies strategies = said ? *said : services.limits.retries;
  connector::CallRetries tries(strategies, services.budget, services.jitter);
  for (int attempts = 1;; ++attempts) {
    connector::McpRequest request = wanted;
    connector::name_parent(request, context.traceparent());
    if (services.budget != nullptr) services.budget->sent();
    mcp::Reply<Json> reply = co_await services.mcp.invoke(std::move(request));
    Attempt attempt = judge(std::move(reply));
    attempt.invocation.attempts = attempts;
    std::optional<Duration> wait;
    if (attempt.failed) {
      const connector::CallRetries::Failed failed = failed_of(attempt, changes);
      wait = tries.failed(failed);
      const connector::Fallback left = strategies.of(failed.category).fallback;
      attempt.elsewhere = left == connector::Fallback::kAnotherAgent;
    }
    if (!wait) co_return settle(state, std::move(attempt), services);
    co_await Sleep(context.loop(), after(context.now(), *wait));
  }
}

Task<AssistantResult> integrate_result(AssistantContext& context) {
  const OperationsState& state = context.state();
  const Invocation& invocation = *state.mcp_result;
  Update update;
  update.context_update = std::optional<ContextUpdate>();
  const bool failed = !invocation.result || bool_or(*invocation.result, "isError", false);
  if (failed) {
    const bool broken =
        invocation.failure && mcp::classify(*invocation.failure) == FailureClass::kProtocol;
    if (broken) {
      update.needs_human_review = true;
      update.fallback_reason = "malformed: " + mcp::describe(*invocation.failure);
    }
    co_return update;
  }
  Result<ContextUpdate, Unreadable> read = read_result(*state.selected(), *invocation.result,
                                                       context.services().limits.context_bytes_max);
  if (read.ok()) {
    update.context_update = std::move(read).value();
  } else {
    const std::string why = std::string(name_of(read.error().kind)) + ": " +
                            shown_label(*state.selected()) + ": " + read.error().message;
    update.needs_human_review = true;
    update.fallback_reason = why;
    update.errors.push_back(why);
  }
  co_return update;
}

}  // namespace plumbline::agents
