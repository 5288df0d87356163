// Clients that know one form of what they meet on their way to a token.

#include <string>

#include "conformance/broken/client/wire_edits.h"

namespace plumbline::conformance {

namespace {

// reads_bare_json takes what has a charset for no JSON.
MoreRequests reads_bare_json(WireNotes&, const wire::HttpRequest& request,
                             wire::HttpResponse& response) {
  const std::string type(response.headers.get("Content-Type").value_or(""));
  if (asks_metadata(request) && type.find("charset") != std::string::npos) response.status = 500;
  return std::nullopt;
}

void cuts_its_id(WireNotes&, wire::HttpRequest& request) {
  if (!asks_authorization(request) && !asks_token(request)) return;
  const std::string id = parameter(request, "client_id");
  set_parameter(request, "client_id", id.substr(0, id.find(' ')));
}

// opens_with_tokens takes a 401 to a call for a failure.
MoreRequests opens_with_tokens(WireNotes&, const wire::HttpRequest& request,
                               wire::HttpResponse& response) {
  const bool calls = string_or(json_of_body(request.body), "method", "") == "tools/call";
  if (response.status == 401 && calls) response.status = 500;
  return std::nullopt;
}

const ClientDeviation kAuthVariedDeviations[] = {
    wrong_way("auth.client-forms-taken", "2025-11-25", "reads no JSON with a charset",
              {nullptr, reads_bare_json}),
    wrong_way("auth.client-forms-taken", "2025-11-25", "names itself by a shorter client id",
              {cuts_its_id, nullptr}),
    wrong_way("auth.client-forms-taken", "2025-11-25", "signs in for its opening alone",
              {nullptr, opens_with_tokens}),
};

}  // namespace

ClientDeviations client_auth_varied_deviations() { return kAuthVariedDeviations; }

}  // namespace plumbline::conformance
