#include "core/agents/operations/judged_call.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/agents/operations/advice/grounded.h"
#include "core/agents/operations/approved_call.h"
#include "core/agents/operations/arguments/arguments.h"
#include "core/agents/operations/arguments/chosen_action.h"
#include "core/agents/operations/fit/doing.h"
#include "core/agents/operations/fit/untaken.h"
#include "core/agents/operations/fit/wish.h"
#include "core/agents/operations/readability.h"
#include "core/agents/operations/selection.h"
#include "core/agents/policy/actions.h"
#include "core/agents/policy/sensitive.h"
#include "core/agents/policy/words.h"
#include "core/base/words/joined_by.h"
#include "core/schema/schema.h"

namespace plumbline::agents {

namespace {

// rival returns the other action that fits the request as well as the selected one, when both
// would change something: choosing between them would be a guess.
const connector::Capability* rival(const OperationsState& state, const Policy& policy) {
  const auto chosen = std::ranges::find(state.candidate_capabilities,
                                        state.selected_capability->ref, &Candidate::ref);
  for (const Candidate& other : state.candidate_capabilities) {
    if (other.ref == chosen->ref || other.score != chosen->score) continue;
    const connector::Capability& capability = at(state.capability_manifest, other.ref);
    if (policy.assess(capability).changes_the_world) return &capability;
  }
  return nullptr;
}

Validation review(Validation validation, std::string reason, bool approvable) {
  validation.decision = Validation::Decision::kReview;
  validation.reason = std::move(reason);
  validation.approvable = approvable;
  return validation;
}

Validation unusable(Validation validation, std::string reason) {
  validation.decision = Validation::Decision::kUnusable;
  validation.reason = std::move(reason);
  return validation;
}

// bad_arguments says what is wrong with the arguments; empty when nothing is.
std::string bad_arguments(const connector::Capability& capability, const Extraction& extraction) {
  if (!extraction.missing.empty()) {
    return "needs " + joined_by(", ", extraction.missing) +
           ", which neither the request nor the configuration gives";
  }
  const Result<schema::Schema> compiled = schema::Schema::compile(capability.input_schema);
  if (!compiled.ok()) return "has an input schema that cannot be used: " + compiled.error().message;
  const std::optional<schema::Violation> wrong = compiled.value().validate(extraction.arguments);
  return wrong ? "does not accept these arguments: " + wrong->message : std::string();
}

// add_sensitive_request finds what the policy cannot see in the capability: that it is asked for
// the passwords, or for a file that holds some.
void add_sensitive_request(Validation& validation, const std::string& request) {
  if (validation.assessment.allowed_by_name) return;
  if (speaks_of_sensitive_data(request, SensitiveIn::kRequest) || names_secret_file(request) ||
      asks_for_sensitive_data(validation.extraction.arguments)) {
    add_once(validation.assessment.risks, Risk::kSensitiveData);
  }
}

// drop_unknown_effect knows better where a tool is only told to read by its action, "list" of
// "list" and "delete", and nothing that is asked for changes something.
void drop_unknown_effect(Validation& validation, const connector::Capability& capability,
                         const std::string& request) {
  Assessment& assessment = validation.assessment;
  const bool alone =
      assessment.risks.size() == 1 && assessment.risks.front() == Risk::kUnknownEffect;
  if (!alone || !only_reads_by_action(capability, validation.extraction)) return;
  if (!verb_risks(request).empty()) return;
  assessment.risks.clear();
  assessment.changes_the_world = false;
}

// add_told_change knows worse where a tool that only reads is told by its arguments to change
// something, though its schema does not say that it can be.
void add_told_change(Validation& validation) {
  Assessment& assessment = validation.assessment;
  if (assessment.allowed_by_name || assessment.believed || assessment.changes_the_world) return;
  if (!tells_to_change(validation.extraction.arguments)) return;
  add_once(assessment.risks, Risk::kUnknownEffect);
  assessment.changes_the_world = true;
}

// leaves_out says what of the request the call would not heed; empty where nothing.
std::string leaves_out(const std::string& request, const connector::Capability& capability,
                       const Untaken& untaken, bool changes) {
  const std::string label = shown_label(capability);
  const std::vector<std::string> narrowing = unfilterable_words(request, capability);
  if (!narrowing.empty()) {
    return label + " cannot filter by " + joined_by(", ", narrowing) +
           "; a narrower request or tool is needed";
  }
  const std::vector<std::string> left = untaken.all();
  if (left.empty()) return "";
  if (changes) return label + " was not told " + joined_by(", ", left);
  return label + " cannot be asked for " + joined_by(", ", left) +
         " alone, and would answer for others";
}

// left_by_model returns the values of a request on which no argument rests that a model has named.
// Which words the tool knows in its own is left to the model.
std::vector<std::string> left_by_model(const Untaken& untaken, const Said& said) {
  std::vector<std::string> left = untaken.values;
  std::erase_if(left, [&](const std::string& value) { return !said.leaves(value); });
  return left;
}

// by_its_risks leaves a call that is heeded whole to the policy.
Validation by_its_risks(Validation validation, const Untaken& untaken) {
  if (validation.assessment.allowed()) {
    validation.decision = Validation::Decision::kRun;
    return validation;
  }
  std::string reason = reason_of(validation.assessment);
  if (!untaken.words.empty()) {
    reason += "; it was not told in these words: " + joined_by(", ", untaken.words);
  }
  return review(std::move(validation), std::move(reason), true);
}

}  // namespace

Validation judged_call(const OperationsState& state, const Policy& policy,
                       const std::optional<Json>& proposed) {
  const connector::Capability& capability = *state.selected();
  Validation validation;
  validation.assessment = policy.assess(capability);
  const Json& configured = policy.defaults_for(capability);
  Said said(proposed ? state.input : std::string());
  std::optional<Extraction> grounded;
  if (proposed) grounded = grounded_arguments(*proposed, said, capability, configured);
  const bool by_model = grounded.has_value();
  validation.extraction =
      by_model ? std::move(*grounded) : extract_arguments(state.input, capability, configured);
  drop_unknown_effect(validation, capability, state.input);
  add_told_change(validation);
  add_sensitive_request(validation, state.input);
  const Assessment& assessment = validation.assessment;
  if (assessment.denied()) {
    const std::string reason = reason_of(assessment);
    return review(std::move(validation), reason, false);
  }
  if (assessment.changes_the_world && !assessment.allowed() && !by_model) {
    if (const connector::Capability* const other = rival(state, policy)) {
      return review(
          std::move(validation),
          "ambiguous: " + shown_label(capability) + " and " + shown_label(*other) + " fit equally",
          false);
    }
  }
  if (const std::string wrong = bad_arguments(capability, validation.extraction); !wrong.empty()) {
    const std::string reason = shown_label(capability) + " " + wrong;
    if (assessment.changes_the_world) return review(std::move(validation), reason, false);
    return unusable(std::move(validation), reason);
  }
  if (is_opaque_type(capability.mime_type)) {
    return unusable(std::move(validation), shown_label(capability) + " is " + capability.mime_type +
                                               ", and no extraction of its text is offered");
  }
  const Untaken untaken =
      untaken_by(wish_of(state.input), capability, tool_words(capability), validation.extraction);
  if (by_model) {
    if (const auto left = left_by_model(untaken, said); !left.empty()) {
      return review(std::move(validation),
                    "a call that leaves out " + joined_by(", ", left) + " requires approval", true);
    }
  } else if (std::string reason =
                 leaves_out(state.input, capability, untaken, assessment.changes_the_world);
             !reason.empty()) {
    // Words know too little of a request to say of a call what it leaves out: two of three that are
    // to be deleted.
    return assessment.changes_the_world ? review(std::move(validation), std::move(reason), false)
                                        : unusable(std::move(validation), std::move(reason));
  }
  return by_its_risks(std::move(validation), untaken);
}

}  // namespace plumbline::agents
