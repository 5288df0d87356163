#include "scenarios/world/outcome.h"

namespace plumbline::scenarios {

namespace {

template <typename Counts>
Json counts_of(const Counts& counts) {
  Json out = Json::object();
  for (const auto& [name, count] : counts) out[name] = count;
  return out;
}

// answer_of returns what somebody was told.
Json answer_of(const Json& state) {
  const Json* const output = find(state, "final_output");
  const Json* const errors = find(state, "errors");
  const Json said = output == nullptr ? Json::object() : *output;
  Json out = Json::object();
  out["status"] = string_or(said, "status", "");
  out["response"] = string_or(said, "response", "");
  out["errors"] = errors == nullptr ? 0 : errors->size();
  return out;
}

}  // namespace

Json outcome_of(const Observed& observed, const Redactor& redactor) {
  Json out = observed.state.is_null() ? Json::object() : answer_of(observed.state);
  out["requests"] = counts_of(observed.tally.requests());
  out["faults"] = counts_of(observed.tally.faults());
  out["effects"] = Json::object();
  for (const fakes::Effect& effect : observed.ledger.effects()) {
    Json& count = out["effects"][effect.server + '/' + effect.tool];
    count = (count.is_null() ? 0 : as_int(count).value_or(0)) + effect.count;
  }
  out["approvals_asked"] = observed.tally.approvals_asked();
  out["virtual_ms"] = milliseconds_of(observed.answered_after.value_or(Duration{}));
  redactor.redact(out);
  return out;
}

void add_user(Json& outcome, const std::string& name, const Observed& observed,
              const Redactor& redactor) {
  Json told = answer_of(observed.state);
  told["approvals_asked"] = observed.approvals_asked.value_or(0);
  told["virtual_ms"] = milliseconds_of(observed.answered_after.value_or(Duration{}));
  redactor.redact(told);
  outcome["users"][name] = std::move(told);
}

}  // namespace plumbline::scenarios
