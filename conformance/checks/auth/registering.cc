#include "conformance/checks/auth/registering.h"

#include <utility>

#include "core/base/base64.h"

namespace plumbline::conformance {

bool has_registration(const AuthProbe& probe) {
  return !probe.authority().member("registration_endpoint").empty();
}

bool is_registered(const Reply& reply) {
  const bool good = reply.status == 200 || reply.status == 201;
  return good && !string_or(json_in(reply), "client_id", "").empty();
}

std::string closed_registration(const Reply& reply) {
  const int status = reply.status;
  if (status == 0) return "its registration endpoint gave " + reply.describe();
  const bool kept = status == 401 || status == 403 || status == 429 || status >= 500;
  return kept ? "its registration endpoint answers status " + std::to_string(status)
              : std::string();
}

std::vector<SparseRegistration> sparse_registrations(const AuthProbe& probe) {
  std::vector<SparseRegistration> all;
  for (const char* const member :
       {"client_name", "token_endpoint_auth_method", "response_types", "grant_types"}) {
    all.push_back({member, usual_registration(probe)});
    all.back().about.erase(member);
  }
  return all;
}

Task<Reply> with_secret(AuthProbe& probe, std::string method, std::string id, std::string secret) {
  wire::HttpRequest request;
  request.method = "POST";
  request.headers.set("Accept", "application/json");
  request.headers.set("Content-Type", "application/x-www-form-urlencoded");
  wire::Form form = {{"grant_type", "refresh_token"}, {"refresh_token", kUnknownSecret}};
  if (method == "client_secret_post") {
    form.add("client_id", id);
    form.add("client_secret", secret);
  } else {
    // RFC 6749, section 2.3.1: each is encoded as in a form before they are joined.
    const std::string one = wire::Form{{"", id}}.text().substr(1);
    const std::string other = wire::Form{{"", secret}}.text().substr(1);
    request.headers.set("Authorization", "Basic " + encode_base64(one + ":" + other));
  }
  request.body = form.text();
  std::string endpoint = probe.authority().member("token_endpoint");
  Reply reply = co_await probe.ask(std::move(endpoint), std::move(request));
  co_return reply;
}

Task<Registered> register_for(AuthProbe& probe, std::string method) {
  Json about = usual_registration(probe);
  about["token_endpoint_auth_method"] = method;
  std::string endpoint = probe.authority().member("registration_endpoint");
  const Reply reply = co_await probe.register_at(std::move(endpoint), std::move(about));
  Registered made;
  if (!is_registered(reply)) co_return made;
  made.answer = json_in(reply);
  if (string_or(made.answer, "token_endpoint_auth_method", method) != method) co_return made;
  made.id = string_or(made.answer, "client_id", "");
  made.secret = string_or(made.answer, "client_secret", "");
  co_return made;
}

}  // namespace plumbline::conformance
