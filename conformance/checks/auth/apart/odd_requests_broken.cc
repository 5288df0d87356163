// Wrong authorization servers: those that fail over what a stranger sends, and whose pages are good
// for one look.

#include <optional>
#include <string>
#include <string_view>

#include "conformance/broken/right_authority.h"

namespace plumbline::conformance {

namespace {

using wire::HttpRequest;
using wire::HttpResponse;

bool is_asked(const HttpRequest& request, std::string_view text) {
  return request.target.starts_with("/authorize") && request.target.find(text) != std::string::npos;
}

const AuthorityDeviation kOddRequestDeviations[] = {
    {.id = "auth.as-no-server-errors",
     .what = "fails over a state with letters beyond ASCII",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       if (!is_asked(request, "%F0%9F")) return std::nullopt;
       return HttpResponse{500, {}, "invalid header value"};
     }},
    {.id = "auth.as-no-server-errors",
     .what = "fails over redirect_uris that is null",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       if (request.body != R"({"redirect_uris": null})") return std::nullopt;
       return HttpResponse{500, {}, "undefined is not iterable"};
     }},
    {.id = "auth.as-unknown-client",
     .what = "takes an unknown client for a wrong grant",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           const std::size_t at = response.body.find("invalid_client");
           if (request.target != "/token" || at == std::string::npos) return;
           response.body.replace(at, std::string_view("invalid_client").size(), "invalid_grant");
         }},
    {.id = "auth.as-pkce-challenge-form",
     .what = "takes a challenge of any form",
     .takes_any_challenge = true},
    {.id = "auth.as-page-fetched-twice",
     .what = "has pages that a second look spoils",
     .bears_one_look = true},
    {.id = "auth.as-cookies-bounded",
     .what = "keeps a cookie for each time, and refuses who has many",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       if (request.headers.get("Cookie").value_or("").size() < 120) return std::nullopt;
       return HttpResponse{431, {}, ""};
     },
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           const std::string target(response.headers.get("Location").value_or(""));
           const std::size_t name = target.find("interaction=");
           if (!request.target.starts_with("/authorize") || name == std::string::npos) return;
           response.headers.add("Set-Cookie", "zseen-" + target.substr(name + 12) + "=approved");
         }},
};

}  // namespace

std::span<const AuthorityDeviation> odd_request_deviations() { return kOddRequestDeviations; }

}  // namespace plumbline::conformance
