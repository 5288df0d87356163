// Wrong authorization servers: those that leave the users of some clients without a code, that take
// a challenge for its verifier, and that send JSON as another type.

#include <string>
#include <string_view>

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
};

}  // namespace

std::span<const AuthorityDeviation> delivered_deviations() { return kDeliveredDeviations; }

}  // namespace plumbline::conformance
