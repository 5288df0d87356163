#include <vector>

#include "conformance/checks/server/check.h"

namespace plumbline::conformance {

std::span<const ServerCheck> all_server_checks() {
  static const std::vector<ServerCheck> kAll = [] {
    std::vector<ServerCheck> all;
    for (const ServerChecks page : {
             lifecycle_checks(),
             statelessness_checks(),
             versioning_checks(),
             discover_checks(),
             base_checks(),
             schema_checks(),
             jsonrpc_checks(),
             ping_checks(),
             cancellation_checks(),
             progress_checks(),
             pagination_checks(),
             tools_checks(),
             tools_calls_checks(),
             resources_checks(),
             resources_watched_checks(),
             prompts_checks(),
             completion_checks(),
             logging_checks(),
             caching_checks(),
             mrtr_checks(),
             elicitation_checks(),
             elicitation_answers_checks(),
             sampling_checks(),
             roots_checks(),
             subscriptions_checks(),
             tasks_checks(),
             tasks_life_checks(),
             tasks_extension_checks(),
             tasks_extension_making_checks(),
             tasks_extension_life_checks(),
             tasks_extension_listening_checks(),
             stdio_checks(),
             http_checks(),
             http_sessions_checks(),
             http_streams_checks(),
             http_headers_checks(),
             header_annotations_checks(),
             sse_checks(),
             security_checks(),
             two_users_checks(),
         }) {
      all.insert(all.end(), page.begin(), page.end());
    }
    return all;
  }();
  return kAll;
}

}  // namespace plumbline::conformance
