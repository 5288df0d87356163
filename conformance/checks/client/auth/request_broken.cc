// Clients that ask for authorization in a wrong way, or believe what comes back.

#include <string>

#include "conformance/broken/client/wire_edits.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kStatefulAsk = "2025-11-25";
constexpr const char* kStatelessAsk = "2026-07-28";
constexpr const char* kOtherRedirect = "http://127.0.0.1:3000/other";
constexpr const char* kFarRedirect = "http://192.0.2.1/callback";
constexpr const char* kPlainVerifier = "plumbline-plain-0123456789-0123456789-0123456789";

bool asks_either(const wire::HttpRequest& request) {
  return asks_authorization(request) || asks_token(request);
}

void leaves_out_pkce(WireNotes&, wire::HttpRequest& request) {
  if (!asks_either(request)) return;
  set_parameter(request, "code_challenge", "");
  set_parameter(request, "code_challenge_method", "");
  set_parameter(request, "code_verifier", "");
}

void makes_up_verifier(WireNotes&, wire::HttpRequest& request) {
  if (!asks_token(request) || parameter(request, "code_verifier").empty()) return;
  set_parameter(request, "code_verifier", kPlainVerifier);
}

void uses_plain(WireNotes& notes, wire::HttpRequest& request) {
  makes_up_verifier(notes, request);
  if (!asks_authorization(request)) return;
  set_parameter(request, "code_challenge", kPlainVerifier);
  set_parameter(request, "code_challenge_method", "plain");
}

// add_member gives a document a member that it has not.
void add_member(wire::HttpResponse& response, const char* name, const Json& value) {
  Json document = json_of_body(response.body);
  if (!document.is_object() || document.contains(name)) return;
  document[name] = value;
  response.body = dump_json(document);
}

MoreRequests expects_pkce(WireNotes&, const wire::HttpRequest& request,
                          wire::HttpResponse& response) {
  if (asks_metadata(request)) {
    add_member(response, "code_challenge_methods_supported", Json::array({"S256"}));
  }
  return std::nullopt;
}

MoreRequests expects_pkce_of_openid(WireNotes& notes, const wire::HttpRequest& request,
                                    wire::HttpResponse& response) {
  const bool openid = request.target.find("openid") != std::string::npos;
  return openid ? expects_pkce(notes, request, response) : std::nullopt;
}

void notes_state(WireNotes& notes, wire::HttpRequest& request) {
  if (asks_authorization(request)) notes.memory = parameter(request, "state");
}

// believe_state takes what comes back for the answer to the client's question.
MoreRequests believe_state(WireNotes& notes, const wire::HttpRequest& request,
                           wire::HttpResponse& response) {
  if (!asks_authorization(request)) return std::nullopt;
  wire::Form back = brought(response);
  set_field(back, "state", notes.memory.get<std::string>());
  bring_back(response, back);
  return std::nullopt;
}

MoreRequests believe_missing_state(WireNotes& notes, const wire::HttpRequest& request,
                                   wire::HttpResponse& response) {
  const bool missing = brought(response).count("state") == 0;
  return missing ? believe_state(notes, request, response) : std::nullopt;
}

void uses_other_redirect(WireNotes&, wire::HttpRequest& request) {
  if (asks_authorization(request)) set_parameter(request, "redirect_uri", kOtherRedirect);
}

// change_registration has `change` change what the client registers.
void change_registration(wire::HttpRequest& request, void (*change)(Json& body)) {
  if (!asks_to_register(request)) return;
  Json body = json_of_body(request.body);
  change(body);
  request.body = dump_json(body);
}

void uses_far_redirect(WireNotes&, wire::HttpRequest& request) {
  change_registration(request, [](Json& body) {
    body["redirect_uris"] = Json::array({kFarRedirect});
    body["application_type"] = "web";
  });
  if (asks_authorization(request)) set_parameter(request, "redirect_uri", kFarRedirect);
}

void redeems_without_resource(WireNotes&, wire::HttpRequest& request) {
  if (asks_token(request)) set_parameter(request, "resource", "");
}

void refreshes_without_resource(WireNotes&, wire::HttpRequest& request) {
  if (!asks_token(request) || parameter(request, "grant_type") != "refresh_token") return;
  set_parameter(request, "resource", "");
}

void asks_without_resource(WireNotes&, wire::HttpRequest& request) {
  if (asks_either(request)) set_parameter(request, "resource", "");
}

// rename_resource has the client name another one, where it names one.
void rename_resource(wire::HttpRequest& request, const std::string& resource) {
  if (!asks_either(request) || parameter(request, "resource").empty()) return;
  set_parameter(request, "resource", resource);
}

