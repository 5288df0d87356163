// How the chat agent makes one call that its model wants.

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/agents/approvals/approval.h"
#include "core/agents/chat/chat_nodes.h"
#include "core/agents/chat/chat_result.h"
#include "core/agents/chat/directory_tools.h"
#include "core/agents/chat/sampling.h"
#include "core/agents/policy/sensitive.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/connector/traced_client.h"
#include "core/mcp/protocol/failure.h"

namespace plumbline::agents::chat {

namespace {

using Update = ChatState::Update;
using model::Message;

constexpr std::size_t kNamedMax = 20;
constexpr std::size_t kIdLetters = 12;

// WantedCall is a call of the model, understood.
struct WantedCall {
  std::string id;
  Offer offer;
  Json arguments;
  std::string place{};                 // Where a person has approved it; empty: nobody had to.
  Json linked = nullptr;               // The server that it links, as it was approved.
  std::vector<std::string> may_ask{};  // What its server may ask the model, by digest.
};

std::string names_offered(const ChatState& state) {
  std::string names;
  for (std::size_t i = 0; i < std::min(state.offers.size(), kNamedMax); ++i) {
    names += (i == 0 ? "" : ", ") + state.offers[i].name;
  }
  if (state.offers.size() > kNamedMax) names += " and others";
  return names.empty() ? "there are none" : "there are " + names;
}

// stands_at returns where in its message the model wants the call.
std::size_t stands_at(const ChatState& state, const model::ToolCall& call) {
  for (auto message = state.messages.rbegin(); message != state.messages.rend(); ++message) {
    if (message->role != model::Role::kAssistant) continue;
    const auto found = std::ranges::find(message->tool_calls, call.id, &model::ToolCall::id);
    return static_cast<std::size_t>(found - message->tool_calls.begin());
  }
  return 0;
}

// understand returns the call, or what the model is told of one that cannot be made.
Result<WantedCall, Message> understand(const ChatState& state, const model::ToolCall& call,
                                       const ChatLimits& limits) {
  const auto no = [&call](std::string why) { return answer_to(call.id, std::move(why), true); };
  if (stands_at(state, call) >= limits.calls_round_max) {
    return no("not called: at most " + std::to_string(limits.calls_round_max) +
              " calls are made at a time");
  }
  const Offer* const offer = state.offer(call.name);
  if (offer == nullptr) {
    return no("there is no tool \"" + clipped(call.name, 100) + "\"; " + names_offered(state));
  }
  Result<Json> arguments = parse_json(call.arguments.empty() ? "{}" : call.arguments);
  if (!arguments.ok()) return no("the arguments are no JSON: " + arguments.error().message);
  if (!arguments.value().is_object()) {
    return no("the arguments are " + std::string(type_name(arguments.value())) +
              ", expected an object");
  }
  WantedCall wanted{call.id, *offer, std::move(arguments).value()};
  if (asks_for_secrets(state, call)) add_once(wanted.offer.assessment.risks, Risk::kSensitiveData);
  return wanted;
}

// ToApprove is a call as a person approves it, and what is said beside it.
struct ToApprove {
  approvals::Action action;
  std::string about{};
  Json linked = nullptr;  // The server that it links, as the directory has it.
};

// link_to_approve is a call of ours: a server that is to be linked is the one that the directory
// has of that id now.
Task<Result<ToApprove>> link_to_approve(ChatContext& context, ToApprove out) {
  std::string id = server_to_link(out.action.name, out.action.arguments);
  if (!id.empty()) {
    Result<Json> found = co_await server_of(*context.services().directory, std::move(id));
    if (!found.ok()) co_return found.error();
    out.linked = std::move(found).value();
    out.about = dump_json(out.linked);
    out.action.place = string_or(out.linked, "url", "");
  }
  Sha256 hash;
  hash.update(out.about);
  out.action.meaning = hash.finish_hex();
  co_return out;
}

// to_approve returns the call as it would be made now: its tool as the server describes it now, and
// where that is.
Task<Result<ToApprove>> to_approve(ChatContext& context, WantedCall wanted) {
  ToApprove out;
  out.action.type = "tool";
  out.action.server = wanted.offer.server;
  out.action.name = wanted.offer.tool;
  out.action.arguments = std::move(wanted.arguments);
  if (wanted.offer.server.empty()) co_return co_await link_to_approve(context, std::move(out));
  std::unique_ptr<Turns>& looks = context.services().looks;
  if (looks == nullptr) looks = std::make_unique<Turns>(context.loop());
  const Turns::Turn mine = co_await looks->take();
  const connector::Discovery now = co_await context.services().mcp.discover();
  out.action.meaning = approvals::meaning_of(now.manifest, out.action.server,
                                             connector::CapabilityType::kTool, out.action.name);
  place_in(now.manifest, out.action);
  co_return out;
}

// place_of begins the id of a question. That of the call keeps one from standing for the next.
std::string place_of(std::string_view kind, const std::string& call) {
  Sha256 hash;
  hash.update(call);
  return std::string(kind) + "-" + hash.finish_hex().substr(0, kIdLetters);
}

// review_of is what a person is asked.
Json review_of(const WantedCall& wanted, const ToApprove& call, const approvals::Judged& judged) {
  approvals::Asked asked;
  asked.place = place_of("call", wanted.id);
  asked.reason = (judged.why.empty() ? "" : judged.why + "; ") + reason_of(wanted.offer.assessment);
  for (const Risk risk : wanted.offer.assessment.risks) asked.risks.emplace_back(name_of(risk));
  asked.about = call.about;
  return question_about(call.action, asked);
}

std::string refusal(const Json& answer) {
  const std::string reason = string_or(answer, "reason", "");
  return "not called: a person refused" + (reason.empty() ? "" : ": " + reason);
}

// Called is a call that is over: what the model is told, and whether nobody knows what it did. Or
// it failed for what its server asked the model, and nobody had approved.
struct Called {
  Message answer;
  bool in_doubt = false;
  model::Usage usage{};  // Of what the server asked.
  std::optional<Sampling> asks{};
};

// announce notes a call that changes something before it is made, so that it is not made again
// after a crash. It returns what is said of one that must not be made.
Task<std::optional<Called>> announce(ChatContext& context, std::string id) {
  if (!context.notes().empty()) {
    co_return Called{answer_to(std::move(id),
                               "not called again: it is not known whether the first call took "
                               "effect, for the assistant was restarted when it had begun",
                               true),
                     true};
  }
  Json note = {{"calls", id}};
  const Status noted = co_await context.note(std::move(note));
  if (noted.ok()) co_return std::nullopt;
  co_return Called{answer_to(std::move(id),
                             "not called: it could not be noted: " + noted.error().message, true)};
}

// listen lets the server of a call ask the model what was approved, as long as `visit` is there.
void listen(ChatContext& context, const WantedCall& wanted,
            std::optional<SampleDesk::Visit>& visit) {
  ChatServices& services = context.services();
  if (services.samples == nullptr) return;
  SampleDesk::Visit::Call call;
  call.server = wanted.offer.server;
  call.tool = wanted.offer.tool;
  call.approved = wanted.may_ask;
  call.until = std::min(after(context.now(), services.limits.answer_max), context.deadline());
  call.traceparent = context.traceparent();
  visit.emplace(*services.samples, context.loop(), services, std::move(call));
}

// asked_in_vain returns what the server of a call that has failed asked the model, if that may have
// been why.
std::optional<Sampling> asked_in_vain(const WantedCall& wanted,
                                      const std::optional<SampleDesk::Visit>& visit) {
  const Json* const asked = visit ? visit->turned_down() : nullptr;
  if (asked == nullptr || wanted.may_ask.size() >= kQuestionsCallMax) return std::nullopt;
  return Sampling{wanted.id, *asked};
}

Task<Called> call_server(ChatContext& context, WantedCall wanted) {
  connector::McpRequest request;
  request.server = wanted.offer.server;
  request.method = "tools/call";
  request.as_task = wanted.offer.as_task;
  request.place = wanted.place;
  request.params = {{"name", wanted.offer.tool}, {"arguments", std::move(wanted.arguments)}};
  connector::name_parent(request, context.traceparent());
  std::optional<SampleDesk::Visit> visit;
  listen(context, wanted, visit);
  const mcp::Reply<Json> reply = co_await context.services().mcp.invoke(std::move(request));
  Called called;
  if (reply.ok()) {
    called.answer = answer_of(wanted.id, reply.value(), context.services().limits);
  } else {
    called.answer = answer_to(wanted.id, mcp::describe(reply.error()), true);
    called.in_doubt = wanted.offer.assessment.changes_the_world &&
                      mcp::may_have_happened(mcp::classify(reply.error()));
  }
  if (visit) called.usage = visit->usage();
  if (called.in_doubt) {
    called.answer.text += "; it is not known whether it took effect: do not call it again";
  } else if (called.answer.is_error) {
    called.asks = asked_in_vain(wanted, visit);
  }
  co_return called;
}

Task<Called> call_directory(ChatContext& context, WantedCall wanted) {
  const Result<Json> result =
      co_await run_directory_tool(*context.services().directory, std::move(wanted.offer.tool),
                                  std::move(wanted.arguments), std::move(wanted.linked));
  co_return Called{result.ok() ? answer_to(wanted.id, dump_json(result.value()))
                               : answer_to(wanted.id, result.error().message, true)};
}

Update told(Message answer) {
  Update update;
  update.messages.push_back(std::move(answer));
  return update;
}

// over is what a call that was made, or may have been, makes of the state.
Update over(const Offer& offer, Called called) {
  Update update;
  update.usage = called.usage;
  if (called.asks) {
    update.samplings.push_back(*std::move(called.asks));
    return update;
  }
  update.messages.push_back(std::move(called.answer));
  if (!called.in_doubt) return update;
  const std::string label = offer.server.empty() ? offer.tool : offer.server + "/" + offer.tool;
  update.errors.push_back("it is not known whether " + label + " took effect");
  update.in_doubt.push_back(label);
  return update;
}

// carry_out makes the call, and tells those who watch.
Task<ChatResult> carry_out(ChatContext& context, WantedCall wanted) {
  const Offer offer = wanted.offer;
  const bool again = !wanted.may_ask.empty();
  if (!again) {
    context.write({{"tool", "started"},
                   {"id", wanted.id},
                   {"name", offer.tool},
                   {"server", offer.server},
                   {"arguments", wanted.arguments}});
  }
  Task<Called> calling = offer.server.empty() ? call_directory(context, std::move(wanted))
                                              : call_server(context, std::move(wanted));
  Called called = co_await calling;
  if (!called.asks) {
    context.write({{"tool", "ended"},
                   {"id", called.answer.tool_call_id},
                   {"name", offer.tool},
                   {"isError", called.answer.is_error}});
  }
  Update update = over(offer, std::move(called));
  const bool changes_links = offer.server.empty() && offer.assessment.changes_the_world;
  if (changes_links) {
    Result<std::vector<ServerLink>> links = co_await context.services().directory->links();
    if (links.ok()) update.mcp_links = std::move(links).value();
  }
  co_return update;
}

// before_asking returns what there is instead of a call whose server has asked the model: a
// question to a person, or what the model is told when he refuses. Nothing: all that it asked may
// be answered, by the server where it is now.
Task<std::optional<ChatResult>> before_asking(ChatContext& context, WantedCall& wanted) {
  WantedCall copy = wanted;
  Result<ToApprove> now = co_await to_approve(context, std::move(copy));
  if (!now.ok()) {
    co_return told(answer_to(wanted.id, "not called: " + now.error().message, true));
  }
  approvals::Action action;
  for (const Sampling* const one : context.state().samplings_of(wanted.id)) {
    action = sample_action(wanted.offer.server, wanted.offer.tool, one->params);
    wanted.may_ask.push_back(digest_of(action));
  }
  action.place = now.value().action.place;
  action.meaning = now.value().action.meaning;
  wanted.place = action.identity = now.value().action.identity;
  const approvals::Judged judged = judge(action, context.answer());
  if (judged.standing == approvals::Standing::kApproved) co_return std::nullopt;
  if (judged.standing == approvals::Standing::kRefused) {
    co_return told(answer_to(
        wanted.id, "its server asked you a question of its own; " + refusal(*context.answer()),
        true));
  }
  approvals::Asked question;
  question.place = place_of("model", wanted.id);
  question.reason =
      (judged.why.empty() ? "" : judged.why + "; ") + action.server +
      " asks the model this and gets its answer, and nothing else of the chat; then " +
      action.name + " is called again";
  co_return graph::Interrupt{question_about(action, question)};
}

}  // namespace

bool asks_for_secrets(const ChatState& state, const model::ToolCall& call) {
  const Offer* const offer = state.offer(call.name);
  if (offer == nullptr || offer->server.empty() || offer->assessment.allowed_by_name) return false;
  const std::string& asked = state.input.text;
  if (speaks_of_sensitive_data(asked, SensitiveIn::kRequest) || names_secret_file(asked))
    return true;
  const Result<Json> arguments = parse_json(call.arguments);
  return arguments.ok() && asks_for_sensitive_data(arguments.value());
}

Task<ChatResult> tool_execution_node(ChatContext& context) {
  const std::string id = string_or(*context.input(), "call", "");
  const std::vector<const model::ToolCall*> open = context.state().open_calls();
  const auto call = std::ranges::find(open, id, &model::ToolCall::id);
  if (call == open.end()) co_return Update();
  Result<WantedCall, Message> understood =
      understand(context.state(), **call, context.services().limits);
  if (!understood.ok()) co_return told(std::move(understood).error());
  WantedCall wanted = std::move(understood).value();
  const Assessment& assessment = wanted.offer.assessment;
  if (!context.state().samplings_of(id).empty()) {
    std::optional<ChatResult> instead = co_await before_asking(context, wanted);
    if (instead) co_return *std::move(instead);
  } else if (!assessment.allowed()) {
    WantedCall copy = wanted;
    Result<ToApprove> now = co_await to_approve(context, std::move(copy));
    if (!now.ok()) co_return told(answer_to(wanted.id, "not called: " + now.error().message, true));
    const approvals::Judged judged = judge(now.value().action, context.answer());
    if (judged.standing == approvals::Standing::kOpen) {
      co_return graph::Interrupt{review_of(wanted, now.value(), judged)};
    }
    if (judged.standing == approvals::Standing::kRefused) {
      co_return told(answer_to(wanted.id, refusal(*context.answer()), true));
    }
    wanted.place = now.value().action.identity;
    wanted.linked = std::move(now.value().linked);
  }
  if (assessment.changes_the_world) {
    std::optional<Called> held_back = co_await announce(context, wanted.id);
    if (held_back) co_return over(wanted.offer, *std::move(held_back));
  }
  Task<ChatResult> calling = carry_out(context, std::move(wanted));
  co_return co_await calling;
}

}  // namespace plumbline::agents::chat
