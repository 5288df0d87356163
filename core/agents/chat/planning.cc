// How the chat agent asks its model.

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "core/agents/chat/chat_nodes.h"
#include "core/agents/chat/chat_offers.h"
#include "core/base/retry_policy.h"
#include "core/base/wait.h"
#include "core/model/context/summary.h"

namespace plumbline::agents::chat {

namespace {

using Update = ChatState::Update;

// Deltas passes on the text of an answer while it comes.
class Deltas final : public model::DeltaReader {
 public:
  explicit Deltas(const ChatContext& context) : context_(context) {}

  void on_text(std::string_view piece) override {
    begun_ = true;
    context_.message({{"delta", piece}});
  }
  void on_tool_call(const model::ToolCall& /*call*/) override { begun_ = true; }

  bool begun() const { return begun_; }

 private:
  const ChatContext& context_;
  bool begun_ = false;
};

// worth_another_try returns whether the same prompt may be answered later.
bool worth_another_try(const model::Failure& failure) {
  return failure.kind == model::FailureKind::kRateLimit ||
         failure.kind == model::FailureKind::kUnavailable;
}

// fitted returns the prompt with as much of the conversation as the model takes.
Task<std::variant<model::Prompt, model::Failure>> fitted(ChatContext& context,
                                                         model::Prompt prompt) {
  ChatServices& services = context.services();
  if (!services.window_tokens) co_return std::move(prompt);
  constexpr std::int64_t kAnswerShare = 4;  // Of the window, where nothing is said.
  const std::int64_t answer =
      services.settings.output_tokens_max.value_or(*services.window_tokens / kAnswerShare);
  const std::int64_t budget = *services.window_tokens - answer;
  std::variant<model::Trimmed, model::Failure> fits;
  if (services.summarizes) {
    model::ToolOffers tools = prompt.tools;
    model::SummaryOptions options;
    options.traceparent = context.traceparent();
    const Instant until = after(context.now(), services.limits.answer_max);
    fits = co_await model::trim_with_summary(services.model, std::move(prompt.messages),
                                             std::move(tools), budget, options, until);
  } else {
    fits = model::trim(std::move(prompt.messages), prompt.tools, budget);
  }
  if (auto* const too_long = std::get_if<model::Failure>(&fits)) co_return std::move(*too_long);
  prompt.messages = std::get<model::Trimmed>(std::move(fits)).kept;
  co_return std::move(prompt);
}

// answer asks the model, and asks again where nothing of an answer was heard.
Task<model::Completed> answer(ChatContext& context, model::ToolOffers tools) {
  ChatServices& services = context.services();
  const Instant until =
      std::min(after(context.now(), services.limits.answer_max), context.deadline());
  Retries tries({.tries_max = services.limits.tries_max});
  for (;;) {
    model::Prompt whole{context.state().messages, tools, services.settings, context.traceparent()};
    std::variant<model::Prompt, model::Failure> fits = co_await fitted(context, std::move(whole));
    if (auto* const too_long = std::get_if<model::Failure>(&fits)) co_return std::move(*too_long);
    Deltas deltas(context);
    model::Completed done =
        co_await services.model.complete(std::get<model::Prompt>(std::move(fits)), &deltas, until);
    const auto* const failure = std::get_if<model::Failure>(&done);
    if (failure == nullptr || deltas.begun() || !worth_another_try(*failure)) co_return done;
    const std::optional<Duration> wait = tries.failed(failure->retry_after);
    if (!wait || after(context.now(), *wait) >= until) co_return done;
    co_await Sleep(context.loop(), after(context.now(), *wait));
  }
}

// set_ids_right gives calls ids of their own where the model did not: a provider takes a
// conversation only so.
void set_ids_right(model::Message& said, const ChatState& state) {
  std::set<std::string> used;
  for (const model::Message& message : state.messages) {
    for (const model::ToolCall& call : message.tool_calls) used.insert(call.id);
  }
  for (model::ToolCall& call : said.tool_calls) {
    for (std::size_t next = used.size() + 1; call.id.empty() || used.contains(call.id); ++next) {
      call.id = "call_" + std::to_string(next);
    }
    used.insert(call.id);
  }
}

std::string out_of_rounds(const ChatLimits& limits) {
  return "the model still wanted to call tools after " + std::to_string(limits.rounds_max) +
         " rounds";
}

Update lead_to(const char* node) {
  Update update;
  update.next_step = std::optional<std::string>(node);
  return update;
}

Update failed(std::string why) {
  Update update = lead_to(kSynthesis);
  update.error = std::move(why);
  return update;
}

// heard is what the model's answer makes of the state.
Update heard(const ChatState& state, model::Completion completion, const ChatLimits& limits) {
  set_ids_right(completion.message, state);
  const bool wants_calls = !completion.message.tool_calls.empty();
  Update update = lead_to(wants_calls ? kToolExecution : kSynthesis);
  if (completion.finish == model::FinishReason::kLength) {
    update.errors.push_back("the model's answer was cut at its longest");
  }
  if (completion.finish == model::FinishReason::kRefusal) {
    update.errors.push_back("the model refused to answer");
  }
  completion.message.role = model::Role::kAssistant;
  update.messages.push_back(std::move(completion.message));
  update.rounds = 1;
  update.usage = completion.usage;
  const std::int64_t tokens = state.usage.input_tokens + state.usage.output_tokens +
                              completion.usage.input_tokens + completion.usage.output_tokens;
  if (wants_calls && tokens >= limits.tokens_max) {
    update.errors.push_back("the turn has used its " + std::to_string(limits.tokens_max) +
                            " tokens");
  }
  return update;
}

// spent returns why the model is not asked again; nothing while it may be.
std::optional<std::string> spent(const ChatState& state, const ChatLimits& limits) {
  if (state.rounds >= limits.rounds_max) return out_of_rounds(limits);
  if (state.usage.input_tokens + state.usage.output_tokens >= limits.tokens_max) return "";
  return std::nullopt;
}

}  // namespace

Task<ChatResult> input_node(ChatContext& context) {
  Update update;
  update.system = context.services().instructions;
  update.messages.push_back(context.state().input);
  if (ServerDirectory* const directory = context.services().directory) {
    Result<std::vector<ServerLink>> links = co_await directory->links();
    if (links.ok()) {
      update.mcp_links = std::move(links).value();
    } else {
      update.errors.push_back("the links to servers cannot be read: " + links.error().message);
    }
  }
  co_return update;
}

Task<ChatResult> planning_node(ChatContext& context) {
  const ChatState& state = context.state();
  ChatServices& services = context.services();
  if (!state.open_calls().empty()) co_return lead_to(kToolExecution);
  if (std::optional<std::string> why = spent(state, services.limits)) {
    Update update = lead_to(kSynthesis);
    if (!why->empty()) update.errors.push_back(*std::move(why));
    co_return update;
  }
  connector::Discovery found = co_await services.mcp.discover();
  Offered offered = offer_tools(std::exchange(found.manifest, {}), services);
  std::vector<model::ToolOffer> tools = std::move(offered.tools);
  model::ToolOffers shared = services.shelf != nullptr ? services.shelf->share(std::move(tools))
                                                       : model::ToolOffers(std::move(tools));
  model::Completed done = co_await answer(context, std::move(shared));
  if (const auto* const failure = std::get_if<model::Failure>(&done)) {
    co_return failed(failure->message);
  }
  Update update = heard(state, std::get<model::Completion>(std::move(done)), services.limits);
  update.offers = std::move(offered.offers);
  for (const connector::DiscoveryProblem& problem : found.problems) {
    std::string line = std::string(mcp::name_of(problem.kind)) + ": " + problem.message;
    const bool known = std::ranges::find(state.errors, line) != state.errors.end();
    if (!known) update.errors.push_back(std::move(line));
  }
  co_return update;
}

}  // namespace plumbline::agents::chat
