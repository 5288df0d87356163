// The pages of checks, each named twice: where it is declared, and in the order in which reports
// show them. See docs/adding-a-check.md.

#include <initializer_list>
#include <vector>

#include "conformance/catalogue/pages.h"
#include "conformance/checks/server/check.h"

namespace plumbline::conformance {

using ServerPage = Page<ServerCheck>;

ServerPage lifecycle_checks;
ServerPage first_requests_checks;
ServerPage statelessness_checks;
ServerPage versioning_checks;
ServerPage discover_checks;
ServerPage base_checks;
ServerPage schema_checks;
ServerPage id_checks;
ServerPage jsonrpc_checks;
ServerPage params_checks;
ServerPage ping_checks;
ServerPage cancellation_checks;
ServerPage cancelled_work_checks;
ServerPage progress_checks;
ServerPage pagination_checks;
ServerPage tools_checks;
ServerPage tool_schemas_checks;
ServerPage tools_calls_checks;
ServerPage inputs_validated_checks;
ServerPage tools_failures_checks;
ServerPage tools_forms_checks;
ServerPage tools_refusals_checks;
ServerPage tools_hints_checks;
ServerPage tools_finding_checks;
ServerPage tools_searching_checks;
ServerPage tools_again_checks;
ServerPage tools_bounds_checks;
ServerPage tools_defaults_checks;
ServerPage tools_reading_checks;
ServerPage tools_converting_checks;
ServerPage tools_described_checks;
ServerPage tools_done_checks;
ServerPage tools_numbers_checks;
ServerPage tools_results_checks;
ServerPage tools_agreeing_checks;
ServerPage tools_at_once_checks;
ServerPage tools_deleting_checks;
ServerPage own_sessions_checks;
ServerPage given_values_checks;
ServerPage tools_made_checks;
ServerPage tools_whole_checks;
ServerPage tools_order_checks;
ServerPage tools_ids_checks;
ServerPage tools_pages_checks;
ServerPage tools_silence_checks;
ServerPage resources_checks;
ServerPage resources_missing_checks;
ServerPage resources_watched_checks;
ServerPage resources_current_checks;
ServerPage contents_checks;
ServerPage sizes_checks;
ServerPage again_checks;
ServerPage prompts_checks;
ServerPage completion_checks;
ServerPage template_reading_checks;
ServerPage completion_context_checks;
ServerPage completion_offers_checks;
ServerPage logging_checks;
ServerPage caching_checks;
ServerPage mrtr_checks;
ServerPage elicitation_checks;
ServerPage elicitation_answers_checks;
ServerPage tools_confirmed_checks;
ServerPage sampling_checks;
ServerPage roots_checks;
ServerPage subscriptions_checks;
ServerPage tasks_checks;
ServerPage tasks_life_checks;
ServerPage tasks_extension_checks;
ServerPage tasks_extension_making_checks;
ServerPage tasks_extension_life_checks;
ServerPage tasks_extension_listening_checks;
ServerPage stdio_checks;
ServerPage http_checks;
ServerPage http_gets_checks;
ServerPage http_two_gets_checks;
ServerPage http_sessions_checks;
ServerPage http_pages_checks;
ServerPage http_streams_checks;
ServerPage http_headers_checks;
ServerPage http_names_checks;
ServerPage header_annotations_checks;
ServerPage sse_checks;
ServerPage security_checks;
ServerPage verified_checks;
ServerPage metadata_checks;
ServerPage resource_metadata_checks;
ServerPage token_checks;
ServerPage challenge_checks;
ServerPage scope_checks;
ServerPage proxy_checks;
ServerPage elicitation_page_checks;
ServerPage third_party_checks;

namespace {

constexpr std::initializer_list<ServerPage*> kInOrder = {
    lifecycle_checks,
    first_requests_checks,
    statelessness_checks,
    versioning_checks,
    discover_checks,
    base_checks,
    schema_checks,
    id_checks,
    jsonrpc_checks,
    params_checks,
    ping_checks,
    cancellation_checks,
    cancelled_work_checks,
    progress_checks,
    pagination_checks,
    tools_checks,
    tool_schemas_checks,
    tools_calls_checks,
    inputs_validated_checks,
    tools_failures_checks,
    tools_forms_checks,
    tools_refusals_checks,
    tools_hints_checks,
    tools_finding_checks,
    tools_searching_checks,
    tools_again_checks,
    tools_bounds_checks,
    tools_defaults_checks,
    tools_reading_checks,
    tools_results_checks,
    tools_numbers_checks,
    tools_described_checks,
    tools_converting_checks,
    tools_done_checks,
    tools_agreeing_checks,
    tools_at_once_checks,
    tools_deleting_checks,
    own_sessions_checks,
    given_values_checks,
    tools_made_checks,
    tools_whole_checks,
    tools_order_checks,
    tools_ids_checks,
    tools_pages_checks,
    tools_silence_checks,
    resources_checks,
    resources_missing_checks,
    resources_watched_checks,
    resources_current_checks,
    contents_checks,
    sizes_checks,
    again_checks,
    prompts_checks,
    completion_checks,
    template_reading_checks,
    completion_context_checks,
    completion_offers_checks,
    logging_checks,
    caching_checks,
    mrtr_checks,
    elicitation_checks,
    elicitation_answers_checks,
    tools_confirmed_checks,
    sampling_checks,
    roots_checks,
    subscriptions_checks,
    tasks_checks,
    tasks_life_checks,
    tasks_extension_checks,
    tasks_extension_making_checks,
    tasks_extension_life_checks,
    tasks_extension_listening_checks,
    stdio_checks,
    http_checks,
    http_gets_checks,
    http_two_gets_checks,
    http_sessions_checks,
    http_pages_checks,
    http_streams_checks,
    http_headers_checks,
    http_names_checks,
    header_annotations_checks,
    sse_checks,
    security_checks,
    verified_checks,
    two_users_checks,
    metadata_checks,
    resource_metadata_checks,
    token_checks,
    challenge_checks,
    scope_checks,
    proxy_checks,
    elicitation_page_checks,
    third_party_checks,
};

}  // namespace

ServerChecks all_server_checks() {
  static const std::vector<ServerCheck> kAll = joined<ServerCheck>(kInOrder);
  return kAll;
}

}  // namespace plumbline::conformance
