// How ClientEngine opens a conversation, and how it goes on with a call that needs input.

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/mcp/client/client_engine.h"

namespace plumbline::mcp {

namespace {

using Kind = Failure::Kind;
using rpc::InFlight;

}  // namespace

std::int64_t ClientEngine::open(Instant now, Instant deadline) {
  check(stage_ == Stage::kNew, "open() twice");
  stage_ = Stage::kOpening;
  opening_deadline_ = deadline;
  start_opening(now);
  opening_id_ = opening_wire_;
  return opening_id_;
}

// start_opening tries revision_. A server that knows only initialize may say nothing to a probe.
void ClientEngine::start_opening(Instant now) {
  Instant deadline = opening_deadline_;
  if (is_stateless(revision_) && newest_stateful(options_)) {
    deadline = std::min(deadline, after(now, options_.probe_timeout));
  }
  ClientOpening opening = opening_of(options_, revision_);
  opening_wire_ = start(std::move(opening.method), std::move(opening.params), now, deadline);
}

// reopen starts the next request of the opening. It is told of before it is sent.
void ClientEngine::reopen(InFlight::Entry&& entry, Reply<Json>&& reply, Instant now) {
  const std::size_t before = actions_.size();
  start_opening(now);
  const std::string& next_method = in_flight_.find(opening_wire_)->method;
  Reopened reopened{entry.id, std::move(entry.method), std::move(reply), opening_wire_,
                    next_method};
  actions_.insert(actions_.begin() + static_cast<std::ptrdiff_t>(before), std::move(reopened));
}

void ClientEngine::finish_opening(InFlight::Entry&& entry, Reply<Json>&& answer, Instant now) {
  OpeningVerdict verdict = is_stateless(revision_)
                               ? judge_discover(options_, revision_, second_discover_, answer)
                               : judge_initialize(options_, revision_, answer);
  if (verdict.kind == OpeningVerdict::Kind::kTryAgain && now < opening_deadline_) {
    second_discover_ = is_stateless(verdict.revision);
    revision_ = verdict.revision;
    return reopen(std::move(entry), std::move(answer), now);
  }
  if (verdict.kind == OpeningVerdict::Kind::kTryAgain) {
    verdict.why = Failure(Kind::kTimeout, entry.method + " took all the time there was");
  }
  if (verdict.kind != OpeningVerdict::Kind::kOpen) {
    std::string reason = verdict.why.message;
    if (!answer.ok() && verdict.why.kind == Kind::kRpc) {
      reason = "the server refused " + entry.method;
    }
    if (verdict.why.kind == Kind::kTimeout) reason = entry.method + " was not answered in time";
    if (verdict.why.kind == Kind::kInvalidReply) violation(reason);
    end(std::move(entry), std::move(verdict.why));
    return close(std::move(reason));
  }
  server_ = std::move(verdict.server);
  revision_ = server_->revision;
  stage_ = Stage::kOpen;
  if (is_stateless(revision_)) {
    meta_ = request_meta(options_, revision_);
  } else {
    send(rpc::encode(rpc::Notification{"notifications/initialized", nullptr}));
  }
  end(std::move(entry), Json());
}

// need_input judges an InputRequiredResult. What it asks for must be declared.
void ClientEngine::need_input(InFlight::Entry entry, const Json& result, Instant now) {
  const auto broken = [&](std::string why) {
    why = entry.method + ": " + std::move(why);
    violation(why);
    end(std::move(entry), Failure(Kind::kInvalidReply, std::move(why)));
  };
  const Json* const requests = find(result, "inputRequests");
  const Json* const state = find(result, "requestState");
  if (requests == nullptr && state == nullptr) return broken("input_required asks for nothing");
  if (requests != nullptr && !requests->is_object()) return broken("inputRequests is no object");
  if (state != nullptr && !state->is_string()) return broken("requestState is no string");
  const Json nothing = Json::object();
  for (const auto& [name, request] : (requests ? *requests : nothing).items()) {
    const Json* const params = find(request, "params");
    const std::string method = string_or(request, "method", "");
    if (const auto no = refuses(method, params ? *params : nothing)) {
      return broken(no->message);
    }
  }
  if (rounds_.find_sent(entry.id)->count > options_.input_rounds_max) {
    return broken("asks for input more than " + std::to_string(options_.input_rounds_max) +
                  " times");
  }
  const std::int64_t id =
      rounds_.wait(entry.id, entry.deadline, find_string(result, "requestState"));
  if (requests == nullptr || requests->empty()) return provide(id, nullptr, now);
  actions_.emplace_back(InputNeeded{id, *requests});
}

void ClientEngine::provide(std::int64_t id, Json responses, Instant now) {
  std::optional<InputRounds::Round> round = rounds_.take_waiting(id);
  if (!round) return;
  Json params = round->params;
  if (!responses.is_null()) params["inputResponses"] = std::move(responses);
  if (round->state) params["requestState"] = *round->state;
  // Whoever called knows the call, and so its progress, by the first id.
  if (options_.ask_for_progress && round->method == "tools/call") {
    Json& meta = params["_meta"];
    if (find(meta, "progressToken") == nullptr) meta["progressToken"] = id;
  }
  ++round->count;
  const std::int64_t wire = start(round->method, std::move(params), now, round->deadline);
  rounds_.send(wire, *std::move(round));
}

void ClientEngine::give_up_input(std::int64_t id, Failure why) {
  std::optional<InputRounds::Round> round = rounds_.take_waiting(id);
  if (round) actions_.emplace_back(Ended{id, std::move(round->method), std::move(why)});
}

}  // namespace plumbline::mcp