void names_other_server(WireNotes&, wire::HttpRequest& request) {
  rename_resource(request, "https://somewhere.example/mcp");
}
void names_a_part(WireNotes&, wire::HttpRequest& request) {
  rename_resource(request, parameter(request, "resource") + "#tools");
}
void names_origin(WireNotes&, wire::HttpRequest& request) {
  const std::string resource = parameter(request, "resource");
  rename_resource(request, resource.substr(0, resource.rfind('/')));
}
void adds_slash(WireNotes&, wire::HttpRequest& request) {
  rename_resource(request, parameter(request, "resource") + "/");
}

void document_without_https(auth::SignInOptions& options) {
  options.client.metadata_url = "http://client.example/metadata.json";
}
void document_without_path(auth::SignInOptions& options) {
  options.client.metadata_url = "https://client.example";
}

ClientDeviation signs_in(std::string_view id, std::string_view what,
                         void (*sign_in)(auth::SignInOptions& options)) {
  ClientDeviation deviation = wrong_way(id, kStatefulAsk, what, {});
  deviation.sign_in = sign_in;
  return deviation;
}

MoreRequests expects_documents(WireNotes&, const wire::HttpRequest& request,
                               wire::HttpResponse& response) {
  if (asks_metadata(request)) add_member(response, "client_id_metadata_document_supported", true);
  return std::nullopt;
}

void asks_as_nobody(WireNotes&, wire::HttpRequest& request) {
  if (asks_authorization(request)) set_parameter(request, "client_id", "");
}

void registers_without_type(WireNotes&, wire::HttpRequest& request) {
  change_registration(request, [](Json& body) { body.erase("application_type"); });
}
void registers_for_the_web(WireNotes&, wire::HttpRequest& request) {
  change_registration(request, [](Json& body) { body["application_type"] = "web"; });
}
void registers_for_codes_alone(WireNotes&, wire::HttpRequest& request) {
  change_registration(
      request, [](Json& body) { body["grant_types"] = Json::array({"authorization_code"}); });
}

MoreRequests takes_refusal_for_success(WireNotes&, const wire::HttpRequest& request,
                                       wire::HttpResponse& response) {
  if (!asks_to_register(request) || response.status != 400) return std::nullopt;
  response.status = 201;
  response.body = R"({"client_id": "undefined"})";
  return std::nullopt;
}

// An extra registration comes in between; the client hears what it was told before.
MoreRequests registers_in_spite(WireNotes& notes, const wire::HttpRequest& request,
                                wire::HttpResponse& response) {
  if (asks_to_register(request) && notes.response) {
    response = *notes.response;
    notes.response.reset();
    return std::nullopt;
  }
  const Json document = json_of_body(response.body);
  if (!asks_metadata(request) || notes.count++ > 0 || !document.is_object()) return std::nullopt;
  notes.response = response;
  wire::HttpRequest more = request;
  more.method = "POST";
  more.target = "/grant/enrol";
  more.body = R"({"redirect_uris": ["http://127.0.0.1:3000/callback"],
                  "application_type": "native", "grant_types": ["refresh_token"]})";
  return more;
}

// change_iss replaces iss in what comes back; empty: it takes it out.
MoreRequests change_iss(wire::HttpResponse& response, const std::string& issuer) {
  wire::Form back = brought(response);
  set_field(back, "iss", issuer);
  bring_back(response, back);
  return std::nullopt;
}

MoreRequests believes_iss(WireNotes&, const wire::HttpRequest& request,
                          wire::HttpResponse& response) {
  const std::string issuer = brought(response).get("iss").value_or("");
  if (issuer.find("somebody-else") == std::string::npos) return std::nullopt;
  return change_iss(response, host_of(request));
}

MoreRequests misses_no_iss(WireNotes&, const wire::HttpRequest& request,
                           wire::HttpResponse& response) {
  if (!asks_authorization(request) || brought(response).count("iss") > 0) return std::nullopt;
  return change_iss(response, host_of(request));
}

MoreRequests wants_iss(WireNotes&, const wire::HttpRequest& request, wire::HttpResponse& response) {
  if (!asks_authorization(request) || brought(response).count("iss") > 0) return std::nullopt;
  wire::Form back = brought(response);
  set_field(back, "code", "");
  bring_back(response, back);
  return std::nullopt;
}

MoreRequests trims_iss(WireNotes&, const wire::HttpRequest&, wire::HttpResponse& response) {
  std::string issuer = brought(response).get("iss").value_or("");
  if (!issuer.ends_with('/')) return std::nullopt;
  issuer.pop_back();
  return change_iss(response, issuer);
}

MoreRequests shows_any_error(WireNotes& notes, const wire::HttpRequest&,
                             wire::HttpResponse& response) {
  notes.said += brought(response).get("error_description").value_or("");
  return std::nullopt;
}

