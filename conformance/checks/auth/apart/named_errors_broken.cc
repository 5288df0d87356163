// Wrong authorization servers: those that refuse what they should, by another error than the text
// names, and those that refuse or lose what clients really send.

#include <optional>
#include <string>
#include <string_view>

#include "conformance/broken/message_edits.h"
#include "conformance/broken/right_authority.h"

namespace plumbline::conformance {

namespace {

using wire::HttpRequest;
using wire::HttpResponse;

bool asks_to_authorize(const HttpRequest& request, std::string_view text) {
  return request.target.starts_with("/authorize") && request.target.find(text) != std::string::npos;
}

HttpResponse refused_by(const char* error) {
  Json body = Json::object();
  body["error"] = error;
  return {400, {{"Content-Type", "application/json"}}, dump_json(body)};
}

// tells_another has the token endpoint tell another error to who shows `text`.
void tells_another(const HttpRequest& request, HttpResponse& response, std::string_view text,
                   const char* error) {
  const bool shown = request.target == "/token" && request.body.find(text) != std::string::npos;
  if (shown && response.status == 400) response = refused_by(error);
}

// sends_another has the browser carry another error.
void sends_another(HttpResponse& response, std::string_view error, std::string_view other) {
  std::string place(response.headers.get("Location").value_or(""));
  const std::size_t at = place.find("error=" + std::string(error));
  if (at == std::string::npos) return;
  response.headers.set("Location", place.replace(at + 6, error.size(), other));
}

// back_with sends the browser of a request back with an error.
HttpResponse back_with(const HttpRequest& request, const char* error) {
  const wire::Form asked = wire::query_of(request.target);
  const wire::Form answer = {{"error", error}, {"state", asked.get("state").value_or("")}};
  return {302, {{"Location", asked.get("redirect_uri").value_or("") + "?" + answer.text()}}, ""};
}

const AuthorityDeviation kNamedErrorDeviations[] = {
    {.id = "auth.as-code-bound-to-redirect",
     .what = "takes another redirect_uri for an unauthorized client",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           tells_another(request, response, "elsewhere", "unauthorized_client");
         }},
    {.id = "auth.as-pkce-enforced",
     .what = "calls a wrong code_verifier an invalid request",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           tells_another(request, response, "code_verifier=wrong-", "invalid_request");
         }},
    {.id = "auth.as-code-bound-to-client",
     .what = "calls the code of another client an invalid request",
     .foreign_code_error = "invalid_request"},
    {.id = "auth.as-refresh-bound-to-client",
     .what = "takes another client's token for an unauthorized client",
     .foreign_refresh_error = "unauthorized_client"},
    {.id = "auth.as-refresh-scope",
     .what = "calls a wider scope an invalid request",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       if (request.body.find("plumbline.more") == std::string::npos) return std::nullopt;
       return refused_by("invalid_request");
     }},
    {.id = "auth.as-revoked-is-refused",
     .what = "refuses to revoke its own tokens",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       const bool own = request.body.find("token=refresh-") != std::string::npos;
       if (request.target != "/revoke" || !own) return std::nullopt;
       return refused_by("unsupported_token_type");
     }},
    {.id = "auth.as-response-type-checked",
     .what = "calls an unknown response type a failure of its own",
     .response =
         [](const HttpRequest&, HttpResponse& response) {
           sends_another(response, "unsupported_response_type", "server_error");
         }},
    {.id = "auth.as-pkce-required",
     .what = "calls a missing challenge a refusal of the user",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           if (asks_to_authorize(request, "code_challenge=")) return;
           sends_another(response, "invalid_request", "access_denied");
         }},
    {.id = "auth.as-pkce-method-known",
     .what = "calls an unknown method of challenges a failure of its own",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           if (!asks_to_authorize(request, "code_challenge_method=plumbline")) return;
           sends_another(response, "invalid_request", "server_error");
         }},
    {.id = "auth.as-unknown-resource",
     .what = "calls an unknown resource a failure of its own",
     .response =
         [](const HttpRequest&, HttpResponse& response) {
           sends_another(response, "invalid_target", "server_error");
         }},
    {.id = "auth.as-state-returned",
     .what = "refuses long states",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       const auto state = wire::query_of(request.target).get("state");
       if (!asks_to_authorize(request, "state=") || state->size() < 513) return std::nullopt;
       return refused_by("invalid_request");
     }},
    {.id = "auth.as-state-returned",
     .what = "loses letters of the state on its page",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           std::string place(response.headers.get("Location").value_or(""));
           const std::size_t at = place.find("%22");
           if (request.method != "POST" || at == std::string::npos) return;
           response.headers.set("Location", place.erase(at, 3));
         }},
    {.id = "auth.as-unknown-parameters",
     .what = "refuses prompt=consent",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       if (!asks_to_authorize(request, "prompt=consent")) return std::nullopt;
       return back_with(request, "invalid_request");
     }},
    {.id = "auth.as-unknown-parameters",
     .what = "refuses prompt=select_account",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       if (!asks_to_authorize(request, "prompt=select_account")) return std::nullopt;
       return back_with(request, "invalid_request");
     }},
    {.id = "auth.as-resource-taken",
     .what = "compares resources letter by letter",
     .compares_resources_by_letter = true},
};

}  // namespace

std::span<const AuthorityDeviation> named_error_deviations() { return kNamedErrorDeviations; }

}  // namespace plumbline::conformance
