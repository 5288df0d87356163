// Wrong authorization servers: those that refuse what they do not know or do not get, or lead
// nowhere.

#include <optional>
#include <string>
#include <string_view>

#include "conformance/broken/message_edits.h"
#include "conformance/broken/right_authority.h"

namespace plumbline::conformance {

namespace {

using wire::HttpRequest;
using wire::HttpResponse;

HttpResponse bad_request() {
  return {400, {{"Content-Type", "application/json"}}, R"({"error":"invalid_request"})"};
}

bool is_token_request(const HttpRequest& request) {
  return request.method == "POST" && request.target == "/token";
}

// refused_with_parameter refuses a request for a token with one of its parameters.
std::optional<HttpResponse> refused_with_parameter(const HttpRequest& request,
                                                   std::string_view grant, std::string_view name) {
  if (!is_token_request(request)) return std::nullopt;
  const wire::Form form = wire::Form::parse(request.body);
  const bool has = form.get("grant_type") == grant && form.count(std::string(name)) > 0;
  return has ? std::optional(bad_request()) : std::nullopt;
}

constexpr std::string_view kNotKnown = "plumbline_odd";

const AuthorityDeviation kToleranceDeviations[] = {
    {.id = "auth.as-unknown-parameters",
     .what = "authorizes nobody whose request has a parameter that it does not know",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       const bool unknown = request.target.starts_with("/authorize") &&
                            request.target.find(kNotKnown) != std::string::npos;
       return unknown ? std::optional(bad_request()) : std::nullopt;
     }},
    {.id = "auth.as-unknown-parameters",
     .what = "redeems no code that comes with a parameter that it does not know",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       return refused_with_parameter(request, "authorization_code", kNotKnown);
     }},
    {.id = "auth.as-doubled-parameters",
     .what = "takes the first of two clients",
     .takes_second_clients = true},
    {.id = "auth.as-form-encoding",
     .what = "answers who accepts JSON by name",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       if (!is_token_request(request) || request.headers.get("Accept") != "*/*") {
         return std::nullopt;
       }
       return HttpResponse{406, {}, ""};
     }},
    {.id = "auth.as-empty-parameters",
     .what = "takes an empty scope for one that it does not know",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       const bool asks = request.target.starts_with("/authorize");
       const auto scope = wire::query_of(request.target).get("scope");
       return asks && scope == "" ? std::optional(bad_request()) : std::nullopt;
     }},
    {.id = "auth.as-empty-parameters",
     .what = "takes an empty secret for a wrong one",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       return refused_with_parameter(request, "authorization_code", "client_secret");
     }},
    {.id = "auth.as-scope-optional",
     .what = "takes consent to no scope for consent to nothing",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           std::string location(response.headers.get("Location").value_or(""));
           const std::size_t code = location.find("code=");
           if (request.method != "POST" || code == std::string::npos) return;
           location.replace(code, location.find('&', code) - code, "error=access_denied");
           response.headers.set("Location", std::move(location));
         }},
    {.id = "auth.as-resource-taken",
     .what = "redeems no code that comes with a resource",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       return refused_with_parameter(request, "authorization_code", "resource");
     }},
    {.id = "auth.as-resource-taken",
     .what = "takes no refresh token that comes with a resource",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       return refused_with_parameter(request, "refresh_token", "resource");
     }},
    {.id = "auth.as-response-modes-as-listed",
     .what = "lists the response mode query, and refuses it",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       const bool asks = request.target.find("response_mode=query") != std::string::npos;
       return asks ? std::optional(bad_request()) : std::nullopt;
     }},
    {.id = "auth.as-refresh-tokens-given",
     .what = "gives no refresh token",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           if (!is_token_request(request) || response.status != 200) return;
           Json tokens = edit::read(response.body);
           tokens.erase("refresh_token");
           response.body = dump_json(tokens);
         }},
    {.id = "auth.as-tells-the-user",
     .what = "fails at a redirect that was not registered",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       const bool asks = request.target.find("plumbline-not-registered") != std::string::npos;
       if (!asks) return std::nullopt;
       return HttpResponse{500, {{"Content-Type", "text/html"}}, "<h1>Server Error</h1>"};
     }},
    {.id = "auth.as-stays-in-reach",
     .what = "sends browsers on to a host behind its proxy",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           const std::string place(response.headers.get("Location").value_or(""));
           const bool asks = request.method == "GET" && request.target.starts_with("/authorize");
           const bool good = response.status < 400 && place.find("error=") == std::string::npos;
           if (!asks || !good) return;
           response = HttpResponse{302, {{"Location", "http://api:4000" + request.target}}, ""};
         }},
};

}  // namespace

std::span<const AuthorityDeviation> tolerance_authority_deviations() {
  return kToleranceDeviations;
}

}  // namespace plumbline::conformance
