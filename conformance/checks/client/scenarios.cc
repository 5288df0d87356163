#include "conformance/peer/client/scenario.h"

namespace plumbline::conformance {

const std::vector<ClientScenario>& all_client_scenarios() {
  static const std::vector<ClientScenario> kAll = [] {
    std::vector<ClientScenario> all;
    // The judge begins with the first of all; those in which clients wait come early.
    for (const ClientScenarios some : {
             basic_scenarios(),
             time_scenarios(),
             task_scenarios(),
             hostile_scenarios(),
             peer_scenarios(),
             list_scenarios(),
             http_scenarios(),
             header_scenarios(),
             mrtr_scenarios(),
             question_scenarios(),
             safety_scenarios(),
             older_scenarios(),
         }) {
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }();
  return kAll;
}

const std::vector<ClientRule>& all_client_rules() {
  static const std::vector<ClientRule> kAll = [] {
    std::vector<ClientRule> all;
    for (const std::span<const ClientRule> some :
         {message_rules(), opening_rules(), http_rules(), stdio_rules()}) {
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }();
  return kAll;
}

}  // namespace plumbline::conformance
