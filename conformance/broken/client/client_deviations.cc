// The pages of wrong clients, each named twice: where it is declared, and in the order in which the
// tests put them before the judge. See docs/adding-a-check.md.

#include "conformance/broken/client/client_deviation.h"
#include "conformance/catalogue/pages.h"

namespace plumbline::conformance {

using ClientDeviationPage = Page<ClientDeviation>;

ClientDeviationPage client_message_deviations;
ClientDeviationPage client_opening_deviations;
ClientDeviationPage client_http_deviations;
ClientDeviationPage client_content_deviations;
ClientDeviationPage client_more_deviations;
ClientDeviationPage client_time_deviations;
ClientDeviationPage client_task_deviations;
ClientDeviationPage client_variant_deviations;
ClientDeviationPage owned_task_deviations;
ClientDeviationPage icon_deviations;
ClientDeviationPage scripted_user_deviations;
ClientDeviationPage client_auth_discovery_deviations;
ClientDeviationPage client_auth_request_deviations;
ClientDeviationPage client_auth_token_deviations;
ClientDeviationPage client_auth_form_deviations;
ClientDeviationPage client_auth_varied_deviations;
ClientDeviationPage client_auth_redeem_deviations;
ClientDeviationPage client_stream_deviations;
ClientDeviationPage client_rare_deviations;
ClientDeviationPage client_walk_deviations;
ClientDeviationPage client_rounds_deviations;

const std::vector<ClientDeviation>& all_client_deviations() {
  static const std::vector<ClientDeviation> kAll = joined<ClientDeviation>({
      client_message_deviations,      client_opening_deviations,
      client_http_deviations,         client_content_deviations,
      client_more_deviations,         client_time_deviations,
      client_task_deviations,         client_variant_deviations,
      owned_task_deviations,          icon_deviations,
      scripted_user_deviations,       client_auth_discovery_deviations,
      client_auth_request_deviations, client_auth_token_deviations,
      client_auth_form_deviations,    client_auth_varied_deviations,
      client_stream_deviations,       client_rare_deviations,
      client_walk_deviations,         client_auth_redeem_deviations,
      client_rounds_deviations,
  });
  return kAll;
}

}  // namespace plumbline::conformance
