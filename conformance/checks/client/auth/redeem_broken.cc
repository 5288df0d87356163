// Clients that redeem codes at a wrong place, as nobody, in another form, or without one.

#include <string>

#include "conformance/broken/client/wire_edits.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kStatefulRedeem = "2025-11-25";
constexpr const char* kStatelessRedeem = "2026-07-28";

bool redeems_a_code(const wire::HttpRequest& request) {
  return asks_token(request) && parameter(request, "grant_type") == "authorization_code";
}

void redeems_at_the_server(WireNotes& notes, wire::HttpRequest& request) {
  if (asks_server(request)) notes.memory = std::string(request.headers.get("Host").value_or(""));
  if (!asks_token(request) || !notes.memory.is_string()) return;
  request.target = "/mcp";
  request.headers.set("Host", notes.memory.get<std::string>());
}

void redeems_where_it_was_granted(WireNotes&, wire::HttpRequest& request) {
  if (asks_token(request)) request.target = "/grant/ask";
}

void redeems_at_the_issuer(WireNotes&, wire::HttpRequest& request) {
  if (asks_token(request)) request.target = "/";
}

void redeems_as_nobody(WireNotes&, wire::HttpRequest& request) {
  if (redeems_a_code(request)) set_parameter(request, "client_id", "");
}

void redeems_as_undefined(WireNotes&, wire::HttpRequest& request) {
  if (redeems_a_code(request)) set_parameter(request, "client_id", "undefined");
}

void redeems_as_another(WireNotes&, wire::HttpRequest& request) {
  if (redeems_a_code(request)) set_parameter(request, "client_id", "plumbline");
}

void redeems_by_json(WireNotes&, wire::HttpRequest& request) {
  if (!redeems_a_code(request)) return;
  Json body(Json::value_t::object);
  const wire::Form form = wire::Form::parse(request.body);
  for (const auto& [name, value] : form.fields()) body[name] = value;
  request.body = dump_json(body);
  request.headers.set("Content-Type", "application/json");
}

void redeems_by_get(WireNotes&, wire::HttpRequest& request) {
  if (!redeems_a_code(request) || request.method != "POST") return;
  request.target += "?" + request.body;
  request.method = "GET";
  request.body.clear();
  request.headers.erase("Content-Type");
}

void redeems_without_a_type(WireNotes&, wire::HttpRequest& request) {
  if (redeems_a_code(request)) request.headers.erase("Content-Type");
}

// hears_no_refusal goes on with the code that it takes out of an answer without one.
MoreRequests hears_no_refusal(WireNotes&, const wire::HttpRequest& request,
                              wire::HttpResponse& response) {
  wire::Form back = brought(response);
  if (!asks_authorization(request) || back.get("error") != "access_denied") return std::nullopt;
  set_field(back, "error", "");
  set_field(back, "error_description", "");
  set_field(back, "code", "undefined");
  bring_back(response, back);
  return std::nullopt;
}

void redeems_no_code(WireNotes&, wire::HttpRequest& request) {
  if (redeems_a_code(request) && parameter(request, "code") == "undefined") {
    set_parameter(request, "code", "");
  }
}

// asks_on asks its user again where that has refused.
MoreRequests asks_on(WireNotes& notes, const wire::HttpRequest& request,
                     wire::HttpResponse& response) {
  const bool refused = brought(response).get("error") == "access_denied";
  if (!asks_authorization(request) || !refused || notes.count++ > 6) return std::nullopt;
  return request;
}

const ClientDeviation kAuthRedeemDeviations[] = {
    wrong_way("auth.client-reads-as-metadata", kStatefulRedeem,
              "redeems its code at the address of the server", {redeems_at_the_server, nullptr}),
    wrong_way("auth.client-reads-as-metadata", kStatefulRedeem,
              "redeems its code at the authorization endpoint",
              {redeems_where_it_was_granted, nullptr}),
    wrong_way("auth.client-reads-as-metadata", kStatefulRedeem,
              "redeems its code at the address of the issuer", {redeems_at_the_issuer, nullptr}),
    wrong_way("auth.code-names-the-client", kStatefulRedeem, "redeems its code without client_id",
              {redeems_as_nobody, nullptr}),
    wrong_way("auth.code-names-the-client", kStatelessRedeem,
              "redeems its code as the client \"undefined\"", {redeems_as_undefined, nullptr},
              {"auth.client-forms-taken"}),
    wrong_way("auth.code-names-the-client", kStatefulRedeem, "redeems its code as another client",
              {redeems_as_another, nullptr}, {"auth.client-forms-taken"}),
    wrong_way("auth.code-redeemed-by-form", kStatefulRedeem, "redeems its code by JSON",
              {redeems_by_json, nullptr}),
    wrong_way("auth.code-redeemed-by-form", kStatefulRedeem, "redeems its code by GET",
              {redeems_by_get, nullptr}),
    wrong_way("auth.code-redeemed-by-form", kStatefulRedeem,
              "redeems its code without Content-Type", {redeems_without_a_type, nullptr}),
    wrong_way("auth.refusal-heeded", kStatefulRedeem, "asks for a token without a code",
              {redeems_no_code, hears_no_refusal}),
    wrong_way("auth.refusal-heeded", kStatefulRedeem, "redeems the word undefined",
              {nullptr, hears_no_refusal}),
    wrong_way("auth.refusal-heeded", kStatefulRedeem, "asks its user again and again",
              {nullptr, asks_on}),
};

}  // namespace

ClientDeviations client_auth_redeem_deviations() { return kAuthRedeemDeviations; }

}  // namespace plumbline::conformance
