#include "conformance/checks/client/scenarios.h"

#include "conformance/catalogue/pages.h"

namespace plumbline::conformance {

using ScenarioPage = Page<ClientScenario>;
using RulePage = Page<ClientRule>;

ScenarioPage basic_scenarios;
ScenarioPage time_scenarios;
ScenarioPage task_scenarios;
ScenarioPage hostile_scenarios;
ScenarioPage peer_scenarios;
ScenarioPage list_scenarios;
ScenarioPage http_scenarios;
ScenarioPage header_scenarios;
ScenarioPage mrtr_scenarios;
ScenarioPage question_scenarios;
ScenarioPage safety_scenarios;
ScenarioPage older_scenarios;

RulePage message_rules;
RulePage opening_rules;
RulePage http_rules;
RulePage stdio_rules;

const std::vector<ClientScenario>& all_client_scenarios() {
  // The judge begins with the first of all; those in which clients wait come early.
  static const std::vector<ClientScenario> kAll = joined<ClientScenario>({
      basic_scenarios,
      time_scenarios,
      task_scenarios,
      hostile_scenarios,
      peer_scenarios,
      list_scenarios,
      http_scenarios,
      header_scenarios,
      mrtr_scenarios,
      question_scenarios,
      safety_scenarios,
      older_scenarios,
  });
  return kAll;
}

const std::vector<ClientRule>& all_client_rules() {
  static const std::vector<ClientRule> kAll = joined<ClientRule>({
      message_rules,
      opening_rules,
      http_rules,
      stdio_rules,
  });
  return kAll;
}

}  // namespace plumbline::conformance
