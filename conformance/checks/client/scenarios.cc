#include "conformance/checks/client/scenarios.h"

#include "conformance/catalogue/pages.h"

namespace plumbline::conformance {

using ScenarioPage = Page<ClientScenario>;
using RulePage = Page<ClientRule>;

ScenarioPage basic_scenarios;
ScenarioPage event_scenarios;
ScenarioPage stream_scenarios;
ScenarioPage cut_scenarios;
ScenarioPage time_scenarios;
ScenarioPage task_call_scenarios;
ScenarioPage task_scenarios;
ScenarioPage hostile_scenarios;
ScenarioPage notice_scenarios;
ScenarioPage peer_scenarios;
ScenarioPage list_scenarios;
ScenarioPage http_scenarios;
ScenarioPage again_scenarios;
ScenarioPage header_scenarios;
ScenarioPage exact_scenarios;
ScenarioPage rare_scenarios;
ScenarioPage walk_scenarios;
ScenarioPage once_scenarios;
ScenarioPage mrtr_scenarios;
ScenarioPage question_scenarios;
ScenarioPage owned_task_scenarios;
ScenarioPage scripted_user_scenarios;
ScenarioPage malformed_scenarios;
ScenarioPage icon_scenarios;
ScenarioPage safety_scenarios;
ScenarioPage older_scenarios;
ScenarioPage auth_door_scenarios;
ScenarioPage auth_discovery_scenarios;
ScenarioPage auth_answer_scenarios;
ScenarioPage auth_scope_scenarios;
ScenarioPage auth_credential_scenarios;
ScenarioPage auth_form_scenarios;
ScenarioPage auth_varied_scenarios;

RulePage message_rules;
RulePage opening_rules;
RulePage http_rules;
RulePage stdio_rules;
RulePage auth_request_rules;
RulePage auth_token_rules;
RulePage auth_redeem_rules;

const std::vector<ClientScenario>& all_client_scenarios() {
  // The judge begins with the first of all; those in which clients wait come early.
  static const std::vector<ClientScenario> kAll = joined<ClientScenario>({
      basic_scenarios,
      event_scenarios,
      stream_scenarios,
      cut_scenarios,
      time_scenarios,
      task_call_scenarios,
      task_scenarios,
      hostile_scenarios,
      notice_scenarios,  // Before what answers the list of the tools itself.
      peer_scenarios,
      list_scenarios,
      http_scenarios,
      again_scenarios,
      header_scenarios,
      exact_scenarios,
      rare_scenarios,
      walk_scenarios,
      once_scenarios,
      mrtr_scenarios,
      question_scenarios,
      owned_task_scenarios,
      scripted_user_scenarios,
      malformed_scenarios,
      icon_scenarios,
      safety_scenarios,
      older_scenarios,
      // The first of these tells whether the rest of them say anything.
      auth_door_scenarios,
      auth_discovery_scenarios,
      auth_answer_scenarios,
      auth_scope_scenarios,
      auth_credential_scenarios,
      auth_form_scenarios,
      auth_varied_scenarios,
  });
  return kAll;
}

const std::vector<ClientRule>& all_client_rules() {
  static const std::vector<ClientRule> kAll = joined<ClientRule>({
      message_rules,
      opening_rules,
      http_rules,
      stdio_rules,
      auth_request_rules,
      auth_token_rules,
      auth_redeem_rules,
  });
  return kAll;
}

}  // namespace plumbline::conformance