const ClientDeviation kAuthRequestDeviations[] = {
    wrong_way("auth.pkce-used", kStatefulAsk, "knows no PKCE", {leaves_out_pkce, nullptr}),
    wrong_way("auth.pkce-used", kStatefulAsk, "redeems codes with another verifier",
              {makes_up_verifier, nullptr}),
    wrong_way("auth.pkce-s256", kStatefulAsk, "sends its verifier as the challenge",
              {uses_plain, nullptr}),
    wrong_way("auth.pkce-missing-refused", kStatefulAsk, "takes OpenID Connect to mean PKCE",
              {nullptr, expects_pkce_of_openid}, {"auth.pkce-support-verified"}),
    wrong_way("auth.pkce-support-verified", kStatefulAsk, "does not ask whether there is PKCE",
              {nullptr, expects_pkce}, {"auth.pkce-missing-refused"}),
    wrong_way("auth.state-verified", kStatefulAsk, "does not look at the state",
              {notes_state, believe_state}),
    wrong_way("auth.state-verified", kStatefulAsk, "misses no state",
              {notes_state, believe_missing_state}),
    wrong_way("auth.redirect-uris-registered", kStatefulAsk, "comes back where it never registered",
              {uses_other_redirect, nullptr}),
    wrong_way("auth.redirect-uri-localhost-or-https", kStatefulAsk,
              "has codes sent to another machine in the clear", {uses_far_redirect, nullptr}),
    wrong_way("auth.resource-in-authorization-and-token", kStatefulAsk,
              "names the resource in one request of two", {redeems_without_resource, nullptr},
              {"auth.resource-always-sent"}),
    wrong_way("auth.resource-in-authorization-and-token", kStatefulAsk,
              "leaves the resource out when it refreshes", {refreshes_without_resource, nullptr},
              {"auth.resource-always-sent"}),
    wrong_way("auth.resource-always-sent", kStatefulAsk, "names no resource",
              {asks_without_resource, nullptr}, {"auth.resource-in-authorization-and-token"}),
    wrong_way("auth.resource-identifies-server", kStatefulAsk, "names another server",
              {names_other_server, nullptr}),
    wrong_way("auth.resource-canonical-uri", kStatefulAsk, "names a fragment of the server",
              {names_a_part, nullptr}),
    wrong_way("auth.resource-most-specific", kStatefulAsk, "names the origin of the server",
              {names_origin, nullptr}),
    wrong_way("auth.resource-no-trailing-slash", kStatefulAsk, "adds a slash to the resource",
              {adds_slash, nullptr}),
    signs_in("auth.cimd-hosted-https", "has its metadata document at http", document_without_https),
    signs_in("auth.cimd-client-id-url-shape", "has its metadata document at a bare host",
             document_without_path),
    wrong_way("auth.client-checks-cimd-support", kStatefulAsk,
              "does not ask whether metadata documents are taken", {nullptr, expects_documents}),
    wrong_way("auth.client-obtains-client-id", kStatelessAsk, "asks without a client id",
              {asks_as_nobody, nullptr}),
    wrong_way("auth.dcr-application-type", kStatelessAsk, "registers without a type",
              {registers_without_type, nullptr}),
    wrong_way("auth.dcr-application-type-fits", kStatelessAsk,
              "registers for the web, with this machine's addresses",
              {registers_for_the_web, nullptr}),
    wrong_way("auth.refresh-grant-metadata", kStatelessAsk,
              "registers for codes alone, and refreshes", {registers_for_codes_alone, nullptr}),
    wrong_way("auth.dcr-failure-handled", kStatelessAsk, "takes any answer for a registration",
              {nullptr, takes_refusal_for_success}, {"auth.client-obtains-client-id"}),
    wrong_way("auth.registration-priority", kStatefulAsk, "registers whatever id it has",
              {nullptr, registers_in_spite}),
    wrong_way("auth.iss-mismatch-rejected", kStatelessAsk, "does not look at iss",
              {nullptr, believes_iss}),
    wrong_way("auth.iss-missing-when-advertised-rejected", kStatelessAsk, "misses no iss",
              {nullptr, misses_no_iss}),
    wrong_way("auth.iss-absent-unadvertised-proceeds", kStatelessAsk, "wants iss of everybody",
              {nullptr, wants_iss}),
    wrong_way("auth.iss-no-normalization", kStatelessAsk, "takes a slash more for the same issuer",
              {nullptr, trims_iss}),
    wrong_way("auth.iss-mismatch-error-not-shown", kStatelessAsk, "shows whatever error comes back",
              {nullptr, shows_any_error}),
};

}  // namespace

ClientDeviations client_auth_request_deviations() { return kAuthRequestDeviations; }

}  // namespace plumbline::conformance
