// Wrong authorization servers: those that leave the users of some clients without a code, that take
// a challenge for its verifier, that send JSON as another type, whose page may be put into a frame,
// and whose metadata for OpenID Connect is that of OAuth.

#include <optional>
#include <string>
#include <string_view>

#include "conformance/broken/message_edits.h"
#include "conformance/broken/right_authority.h"

namespace plumbline::conformance {

namespace {

using wire::HttpRequest;
using wire::HttpResponse;

// ends_at_home sends the browser to a page of its own, where it had to bring a code to `start`.
void ends_at_home(const HttpRequest& request, HttpResponse& response, std::string_view start) {
  const std::string place(response.headers.get("Location").value_or(""));
  if (request.method == "POST" && place.starts_with(start)) response.headers.set("Location", "/");
}

// sends_as gives the JSON at `place` another type, where it has a status of this hundred.
void sends_as(const HttpRequest& request, HttpResponse& response, std::string_view place,
              int hundred, const char* type) {
  const bool meant = request.target.starts_with(place) && response.status / 100 == hundred;
  if (meant && !response.body.empty()) response.headers.set("Content-Type", type);
}

constexpr const char* kFrameOptions = "X-Frame-Options";
constexpr const char* kFramePolicy = "Content-Security-Policy";

// unframe takes out of an answer what keeps it out of frames.
void unframe(HttpResponse& response) {
  response.headers.erase(kFrameOptions);
  response.headers.erase(kFramePolicy);
}

// without_same_site has a cookie go everywhere.
void without_same_site(HttpResponse& response) {
  const std::string cookie(response.headers.get("Set-Cookie").value_or(""));
  if (!cookie.empty()) response.headers.set("Set-Cookie", cookie.substr(0, cookie.find(';')));
}

bool is_openid_place(const HttpRequest& request) {
  return request.target.find("/openid-configuration") != std::string::npos;
}

// changes_openid changes a document of OpenID Connect.
void changes_openid(const HttpRequest& request, HttpResponse& response,
                    void (*change)(Json& document)) {
  if (!is_openid_place(request)) return;
  Json document = edit::read(response.body);
  change(document);
  response.body = dump_json(document);
}

void as_oauth_alone(Json& document) {
  for (const char* const member :
       {"jwks_uri", "subject_types_supported", "id_token_signing_alg_values_supported"}) {
    document.erase(member);
  }
}

const AuthorityDeviation kDeliveredDeviations[] = {
    {.id = "auth.as-answers-with-a-code",
     .what = "leaves users of clients at loopback addresses at home",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           ends_at_home(request, response, "http://127.0.0.1");
         }},
    {.id = "auth.as-answers-with-a-code",
     .what = "leaves users of clients on the web at home",
     .response = [](const HttpRequest& request,
                    HttpResponse& response) { ends_at_home(request, response, "https:"); }},
    {.id = "auth.as-answers-with-a-code",
     .what = "refuses clients at localhost when their user has said yes",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           const std::string place(response.headers.get("Location").value_or(""));
           const bool sent = request.method == "POST" && place.starts_with("http://localhost");
           if (sent) response = HttpResponse{400, {}, "This address may not be."};
         }},
    {.id = "auth.as-pkce-enforced",
     .what = "takes a challenge as its own verifier",
     .takes_the_challenge = true},
    {.id = "auth.as-pkce-method-known",
     .what = "takes a challenge without a method for a plain one",
     .plain_if_bare = true},
    {.id = "auth.as-registration-answer",
     .what = "answers registrations in plain text",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           sends_as(request, response, "/register", 2, "text/plain; charset=utf-8");
         }},
    {.id = "auth.as-registration-errors",
     .what = "refuses registrations in text/html",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           sends_as(request, response, "/register", 4, "text/html");
         }},
    {.id = "auth.as-token-answer",
     .what = "gives tokens in plain text",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           sends_as(request, response, "/token", 2, "text/plain");
         }},
    {.id = "auth.as-metadata-members",
     .what = "publishes its metadata as bytes",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           sends_as(request, response, "/.well-known/", 2, "application/octet-stream");
         }},
    {.id = "auth.as-asks-in-no-frame",
     .what = "lets its page be put into a frame, and its cookie into that",
     .response =
         [](const HttpRequest&, HttpResponse& response) {
           unframe(response);
           without_same_site(response);
         }},
    {.id = "auth.as-asks-in-no-frame",
     .what = "leaves it to its cookie that its page is in no frame",
     .response = [](const HttpRequest&, HttpResponse& response) { unframe(response); }},
    {.id = "auth.as-asks-in-no-frame",
     .what = "has everybody for an ancestor",
     .response =
         [](const HttpRequest&, HttpResponse& response) {
           if (response.headers.count(kFramePolicy) == 0) return;
           response.headers.set(kFramePolicy, "frame-ancestors *");
         }},
    {.id = "auth.as-asks-in-no-frame",
     .what = "allows all frames by a word that nobody knows",
     .response =
         [](const HttpRequest&, HttpResponse& response) {
           if (response.headers.count(kFramePolicy) == 0) return;
           unframe(response);
           response.headers.set(kFrameOptions, "ALLOWALL");
         }},
    {.id = "auth.as-asks-in-no-frame",
     .what = "has its policy of frames in the page",
     .response =
         [](const HttpRequest&, HttpResponse& response) {
           if (response.headers.count(kFramePolicy) == 0) return;
           unframe(response);
           response.body =
               "<meta http-equiv=\"Content-Security-Policy\" "
               "content=\"frame-ancestors 'none'\">" +
               response.body;
         }},
    {.id = "auth.as-openid-members",
     .what = "has metadata of OAuth for OpenID Connect",
     .response = [](const HttpRequest& request,
                    HttpResponse& response) { changes_openid(request, response, as_oauth_alone); }},
    {.id = "auth.as-openid-members",
     .what = "has metadata of OAuth for OpenID Connect, and nothing else",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       if (request.target.find("/oauth-authorization-server") == std::string::npos) {
         return std::nullopt;
       }
       return HttpResponse{404, {}, ""};
     },
     .response = [](const HttpRequest& request,
                    HttpResponse& response) { changes_openid(request, response, as_oauth_alone); }},
    {.id = "auth.as-openid-members",
     .what = "names the algorithm of its ID tokens in a text",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           changes_openid(request, response, [](Json& document) {
             document["id_token_signing_alg_values_supported"] = "RS256";
           });
         }},
};

}  // namespace

std::span<const AuthorityDeviation> delivered_deviations() { return kDeliveredDeviations; }

}  // namespace plumbline::conformance
