#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

void Hands::note_request(const Json& message) {
  const Json* const id = find(message, "id");
  if (id != nullptr && find(message, "method")) requests_[dump_json(*id)] = message;
}

Json Hands::asked(const Json& response) const {
  const Json* const id = find(response, "id");
  if (id == nullptr || find(response, "method") != nullptr) return nullptr;
  const auto found = requests_.find(dump_json(*id));
  return found == requests_.end() ? Json() : found->second;
}

const std::vector<Deviation>& all_deviations() {
  static const std::vector<Deviation> kAll = [] {
    std::vector<Deviation> all;
    for (const Deviations page : {
             lifecycle_deviations(),
             statelessness_deviations(),
             versioning_deviations(),
             discover_deviations(),
             base_deviations(),
             schema_deviations(),
             jsonrpc_deviations(),
             ping_deviations(),
             cancellation_deviations(),
             progress_deviations(),
             pagination_deviations(),
             tools_deviations(),
             tools_calls_deviations(),
             resources_deviations(),
             prompts_deviations(),
             completion_deviations(),
             logging_deviations(),
             caching_deviations(),
             mrtr_deviations(),
             elicitation_deviations(),
             sampling_deviations(),
             roots_deviations(),
             subscriptions_deviations(),
             tasks_deviations(),
             tasks_life_deviations(),
             stdio_deviations(),
             http_deviations(),
             http_sessions_deviations(),
             http_streams_deviations(),
             http_headers_deviations(),
             header_annotations_deviations(),
             sse_deviations(),
             tasks_extension_deviations(),
             tasks_extension_making_deviations(),
             tasks_extension_life_deviations(),
             security_deviations(),
             two_users_deviations(),
         }) {
      all.insert(all.end(), page.begin(), page.end());
    }
    return all;
  }();
  return kAll;
}

}  // namespace plumbline::conformance
