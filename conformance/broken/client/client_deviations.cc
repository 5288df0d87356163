#include "conformance/broken/client/client_deviation.h"

namespace plumbline::conformance {

const std::vector<ClientDeviation>& all_client_deviations() {
  static const std::vector<ClientDeviation> kAll = [] {
    std::vector<ClientDeviation> all;
    for (const ClientDeviations some : {
             client_message_deviations(),
             client_opening_deviations(),
             client_http_deviations(),
             client_content_deviations(),
             client_more_deviations(),
             client_time_deviations(),
             client_task_deviations(),
         }) {
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }();
  return kAll;
}

}  // namespace plumbline::conformance
