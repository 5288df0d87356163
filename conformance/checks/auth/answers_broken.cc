// Wrong authorization servers: what their clients count on does not hold.

#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "conformance/broken/message_edits.h"
#include "conformance/broken/right_authority.h"

namespace plumbline::conformance {

namespace {

using wire::HttpRequest;
using wire::HttpResponse;

bool goes_to(const HttpRequest& request, std::string_view path) {
  return std::string_view(request.target).substr(0, request.target.find('?')) == path;
}

bool asks_for_metadata(const HttpRequest& request) {
  return request.target.starts_with("/.well-known/");
}

void put(HttpResponse& response, std::string_view member, Json value) {
  if (response.status / 100 != 2) return;
  Json document = edit::read(response.body);
  document[member] = std::move(value);
  response.body = dump_json(document);
}

std::string location_in(const HttpResponse& response) {
  return std::string(response.headers.get("Location").value_or(""));
}

const AuthorityDeviation kAnswerDeviations[] = {
    {.id = "auth.as-cors-throughout",
     .what = "lets pages read its metadata, unless their browser asks first",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       if (request.method != "OPTIONS" || !asks_for_metadata(request)) return std::nullopt;
       return HttpResponse{404, {}, ""};
     }},
    {.id = "auth.as-registration-optional-members",
     .what = "registers no client without a name",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       const bool named = request.body.find("client_name") != std::string::npos;
       if (request.method != "POST" || !goes_to(request, "/register") || named) return std::nullopt;
       return HttpResponse{400, {}, R"({"error":"invalid_client_metadata"})"};
     }},
    {.id = "auth.as-methods-as-listed",
     .what = "lists client_secret_basic and reads no Authorization header",
     .reads_no_authorization = true},
    {.id = "auth.as-listed-scopes-granted",
     .what = "lists a scope that nobody may ask for",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       const wire::Form form = wire::query_of(request.target);
       const bool asks = form.get("scope").value_or("").find("offline") != std::string::npos;
       if (!goes_to(request, "/authorize") || !asks) return std::nullopt;
       wire::Form answer = {{"error", "invalid_scope"}, {"state", form.get("state").value_or("")}};
       return HttpResponse{
           302, {{"Location", form.get("redirect_uri").value_or("") + "?" + answer.text()}}, ""};
     },
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           if (!asks_for_metadata(request)) return;
           put(response, "scopes_supported", Json::array({"notes", "offline_access"}));
         }},
    {.id = "auth.as-answers-with-a-code",
     .what = "sends the browser back with nothing",
     .response =
         [](const HttpRequest&, HttpResponse& response) {
           const std::string location = location_in(response);
           if (location.find("&code=") == std::string::npos) return;
           response.headers.set("Location", location.substr(0, location.find('?')));
         }},
    {.id = "auth.as-answers-with-a-code",
     .what = "answers with the code in JSON",
     .response =
         [](const HttpRequest&, HttpResponse& response) {
           const wire::Form back = wire::query_of(location_in(response));
           const std::optional<std::string> code = back.get("code");
           if (!code) return;
           Json body = Json::object({{"code", *code}, {"state", back.get("state").value_or("")}});
           response = HttpResponse{200, {{"Content-Type", "application/json"}}, dump_json(body)};
         },
     .asks_nobody = true,
     .also = {"auth.as-auto-redirect-only-trusted"}},
    {.id = "auth.as-errors-reach-the-client",
     .what = "shows a page where it owes the client an error",
     .response =
         [](const HttpRequest&, HttpResponse& response) {
           const std::string location = location_in(response);
           const bool owes = location.find("error=unsupported") != std::string::npos ||
                             location.find("error=invalid") != std::string::npos;
           if (owes)
             response = HttpResponse{400, {{"Content-Type", "text/html"}}, "<h1>Error</h1>"};
         }},
};

const AuthorityDeviation kApartAuthorities[] = {
    {.id = "auth.as-code-used-once",
     .what = "forgets a code a moment after it was redeemed",
     .asks_nobody = true,
     .forgets_codes_later = true,
     .also = {"auth.as-auto-redirect-only-trusted"}},
    {.id = "auth.as-refresh-used-once",
     .what = "forgets a refresh token a moment after it was used",
     .asks_nobody = true,
     .forgets_refreshes_later = true,
     .also = {"auth.as-auto-redirect-only-trusted"}},
    {.id = "auth.as-code-bound-to-redirect",
     .what = "takes any redirect_uri with a code",
     .asks_nobody = true,
     .takes_other_redirects = true,
     .also = {"auth.as-auto-redirect-only-trusted"}},
    {.id = "auth.as-refresh-scope",
     .what = "gives the scope that a refresh asks for",
     .asks_nobody = true,
     .widens_scopes = true,
     .also = {"auth.as-auto-redirect-only-trusted"}},
    {.id = "auth.as-registrations-apart",
     .what = "knows clients by their names",
     .knows_clients_by_name = true,
     .also = {"auth.as-errors-reach-the-client", "auth.as-methods-as-listed",
              "auth.as-listed-scopes-granted", "auth.as-code-redeemed"}},
};

}  // namespace

std::span<const AuthorityDeviation> all_authority_deviations() {
  static const std::vector<AuthorityDeviation> all = [] {
    const auto first = authority_deviations();
    std::vector<AuthorityDeviation> both(first.begin(), first.end());
    both.insert(both.end(), std::begin(kAnswerDeviations), std::end(kAnswerDeviations));
    for (const auto& more : {apart_authority_deviations(), grant_authority_deviations(),
                             tolerance_authority_deviations(), odd_request_deviations(),
                             main_way_deviations(), named_error_deviations(), status_deviations(),
                             sparse_authority_deviations(), delivered_deviations()}) {
      both.insert(both.end(), more.begin(), more.end());
    }
    return both;
  }();
  return all;
}

std::span<const AuthorityDeviation> apart_authority_deviations() { return kApartAuthorities; }

}  // namespace plumbline::conformance
