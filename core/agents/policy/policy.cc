#include "core/agents/policy/policy.h"

#include <algorithm>
#include <utility>

#include "core/agents/policy/actions.h"
#include "core/agents/policy/sensitive.h"
#include "core/agents/policy/verbs.h"
#include "core/base/wildcard.h"
#include "core/json/fields/fields.h"

namespace plumbline::agents {

namespace {

void add_all(std::vector<Risk>& risks, const std::vector<Risk>& more) {
  for (const Risk risk : more) add_once(risks, risk);
}

// add_sensitive looks at what a server says of what it offers.
void add_sensitive(std::vector<Risk>& risks, const connector::Capability& capability) {
  if (speaks_of_sensitive_data(capability.name, SensitiveIn::kName) ||
      speaks_of_sensitive_data(capability.description, SensitiveIn::kDescription) ||
      speaks_of_sensitive_data(capability.uri, SensitiveIn::kName) ||
      names_secret_file(capability.uri)) {
    add_once(risks, Risk::kSensitiveData);
  }
}

// deed_of_name judges a tool's name, and again without the name of its server before it:
// "post_message" of "slack_post_message".
Deed deed_of_name(const connector::Capability& tool) {
  Deed deed = deed_of(tool.name);
  if (tool.server.empty() || !tool.name.starts_with(tool.server)) return deed;
  const Deed own = deed_of(std::string_view(tool.name).substr(tool.server.size()));
  deed.reads = deed.reads || own.reads;
  add_all(deed.risks, own.risks);
  return deed;
}

bool any_match(const std::vector<std::string>& patterns, const std::string& text) {
  return std::ranges::any_of(patterns, [&](const std::string& p) { return fits(p, text); });
}

// tool_risks judges a tool by what it is called and how it describes itself: both must speak of
// reading, or one of them while the other says nothing.
std::vector<Risk> tool_risks(const connector::Capability& tool, bool trusted) {
  std::vector<Risk> risks;
  const bool says_read_only = bool_or(tool.annotations, "readOnlyHint", false);
  add_sensitive(risks, tool);
  if (trusted && says_read_only) return risks;
  const Deed named = deed_of_name(tool);
  // A name that says nothing leaves it all to the description.
  const bool silent = !named.reads && named.risks.empty();
  const Deed told = deed_of(silent ? tool.description : first_sentence(tool.description));
  std::vector<Risk> changes = named.risks;
  add_all(changes, told.risks);
  const bool destroys = bool_or(tool.annotations, "destructiveHint", false) && !says_read_only;
  if (destroys) add_once(changes, Risk::kUpdatesRecords);
  const bool silent_of_effect = !named.reads && !told.reads;
  if (changes.empty() && (silent_of_effect || can_be_told_to_change(tool.input_schema))) {
    changes.push_back(Risk::kUnknownEffect);
  }
  add_all(risks, changes);
  return risks;
}

}  // namespace

std::string reason_of(const Assessment& assessment) {
  std::string reason;
  for (const Risk risk : assessment.risks) {
    reason += std::string(reason.empty() ? "" : " and ") + std::string(describe(risk));
  }
  return reason + (assessment.denied() ? "" : " requires approval");
}

bool Assessment::denied() const { return std::ranges::find(risks, Risk::kDenied) != risks.end(); }

std::vector<Risk> verb_risks(std::string_view text) { return deed_of(text).risks; }

bool reads(std::string_view text) {
  const Deed deed = deed_of(text);
  return deed.reads && deed.risks.empty();
}

const Fields<Policy>& Policy::fields() {
  const auto read_version = [](ObjectReader& f, std::string_view key) { f.integer(key, 1, 1); };
  const auto read_defaults = [](ObjectReader& f, Policy& policy) {
    const Json* const defaults = f.object("defaults");
    if (defaults == nullptr) return;
    ObjectReader targets(*defaults, f.pointer_to("defaults"), "the defaults", f.problem());
    for (const auto& [target, values] : defaults->items()) targets.object(target);
    policy.defaults_ = *defaults;
  };
  static const Fields<Policy> kFields(
      "a policy",
      {
          field::shown<Policy>("plumbline_policy", shape::only(1), read_version).must("1"),
          field::texts("allow", &Policy::allow_).says("patterns \"server/name\", with *"),
          field::texts("review", &Policy::review_),
          field::texts("deny", &Policy::deny_),
          field::texts("trust_annotations", &Policy::trusted_).says("servers that are believed"),
          field::own<Policy>("defaults", shape::by_name(shape::object()), read_defaults),
      });
  return kFields;
}

Result<Policy, Problem> Policy::parse(const Json& file) {
  std::optional<Problem> problem;
  Policy policy;
  fields().read(file, "", problem, policy);
  if (problem) return *std::move(problem);
  return policy;
}

Json Policy::shape() { return fields().shape(); }

Assessment Policy::assess(const connector::Capability& capability) const {
  Assessment out;
  const std::string name = label(capability);
  const bool trusted = any_match(trusted_, capability.server);
  if (capability.type == connector::CapabilityType::kTool) {
    out.risks = tool_risks(capability, trusted);
    out.believed = trusted && bool_or(capability.annotations, "readOnlyHint", false);
    const auto sensitive = [](Risk risk) { return risk == Risk::kSensitiveData; };
    out.changes_the_world = !std::ranges::all_of(out.risks, sensitive);
  } else {
    add_sensitive(out.risks, capability);
  }
  if (any_match(allow_, name)) {
    out.allowed_by_name = true;
    out.risks.clear();
  }
  // What was allowed is what was there. A new version of a server may read as the old one did.
  const bool only_version = capability.drift == connector::Drift::kOtherVersion;
  const bool harmless = only_version && !out.changes_the_world && !out.allowed_by_name;
  if (capability.drift != connector::Drift::kNone && !harmless) add_once(out.risks, Risk::kDrifted);
  if (any_match(review_, name)) add_once(out.risks, Risk::kPolicyReview);
  if (any_match(deny_, name)) add_once(out.risks, Risk::kDenied);
  return out;
}

Json Policy::defaults_for(const connector::Capability& capability) const {
  Json out = Json::object();
  for (const std::string& target : {capability.server, label(capability)}) {
    if (const Json* const values = find(defaults_, target)) out.update(*values);
  }
  return out;
}

}  // namespace plumbline::agents
