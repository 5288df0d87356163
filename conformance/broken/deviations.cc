// The pages of wrong peers, each named twice: where it is declared, and in the order in which the
// tests put them before the judge. See docs/adding-a-check.md.

#include "conformance/broken/deviation.h"
#include "conformance/catalogue/pages.h"

namespace plumbline::conformance {

using DeviationPage = Page<Deviation>;

DeviationPage lifecycle_deviations;
DeviationPage statelessness_deviations;
DeviationPage versioning_deviations;
DeviationPage discover_deviations;
DeviationPage base_deviations;
DeviationPage schema_deviations;
DeviationPage id_deviations;
DeviationPage jsonrpc_deviations;
DeviationPage ping_deviations;
DeviationPage cancellation_deviations;
DeviationPage progress_deviations;
DeviationPage pagination_deviations;
DeviationPage tools_deviations;
DeviationPage tool_schemas_deviations;
DeviationPage tools_calls_deviations;
DeviationPage tools_forms_deviations;
DeviationPage tools_refusals_deviations;
DeviationPage tools_hints_deviations;
DeviationPage tools_promised_deviations;
DeviationPage tools_reading_deviations;
DeviationPage tools_writing_deviations;
DeviationPage tools_undone_deviations;
DeviationPage tools_words_deviations;
DeviationPage tools_finding_deviations;
DeviationPage tools_values_deviations;
DeviationPage tools_numbers_deviations;
DeviationPage tools_described_deviations;
DeviationPage tools_sorting_deviations;
DeviationPage contents_deviations;
DeviationPage http_two_gets_deviations;
DeviationPage again_deviations;
DeviationPage resources_deviations;
DeviationPage resources_current_deviations;
DeviationPage prompts_deviations;
DeviationPage completion_deviations;
DeviationPage completion_context_deviations;
DeviationPage logging_deviations;
DeviationPage caching_deviations;
DeviationPage mrtr_deviations;
DeviationPage elicitation_deviations;
DeviationPage sampling_deviations;
DeviationPage roots_deviations;
DeviationPage subscriptions_deviations;
DeviationPage tasks_deviations;
DeviationPage tasks_life_deviations;
DeviationPage stdio_deviations;
DeviationPage http_deviations;
DeviationPage http_sessions_deviations;
DeviationPage http_streams_deviations;
DeviationPage http_headers_deviations;
DeviationPage header_annotations_deviations;
DeviationPage sse_deviations;
DeviationPage tasks_extension_deviations;
DeviationPage tasks_extension_making_deviations;
DeviationPage tasks_extension_life_deviations;
DeviationPage security_deviations;
DeviationPage verified_deviations;
DeviationPage two_users_deviations;
DeviationPage metadata_deviations;
DeviationPage token_deviations;
DeviationPage challenge_deviations;
DeviationPage scope_deviations;
DeviationPage proxy_deviations;
DeviationPage elicitation_page_deviations;

void Interceptor::note_request(const Json& message) {
  const Json* const id = find(message, "id");
  if (id == nullptr || id->is_null() || find(message, "method") == nullptr) return;
  requests_[dump_json(*id)] = message;
}

Json Interceptor::asked(const Json& response) const {
  const Json* const id = find(response, "id");
  if (id == nullptr || find(response, "method") != nullptr) return nullptr;
  const auto found = requests_.find(dump_json(*id));
  return found == requests_.end() ? Json() : found->second;
}

namespace {

constexpr std::initializer_list<DeviationPage*> kDeviationPages = {
    lifecycle_deviations,
    statelessness_deviations,
    versioning_deviations,
    discover_deviations,
    base_deviations,
    schema_deviations,
    id_deviations,
    jsonrpc_deviations,
    ping_deviations,
    cancellation_deviations,
    progress_deviations,
    pagination_deviations,
    tools_deviations,
    tool_schemas_deviations,
    tools_calls_deviations,
    tools_forms_deviations,
    tools_refusals_deviations,
    tools_hints_deviations,
    tools_promised_deviations,
    tools_reading_deviations,
    tools_writing_deviations,
    tools_undone_deviations,
    tools_words_deviations,
    tools_finding_deviations,
    tools_values_deviations,
    tools_numbers_deviations,
    tools_described_deviations,
    tools_sorting_deviations,
    resources_deviations,
    resources_current_deviations,
    contents_deviations,
    http_two_gets_deviations,
    again_deviations,
    prompts_deviations,
    completion_deviations,
    completion_context_deviations,
    logging_deviations,
    caching_deviations,
    mrtr_deviations,
    elicitation_deviations,
    sampling_deviations,
    roots_deviations,
    subscriptions_deviations,
    tasks_deviations,
    tasks_life_deviations,
    stdio_deviations,
    http_deviations,
    http_sessions_deviations,
    http_streams_deviations,
    http_headers_deviations,
    header_annotations_deviations,
    sse_deviations,
    tasks_extension_deviations,
    tasks_extension_making_deviations,
    tasks_extension_life_deviations,
    security_deviations,
    verified_deviations,
    two_users_deviations,
    metadata_deviations,
    token_deviations,
    challenge_deviations,
    scope_deviations,
    proxy_deviations,
    elicitation_page_deviations,
};

}  // namespace

const std::vector<Deviation>& all_deviations() {
  static const std::vector<Deviation> kAll = joined<Deviation>(kDeviationPages);
  return kAll;
}

}  // namespace plumbline::conformance
