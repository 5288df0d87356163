#include "conformance/checks/gateway/calls/progress.h"

namespace plumbline::conformance {

std::vector<Json> progress_by_token(const std::vector<KeptJson>& messages,
                                    const std::string& token) {
  std::vector<Json> found;
  for (const KeptJson& along : messages) {
    const Json& message = *along;
    const Json* const said = at_pointer(message, "/params/progressToken");
    const Json* const progress = at_pointer(message, "/params/progress");
    if (said != nullptr && *said == Json(token) && progress != nullptr) {
      found.push_back(*progress);
    }
  }
  return found;
}

Task<std::vector<Json>> progress_on_get(GatewayProbe* probe, Session* session, std::string token) {
  if (!session->wire().http()) co_return std::vector<Json>();
  Client client(*session, probe->check());
  co_await client.hush();
  const Inbox& inbox = session->wire().inbox();
  std::vector<KeptJson> came;
  for (const Frame& frame : inbox.frames) {
    if (inbox.exchanges[frame.exchange].method == "GET") came.push_back(frame.message);
  }
  co_return progress_by_token(came, token);
}

}  // namespace plumbline::conformance
