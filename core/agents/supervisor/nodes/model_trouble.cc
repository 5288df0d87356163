#include "core/agents/supervisor/nodes/model_trouble.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "core/agents/supervisor/models/token_budget.h"
#include "core/agents/supervisor/words/plain_text.h"

namespace plumbline::agents::supervisor {

namespace {

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

std::string quoted(const std::string& name) { return "\"" + name + "\""; }

// about_failure says what has come from whom: "openai answered 429 for the model ...: too many".
std::string about_failure(const model::Failure& failure, const SupervisorServices& services,
                          const std::string& name) {
  const auto info = services.models.about(name);
  const std::string who = info && !info->provider.empty() ? info->provider : "its provider";
  std::string out = "The model " + quoted(name) + " could not answer: ";
  if (failure.status != 0) out += who + " returned " + std::to_string(failure.status) + ", ";
  return with_full_stop(out + failure.message);
}

std::string advice_for(const model::Failure& failure, const SupervisorServices& services,
                       const std::string& name) {
  switch (failure.kind) {
    case model::FailureKind::kAuthentication: {
      const std::string key = services.models.key_of(name);
      return key.empty() ? "Check the key of the provider."
                         : "Check the key in " + key + ", or name another model.";
    }
    case model::FailureKind::kRateLimit: {
      if (!failure.retry_after) return "Ask again later, or name another model.";
      const auto wait = std::chrono::ceil<std::chrono::seconds>(*failure.retry_after);
      return "Ask again in " + std::to_string(wait.count()) + " s, or name another model.";
    }
    case model::FailureKind::kTooLong:
      return "Name fewer files, or a model with a larger window.";
    case model::FailureKind::kInvalidRequest:
      return "Change what the provider objects to, or name another model.";
    default:
      return "Ask again, or name another model.";
  }
}

}  // namespace

Json to_json(const Trouble& trouble) {
  return {{"code", trouble.code}, {"message", trouble.message}, {"do", trouble.advice}};
}

std::optional<Trouble> model_trouble(const SupervisorServices& services, const std::string& name) {
  if (name.empty()) {
    return Trouble{"no_model", "No model can be asked: none is configured.",
                   "Start the server with --models FILE or --model-script FILE, or set "
                   "OPENAI_API_KEY. Workflows that you make the steps of go on without a model."};
  }
  const std::string missing = services.models.missing(name);
  if (!missing.empty()) {
    return Trouble{"no_key", "The model " + quoted(name) + " cannot be asked: " + missing + ".",
                   "Set it and start the server again. Workflows that you make the steps of go on "
                   "without a model."};
  }
  if (services.models.find(name) != nullptr) return std::nullopt;
  return Trouble{"unknown_model", "There is no model " + quoted(name) + ".",
                 "There are " + listed(services.models.names()) +
                     ". Without \"model\" the server chooses one."};
}

Trouble trouble_of(const model::Failure& failure, const SupervisorServices& services,
                   const std::string& name, bool late) {
  if (late && failure.kind == model::FailureKind::kUnavailable) {
    const auto patience =
        std::chrono::duration_cast<std::chrono::seconds>(services.limits.answer_max);
    return {"too_slow",
            "The model " + quoted(name) + " did not answer within " +
                std::to_string(patience.count()) + " s.",
            "Give it more time with --answer-max, or name another model."};
  }
  const bool long_one = failure.kind == model::FailureKind::kTooLong;
  return {long_one ? "too_long" : "provider", about_failure(failure, services, name),
          advice_for(failure, services, name)};
}

Trouble too_long(const SupervisorServices& services, const std::string& name, std::int64_t tokens,
                 std::int64_t budget) {
  std::vector<std::string> larger;
  for (const std::string& other : services.models.names()) {
    const bool takes = budget_of(services.models.about(other)) >= tokens;
    if (takes && other != name && services.models.missing(other).empty()) larger.push_back(other);
  }
  return {
      "too_long",
      "What is asked has about " + std::to_string(tokens) + " tokens, and the model " +
          quoted(name) + " can be sent " + std::to_string(budget) + ".",
      larger.empty() ? "Ask for less at a time." : "Models that take it: " + listed(larger) + "."};
}

}  // namespace plumbline::agents::supervisor
