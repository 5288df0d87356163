#include <algorithm>
#include <utility>

#include "core/agents/operations/advice/advice.h"
#include "core/agents/operations/approved_call.h"
#include "core/agents/operations/arguments/spelled_out.h"
#include "core/agents/operations/judged_call.h"
#include "core/agents/operations/operations_nodes.h"
#include "core/agents/operations/selection.h"
#include "core/agents/policy/actions.h"
#include "core/agents/policy/words.h"
#include "core/base/words/joined_by.h"

namespace plumbline::agents {

namespace {

using Update = OperationsState::Update;

bool is_security(mcp::FailureClass kind) {
  return kind == mcp::FailureClass::kAuthentication || kind == mcp::FailureClass::kAuthorization;
}

std::string error_of(const connector::DiscoveryProblem& problem) {
  const std::string lead = is_security(problem.kind) ? "security: " : "discovery: ";
  return lead + "server \"" + problem.server + "\": " + problem.message;
}

// causes_of tells each kind of problem once, with the servers that have it and what the first of
// them said.
std::string causes_of(const std::vector<connector::DiscoveryProblem>& problems) {
  if (problems.size() == 1) return problems.front().message;
  std::vector<mcp::FailureClass> told;
  std::string out;
  for (const connector::DiscoveryProblem& first : problems) {
    if (std::ranges::find(told, first.kind) != told.end()) continue;
    told.push_back(first.kind);
    std::vector<std::string> servers;
    for (const connector::DiscoveryProblem& problem : problems) {
      const bool known = std::ranges::find(servers, problem.server) != servers.end();
      if (problem.kind == first.kind && !known) servers.push_back(problem.server);
    }
    out += (out.empty() ? "" : "; ") + std::string(mcp::name_of(first.kind)) + " (" +
           joined_by(", ", servers) + "): " + first.message;
  }
  return out;
}

// nothing_found says why the manifest is empty.
std::string nothing_found(const connector::Discovery& discovery) {
  if (!discovery.problems.empty()) {
    return "no server could be used: " + causes_of(discovery.problems);
  }
  if (discovery.manifest.servers.empty()) return "no MCP server is configured";
  return "the configured servers offer no capability";
}

// choice_of_intent leaves out that nothing is needed where the words ask for something: the
// assistant has no knowledge of its own to answer by.
Choice choice_of_intent(const OperationsState& state, Intent by_words) {
  Choice choice;
  choice.question = "What kind of help does the request ask for?";
  choice.request = state.input;
  choice.options = {
      {std::string(name_of(Intent::kReadResource)), "to read something that a server keeps"},
      {std::string(name_of(Intent::kExecuteTool)), "to have a server look something up or do it"},
      {std::string(name_of(Intent::kUsePrompt)), "to use a prompt that a server has by that name"},
      {std::string(name_of(Intent::kAnswerWithoutMcp)), "nothing that needs a server"}};
  if (by_words != Intent::kAnswerWithoutMcp) choice.options.pop_back();
  return choice;
}

// Choosing is what a model is asked: which of `candidates`, or none of them.
struct Choosing {
  Choice choice;
  std::vector<Candidate> candidates;
};

// add_others adds all tools that are no candidates by the request's words.
void add_others(const connector::Manifest& manifest, std::vector<Candidate>& candidates) {
  for (std::size_t s = 0; s < manifest.servers.size(); ++s) {
    const std::vector<connector::Capability>& all = manifest.servers[s].capabilities;
    for (std::size_t c = 0; c < all.size(); ++c) {
      const connector::CapabilityRef ref{s, c};
      const bool tool = all[c].type == connector::CapabilityType::kTool;
      const bool known = std::ranges::find(candidates, ref, &Candidate::ref) != candidates.end();
      if (tool && !known) candidates.push_back({ref, 0});
    }
  }
}

Choosing choosing_of(const OperationsState& state, std::vector<Candidate> candidates) {
  Choosing out;
  out.choice.question = "Which of these serves the request best?";
  out.choice.request = state.input;
  add_others(state.capability_manifest, candidates);
  if (candidates.size() >= kChoicesMax) candidates.resize(kChoicesMax - 1);
  for (const Candidate& candidate : candidates) {
    const connector::Capability& capability = at(state.capability_manifest, candidate.ref);
    out.choice.options.push_back({label(capability), capability.description});
  }
  out.choice.options.push_back({"none", "none of these does what the request asks for"});
  out.candidates = std::move(candidates);
  return out;
}

// advice returns what the model says to this; nothing where there is no model.
Task<std::optional<std::size_t>> advice(AssistantContext& context, Choice choice) {
  model::Model* const model = context.services().model;
  if (model == nullptr) co_return std::nullopt;
  const Instant until = after(context.now(), context.services().limits.advice_max);
  choice.traceparent = context.traceparent();
  Task<std::optional<std::size_t>> advising = advise(*model, std::move(choice), until);
  co_return co_await std::move(advising);
}

// arguments_advised returns which arguments the model finds in the request; nothing where there is
// no model, or no tool to be given any. Also of a tool that takes none it is asked: it says so that
// nothing of the request is left out.
Task<std::optional<Json>> arguments_advised(AssistantContext& context) {
  model::Model* const model = context.services().model;
  const connector::Capability& tool = *context.state().selected();
  if (model == nullptr || tool.type != connector::CapabilityType::kTool) co_return std::nullopt;
  const Instant until = after(context.now(), context.services().limits.advice_max);
  Filling filling{tool.name, tool.description, tool.input_schema, context.state().input,
                  context.traceparent()};
  Task<std::optional<Json>> advising = advise_arguments(*model, std::move(filling), until);
  co_return co_await std::move(advising);
}

// is_namesake returns whether a candidate is what was selected, on another server.
bool is_namesake(const OperationsState& state, const Candidate& one) {
  const connector::Capability* const selected = state.selected();
  if (selected == nullptr) return false;
  const connector::Capability& other = at(state.capability_manifest, one.ref);
  return other.name == selected->name && other.type == selected->type &&
         other.server != selected->server;
}

}  // namespace

std::size_t another_candidate(const OperationsState& state, const Policy& policy) {
  const auto can_run = [&](const connector::Capability& capability) {
    return policy.assess(capability).allowed() &&
           extract_arguments(state.input, capability, policy.defaults_for(capability))
               .missing.empty();
  };
  const auto fits = [&](const Candidate& one) {
    const bool current = state.selected_capability && one.ref == state.selected_capability->ref;
    return !one.tried && !current && can_run(at(state.capability_manifest, one.ref));
  };
  const std::vector<Candidate>& all = state.candidate_capabilities;
  const auto namesake = std::ranges::find_if(
      all, [&](const Candidate& one) { return is_namesake(state, one) && fits(one); });
  const auto found = namesake != all.end() ? namesake : std::ranges::find_if(all, fits);
  return static_cast<std::size_t>(found - all.begin());
}

bool has_namesake(const OperationsState& state, const Policy& policy) {
  const std::size_t other = another_candidate(state, policy);
  return other < state.candidate_capabilities.size() &&
         is_namesake(state, state.candidate_capabilities[other]);
}

Task<AssistantResult> preprocess_request(AssistantContext& context) {
  const OperationsState& state = context.state();
  const std::int64_t bytes_max = context.services().limits.input_bytes_max;
  Update update;
  if (static_cast<std::int64_t>(state.input.size()) > bytes_max) {
    update.errors.push_back("the request is longer than " + std::to_string(bytes_max) + " bytes");
    update.input = state.input.substr(0, 100);
  } else {
    update.input = spelled_out(squeeze(state.input));
    if (update.input->empty()) update.errors.emplace_back("the request is blank");
  }
  if (!update.errors.empty()) {
    update.intent = Intent::kAnswerWithoutMcp;
    update.fallback_reason = update.errors.front();
  }
  co_return update;
}

Task<AssistantResult> classify_intent_node(AssistantContext& context) {
  Update update;
  update.intent = classify_intent(context.state().input);
  Choice choice = choice_of_intent(context.state(), *update.intent);
  const std::optional<std::size_t> said = co_await advice(context, std::move(choice));
  if (said) update.intent = static_cast<Intent>(*said);
  update.operation_type = operation_type(*update.intent);
  co_return update;
}

Task<AssistantResult> discover_capabilities(AssistantContext& context) {
  connector::Discovery discovery = co_await context.services().mcp.discover();
  Update update;
  for (const connector::DiscoveryProblem& problem : discovery.problems) {
    update.errors.push_back(error_of(problem));
  }
  if (discovery.manifest.capability_count() == 0) {
    update.fallback_reason = nothing_found(discovery);
  }
  update.capability_manifest = std::move(discovery.manifest);
  co_return update;
}

Task<AssistantResult> select_capability(AssistantContext& context) {
  const OperationsState& state = context.state();
  const Policy& policy = context.services().policy;
  Update update;
  if (!state.candidate_capabilities.empty()) {  // Back after a failure.
    const std::size_t next = another_candidate(state, policy);
    const Candidate& candidate = state.candidate_capabilities[next];
    update.selected_capability = Selection{candidate.ref, "the next best candidate"};
    co_return update;
  }
  std::vector<Candidate> candidates =
      rank(state.capability_manifest, state.input, *state.intent, state.server_preferences, policy);
  Choosing choosing = choosing_of(state, candidates);
  std::optional<std::size_t> said;
  if (!choosing.candidates.empty()) said = co_await advice(context, std::move(choosing.choice));
  if (said && *said == choosing.candidates.size()) {
    update.fallback_reason = "the model finds nothing that fits this request";
    co_return update;
  }
  if (said) {
    const std::string reason =
        "the model's choice of " + std::to_string(choosing.candidates.size()) + " candidates";
    update.selected_capability = Selection{choosing.candidates[*said].ref, reason};
    if (*said >= candidates.size()) candidates.push_back(choosing.candidates[*said]);
  } else if (candidates.empty()) {
    update.fallback_reason = "nothing that the servers offer fits this request";
  } else {
    const std::string reason = "best of " + std::to_string(candidates.size()) +
                               " candidates, score " + std::to_string(candidates.front().score);
    update.selected_capability = Selection{candidates.front().ref, reason};
  }
  update.candidate_capabilities = std::move(candidates);
  co_return update;
}

Task<AssistantResult> validate_capability(AssistantContext& context) {
  Task<std::optional<Json>> advising = arguments_advised(context);
  const std::optional<Json> proposed = co_await std::move(advising);
  Validation validation = judged_call(context.state(), context.services().policy, proposed);
  if (validation.approvable) {
    const Json review = review_of(context.state(), validation);
    validation.approval_id = string_or(review, "approval_id", "");
  }
  Update update;
  if (validation.decision != Validation::Decision::kRun) update.fallback_reason = validation.reason;
  update.capability_validation = std::move(validation);
  co_return update;
}

}  // namespace plumbline::agents
