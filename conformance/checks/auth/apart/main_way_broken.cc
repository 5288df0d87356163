// Wrong authorization servers: those whose way leads nowhere, at one step of it.

#include <optional>
#include <string>
#include <string_view>

#include "conformance/broken/message_edits.h"
#include "conformance/broken/right_authority.h"

namespace plumbline::conformance {

namespace {

using wire::HttpRequest;
using wire::HttpResponse;

bool is_for_place(const HttpRequest& request, std::string_view path) {
  return std::string_view(request.target).substr(0, request.target.find('?')) == path;
}

bool token_shown(const HttpRequest& request, std::string_view text) {
  return is_for_place(request, "/token") && request.body.find(text) != std::string::npos;
}

HttpResponse refused_grant() {
  return {400, {{"Content-Type", "application/json"}}, R"({"error":"invalid_grant"})"};
}

std::string redirect_in(const HttpResponse& response) {
  return std::string(response.headers.get("Location").value_or(""));
}

// names_itself answers with the metadata of an MCP server beside it.
std::optional<HttpResponse> names_itself(const HttpRequest& request) {
  if (!is_for_place(request, "/.well-known/oauth-protected-resource")) return std::nullopt;
  const std::string issuer = "http://" + std::string(request.headers.get("Host").value_or(""));
  return HttpResponse{
      200,
      {{"Content-Type", "application/json"}},
      R"({"resource":")" + issuer + R"(/mcp","authorization_servers":[")" + issuer + R"("]})"};
}

// is_for_its_resource returns whether a form names the resource of names_itself.
bool is_for_its_resource(const wire::Form& form) {
  return form.get("resource").value_or("").ends_with("/mcp");
}

HttpResponse refused_target() {
  return {400, {{"Content-Type", "application/json"}}, R"({"error":"invalid_target"})"};
}

const AuthorityDeviation kMainWayDeviations[] = {
    {.id = "auth.as-good-request-taken",
     .what = "refuses the resource whose metadata names it",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       const bool asked = is_for_place(request, "/authorize");
       if (!asked || !is_for_its_resource(wire::query_of(request.target))) {
         return names_itself(request);
       }
       return refused_target();
     }},
    {.id = "auth.as-good-request-taken",
     .what = "redeems no code for the resource whose metadata names it",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       const bool shown = token_shown(request, "=authorization_code");
       if (!shown || !is_for_its_resource(wire::Form::parse(request.body))) {
         return names_itself(request);
       }
       return refused_target();
     }},
    {.id = "auth.as-way-to-a-client-id",
     .what = "has no way to a client_id",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       if (!is_for_place(request, "/register")) return std::nullopt;
       return HttpResponse{404, {}, ""};
     },
     .response =
         [](const HttpRequest&, HttpResponse& response) {
           if (response.body.find("registration_endpoint") == std::string::npos) return;
           Json document = edit::read(response.body);
           document.erase("registration_endpoint");
           document.erase("client_id_metadata_document_supported");
           response.body = dump_json(document);
         },
     .also = {"auth.cimd-as-support"}},
    {.id = "auth.as-registers-clients",
     .what = "registers nobody",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       if (request.method != "POST" || !is_for_place(request, "/register")) return std::nullopt;
       return HttpResponse{
           400, {{"Content-Type", "application/json"}}, R"({"error":"invalid_client_metadata"})"};
     }},
    {.id = "auth.as-registers-clients",
     .what = "fails at each registration",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       if (request.method != "POST" || !is_for_place(request, "/register")) return std::nullopt;
       return HttpResponse{500, {}, "no such table: clients"};
     },
     .also = {"auth.as-no-server-errors", "auth.as-registration-errors"}},
    {.id = "auth.as-registration-errors",
     .what = "refuses registrations by a word",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       if (request.method != "POST" || !is_for_place(request, "/register")) return std::nullopt;
       return HttpResponse{403, {{"Content-Type", "text/plain"}}, "Forbidden"};
     }},
    {.id = "auth.as-good-request-taken",
     .what = "answers each good request by server_error",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           if (redirect_in(response).find("/login?") == std::string::npos) return;
           const wire::Form asked = wire::query_of(request.target);
           const std::string host(request.headers.get("Host").value_or(""));
           const wire::Form answer = {{"state", asked.get("state").value_or("")},
                                      {"iss", "http://" + host},
                                      {"error", "server_error"}};
           const std::string uri = asked.get("redirect_uri").value_or("");
           const std::string sign = uri.find('?') == std::string::npos ? "?" : "&";
           response.headers.set("Location", uri + sign + answer.text());
         },
     .also = {"auth.as-scope-optional"}},
    {.id = "auth.as-good-request-taken",
     .what = "fails when its user has said yes",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           if (request.method == "POST" && is_for_place(request, "/login")) {
             response = HttpResponse{500, {}, "no such table: codes"};
           }
         }},
    {.id = "auth.as-form-not-posted-on",
     .what = "answers the form of consent by 307",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           if (request.method == "POST" && response.status == 302) response.status = 307;
         }},
    {.id = "auth.as-code-redeemed",
     .what = "redeems no code",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       return token_shown(request, "=authorization_code") ? std::optional(refused_grant())
                                                          : std::nullopt;
     }},
    {.id = "auth.as-code-redeemed",
     .what = "writes codes into redirects as they are",
     .response =
         [](const HttpRequest&, HttpResponse& response) {
           std::string place = redirect_in(response);
           const std::size_t code = place.find("&code=");
           const std::size_t plus = code == std::string::npos ? code : place.find("%2B", code);
           if (plus == std::string::npos) return;
           response.headers.set("Location", place.replace(plus, 3, "+"));
         }},
    {.id = "auth.as-refresh-redeemed",
     .what = "takes no refresh token",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       return token_shown(request, "refresh_token=refresh-") ? std::optional(refused_grant())
                                                             : std::nullopt;
     }},
    {.id = "auth.as-refresh-redeemed",
     .what = "refuses a refresh that names its scope",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       const bool named =
           token_shown(request, "scope=notes") && request.body.find("more") == std::string::npos;
       if (!named) return std::nullopt;
       return HttpResponse{400, {}, R"({"error":"invalid_scope"})"};
     }},
    {.id = "auth.as-refresh-redeemed",
     .what = "takes a refresh token once, and none that came for it",
     .ends_after_one_refresh = true},
    {.id = "auth.as-code-redeemed",
     .what = "redeems no code with a long verifier",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       const std::string verifier =
           wire::Form::parse(request.body).get("code_verifier").value_or("");
       return verifier.size() > 64 ? std::optional(refused_grant()) : std::nullopt;
     }},
    {.id = "auth.as-answers-with-a-code",
     .what = "sends codes behind #",
     .response =
         [](const HttpRequest&, HttpResponse& response) {
           std::string place = redirect_in(response);
           const std::size_t query = place.find('?');
           if (place.find("&code=") == std::string::npos || query == std::string::npos) return;
           place[query] = '#';
           response.headers.set("Location", place);
         }},
    {.id = "auth.as-state-returned",
     .what = "sends a state that was not asked for",
     .response =
         [](const HttpRequest&, HttpResponse& response) {
           std::string place = redirect_in(response);
           const std::size_t state = place.find("?state=&");
           if (state == std::string::npos) return;
           response.headers.set("Location", place.insert(state + 7, "undefined"));
         }},
    {.id = "auth.as-token-answer",
     .what = "gives tokens in a form",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           const bool given = token_shown(request, "=authorization_code") && response.status == 200;
           if (given) response.body = "access_token=a&token_type=Bearer";
         }},
};

}  // namespace

std::span<const AuthorityDeviation> main_way_deviations() { return kMainWayDeviations; }

}  // namespace plumbline::conformance
