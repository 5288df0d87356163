#include "core/agents/supervisor/nodes/model_question.h"

#include <utility>
#include <variant>

#include "core/agents/supervisor/files/images.h"
#include "core/agents/supervisor/models/token_budget.h"
#include "core/agents/supervisor/words/plain_text.h"
#include "core/base/retry_policy.h"
#include "core/base/wait.h"

namespace plumbline::agents::supervisor {

namespace {

// add_images puts the images of the request into its last message, where `name` takes any.
void add_images(const SupervisorState& state, SupervisorServices& services, const std::string& name,
                model::Prompt& prompt) {
  const std::optional<model::ModelInfo> info = services.models.about(name);
  if (!info || !info->images) return;
  for (const std::string& image : state.sources.images) {
    Result<model::Media> read = read_image(image, services);
    if (read.ok()) prompt.messages.back().media.push_back(std::move(read).value());
  }
}

bool may_be_answered_later(const model::Failure& failure) {
  return failure.kind == model::FailureKind::kRateLimit ||
         failure.kind == model::FailureKind::kUnavailable;
}

// says_nothing returns whether an answer has no word.
bool says_nothing(const model::Completed& done) {
  const auto* const completion = std::get_if<model::Completion>(&done);
  return completion != nullptr && stripped(completion->message.text).empty() &&
         completion->finish != model::FinishReason::kRefusal;
}

// asked_until asks until there is an answer, or none can be had. `calls` counts.
Task<model::Completed> asked_until(SupervisorContext& context, model::Model& model,
                                   model::Prompt prompt, Instant until, std::int64_t& calls) {
  Retries tries({.tries_max = context.services().limits.tries_max});
  bool was_empty = false;
  for (;;) {
    ++calls;
    model::Prompt copy = prompt;
    model::Completed done = co_await model.complete(std::move(copy), nullptr, until);
    if (says_nothing(done) && !was_empty) {
      was_empty = true;
      continue;
    }
    const auto* const failure = std::get_if<model::Failure>(&done);
    if (failure == nullptr || !may_be_answered_later(*failure)) co_return done;
    const std::optional<Duration> wait = tries.failed(failure->retry_after);
    if (!wait || after(context.now(), *wait) >= until) co_return done;
    co_await Sleep(context.loop(), after(context.now(), *wait));
  }
}

// tell says to whoever watches what is asked now.
void tell(const SupervisorState& state, const SupervisorServices& services, const std::string& name,
          const BuiltPrompt& built) {
  if (!services.progress) return;
  std::string line;
  if (state.workflow.workflow_step > 0) {
    line = "step " + std::to_string(state.workflow.workflow_step) + ": ";
  }
  line += "asking " + name + ", about " + std::to_string(built.tokens) + " tokens";
  const std::size_t files = state.sources.file_content_cache.size();
  if (files > 0) line += ", " + std::to_string(files) + (files == 1 ? " file" : " files");
  services.progress(line);
}

// take_answer turns what has come into `said`.
void take_answer(model::Completed done, const SupervisorServices& services, bool late, Said& said) {
  if (const auto* const failure = std::get_if<model::Failure>(&done)) {
    said.trouble = trouble_of(*failure, services, said.model, late);
    return;
  }
  auto& completion = std::get<model::Completion>(done);
  said.text = std::move(completion.message.text);
  said.usage = completion.usage;
  const std::optional<model::ModelInfo> info = services.models.about(said.model);
  if (info) said.cost_micros = model::cost_micros(completion.usage, info->price);
  if (completion.finish == model::FinishReason::kRefusal) {
    said.trouble = Trouble{"refused", "The model \"" + said.model + "\" refused to answer.",
                           "Ask in other words, or name another model."};
  } else if (stripped(said.text).empty()) {
    said.trouble = Trouble{"empty", "The model \"" + said.model + "\" said nothing, twice.",
                           "Name another model."};
  } else if (completion.finish == model::FinishReason::kLength) {
    said.left_out.push_back("The answer of " + said.model +
                            " was cut off: it is longer than the model may answer.");
  }
}

}  // namespace

Task<Said> ask_model(SupervisorContext& context, std::string name, Question question) {
  SupervisorServices& services = context.services();
  Said said;
  said.model = name;
  said.trouble = model_trouble(services, name);
  if (said.trouble) co_return said;
  model::Model* const model = services.models.find(name);
  std::int64_t budget = budget_of(services.models.about(name));
  const Instant until =
      std::min(after(context.now(), services.limits.answer_max), context.deadline());
  constexpr int kPromptsMax = 2;  // One the model finds too long is made once more, and shorter.
  for (int tried = 1;; ++tried) {
    BuiltPrompt built = build_prompt(context.state(), question, budget);
    if (built.too_long) {
      said.trouble = too_long(services, name, built.tokens, budget);
      co_return said;
    }
    // Only a model that is known to reason is told to by us alone.
    const std::optional<model::ModelInfo> info = services.models.about(name);
    const bool told = context.state().model.thinking_mode.has_value();
    if (!told && (!info || !info->reasoning)) built.prompt.settings.thinks = false;
    tell(context.state(), services, name, built);
    said.left_out = std::move(built.left_out);
    add_images(context.state(), services, name, built.prompt);
    built.prompt.traceparent = context.traceparent();
    model::Prompt prompt = std::move(built.prompt);
    model::Completed done =
        co_await asked_until(context, *model, std::move(prompt), until, said.calls);
    const auto* const failure = std::get_if<model::Failure>(&done);
    const bool shorter = failure != nullptr && failure->kind == model::FailureKind::kTooLong;
    if (shorter && tried < kPromptsMax) {
      budget = std::min(budget, built.tokens) * 7 / 10;
      continue;
    }
    take_answer(std::move(done), services, context.now() >= until, said);
    co_return said;
  }
}

Json usage_json(const Said& said) {
  return {{"input_tokens", said.usage.input_tokens},
          {"output_tokens", said.usage.output_tokens},
          {"calls", said.calls},
          {"estimated", said.usage.estimated},
          {"cost_micros", said.cost_micros}};
}

void add_usage(Json& usage, const Json& more) {
  if (!usage.is_object()) usage = Json::object();
  for (const char* const name : {"input_tokens", "output_tokens", "calls", "cost_micros"}) {
    usage[name] = int_or(usage, name, 0) + int_or(more, name, 0);
  }
  usage["estimated"] = bool_or(usage, "estimated", false) || bool_or(more, "estimated", false);
}

void note_said(const SupervisorState& state, const Said& said, SupervisorState::Update& update) {
  TokenBudget& tokens = update.tokens ? *update.tokens : update.tokens.emplace(state.tokens);
  add_usage(tokens.usage, usage_json(said));
  Answered& answer = update.answer ? *update.answer : update.answer.emplace(state.answer);
  if (!said.model.empty()) answer.response_metadata["model"] = said.model;
  for (const std::string& line : said.left_out) {
    answer.response_metadata["left_out"].push_back(line);
  }
}

void failed_by(const SupervisorState& state, const Trouble& trouble,
               SupervisorState::Update& update) {
  Answered& answer = update.answer ? *update.answer : update.answer.emplace(state.answer);
  answer.status = Progressing::kError;
  answer.error_message = trouble.message + (trouble.advice.empty() ? "" : " " + trouble.advice);
  if (answer.response_content.empty()) answer.response_content = *answer.error_message;
  answer.response_metadata["error"] = to_json(trouble);
}

}  // namespace plumbline::agents::supervisor
