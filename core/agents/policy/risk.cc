#include "core/agents/policy/risk.h"

#include <algorithm>

#include "core/base/check.h"

namespace plumbline::agents {

void add_once(std::vector<Risk>& risks, Risk risk) {
  if (std::ranges::find(risks, risk) == risks.end()) risks.push_back(risk);
}

std::string_view name_of(Risk risk) {
  switch (risk) {
    case Risk::kWritesFiles:
      return "writes_files";
    case Risk::kSendsMessages:
      return "sends_messages";
    case Risk::kUpdatesRecords:
      return "updates_records";
    case Risk::kControlsDevices:
      return "controls_devices";
    case Risk::kMovesMoney:
      return "moves_money";
    case Risk::kSensitiveData:
      return "sensitive_data";
    case Risk::kExecutesCode:
      return "executes_code";
    case Risk::kUnknownEffect:
      return "unknown_effect";
    case Risk::kDrifted:
      return "drifted";
    case Risk::kPolicyReview:
      return "policy_review";
    case Risk::kDenied:
      return "denied";
  }
  check(false, "unknown Risk");
  return {};
}

std::string_view describe(Risk risk) {
  switch (risk) {
    case Risk::kWritesFiles:
      return "changing files";
    case Risk::kSendsMessages:
      return "sending external messages";
    case Risk::kUpdatesRecords:
      return "updating records";
    case Risk::kControlsDevices:
      return "controlling devices";
    case Risk::kMovesMoney:
      return "a financial action";
    case Risk::kSensitiveData:
      return "access to sensitive data";
    case Risk::kExecutesCode:
      return "executing code";
    case Risk::kUnknownEffect:
      return "an action whose effect is unknown";
    case Risk::kDrifted:
      return "a tool that is not what it was when it was first seen";
    case Risk::kPolicyReview:
      return "an action that the policy marks for review";
    case Risk::kDenied:
      return "an action that the policy denies";
  }
  check(false, "unknown Risk");
  return {};
}

}  // namespace plumbline::agents
