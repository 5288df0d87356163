// Wrong authorization servers: those that know a client by what it does not have to say, and those
// that tell somebody who is not known something else.

#include <optional>
#include <string>
#include <string_view>

#include "conformance/broken/message_edits.h"
#include "conformance/broken/right_authority.h"

namespace plumbline::conformance {

namespace {

using wire::HttpRequest;
using wire::HttpResponse;

// is_without returns whether a registration with redirect URIs leaves `member` out.
bool is_without(const HttpRequest& request, const std::string& member) {
  if (request.method != "POST" || request.target != "/register") return false;
  const Json about = edit::read(request.body);
  const Json* const uris = find(about, "redirect_uris");
  return uris != nullptr && uris->is_array() && !uris->empty() && !about.contains(member);
}

std::optional<HttpResponse> wants_named(const HttpRequest& request, const std::string& member,
                                        const std::string& error) {
  if (!is_without(request, member)) return std::nullopt;
  return HttpResponse{400, {}, R"({"error":")" + error + R"("})"};
}

// forgets_without registers a client that leaves `member` out, and does not keep it.
std::optional<HttpResponse> forgets_without(const HttpRequest& request, const std::string& member) {
  if (!is_without(request, member)) return std::nullopt;
  Json about = edit::read(request.body);
  about["client_id"] = "not-kept";
  return HttpResponse{201, {{"Content-Type", "application/json"}}, dump_json(about)};
}

// calls_nobody answers a client that nobody knows by `error`, where it shows `text`.
std::optional<HttpResponse> calls_nobody(const HttpRequest& request, std::string_view place,
                                         std::string_view text, const std::string& error) {
  const bool unknown = request.body.find("plumbline-unknown-client") != std::string::npos;
  const bool shown = request.body.find(text) != std::string::npos;
  if (request.target != place || !unknown || !shown) return std::nullopt;
  return HttpResponse{
      400, {{"Content-Type", "application/json"}}, R"({"error":")" + error + R"("})"};
}

const AuthorityDeviation kSparseDeviations[] = {
    {.id = "auth.as-registration-optional-members",
     .what = "wants each response type named",
     .request =
         [](const HttpRequest& request) {
           return wants_named(request, "response_types", "invalid_request");
         }},
    {.id = "auth.as-registered-is-served",
     .what = "does not keep clients without a name",
     .request = [](const HttpRequest& request) { return forgets_without(request, "client_name"); }},
    {.id = "auth.as-registered-is-served",
     .what = "does not keep clients without grants",
     .request = [](const HttpRequest& request) { return forgets_without(request, "grant_types"); }},
    {.id = "auth.as-registration-errors",
     .what = "registers who says nothing of redirects",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       const bool asked = request.method == "POST" && request.target == "/register";
       if (!asked || !edit::read(request.body).is_object()) return std::nullopt;
       Json about = edit::read(request.body);
       if (about.contains("redirect_uris")) return std::nullopt;
       about["client_id"] = "nowhere";
       return HttpResponse{201, {{"Content-Type", "application/json"}}, dump_json(about)};
     }},
    {.id = "auth.as-unknown-client",
     .what = "takes an unknown client for one that may not",
     .request =
         [](const HttpRequest& request) {
           return calls_nobody(request, "/token", "refresh_token", "unauthorized_client");
         }},
    {.id = "auth.as-unknown-client",
     .what = "takes an unknown client with a code for one that may not",
     .request =
         [](const HttpRequest& request) {
           return calls_nobody(request, "/token", "authorization_code", "unauthorized_client");
         }},
    {.id = "auth.as-unknown-client",
     .what = "has no words for an unknown client with a code",
     .request =
         [](const HttpRequest& request) {
           return calls_nobody(request, "/token", "authorization_code", "invalid_request");
         }},
    {.id = "auth.as-unknown-client",
     .what = "refuses who is not known by a wrong word at its revocation",
     .request =
         [](const HttpRequest& request) {
           return calls_nobody(request, "/revoke", "token=", "unauthorized_client");
         }},
};

}  // namespace

std::span<const AuthorityDeviation> sparse_authority_deviations() { return kSparseDeviations; }

}  // namespace plumbline::conformance
