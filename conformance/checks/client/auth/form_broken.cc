// Clients that know one form of a challenge, and one of an answer with a token.

#include <string>

#include "conformance/broken/client/wire_edits.h"

namespace plumbline::conformance {

namespace {

MoreRequests skips_no_blanks(WireNotes&, const wire::HttpRequest&, wire::HttpResponse& response) {
  const std::string challenge(response.headers.get("WWW-Authenticate").value_or(""));
  if (challenge.find(" = ") != std::string::npos) {
    response.headers.set("WWW-Authenticate", "Bearer");
  }
  return std::nullopt;
}

// wants_a_life_span takes what has no expires_in for a failure.
MoreRequests wants_a_life_span(WireNotes&, const wire::HttpRequest& request,
                               wire::HttpResponse& response) {
  const bool token = asks_token(request) && response.status == 200;
  if (token && response.body.find("expires_in") == std::string::npos) response.status = 500;
  return std::nullopt;
}

// forgets_refresh_tokens refreshes with nothing where the last answer had no refresh token.
MoreRequests forgets_refresh_tokens(WireNotes& notes, const wire::HttpRequest& request,
                                    wire::HttpResponse& response) {
  if (asks_token(request) && response.status == 200) {
    notes.count = response.body.find("refresh_token") == std::string::npos ? 1 : 0;
  }
  return std::nullopt;
}

void shows_what_it_kept(WireNotes& notes, wire::HttpRequest& request) {
  const bool refreshes = asks_token(request) && parameter(request, "grant_type") == "refresh_token";
  if (refreshes && notes.count == 1) set_parameter(request, "refresh_token", "undefined");
}

void asks_by_a_second_mark(WireNotes&, wire::HttpRequest& request) {
  const std::size_t query = request.target.find("?tenant=");
  if (!asks_authorization(request) || query == std::string::npos) return;
  const std::size_t next = request.target.find('&', query);
  if (next != std::string::npos) request.target[next] = '?';
}

void names_it_twice(WireNotes&, wire::HttpRequest& request) {
  if (!asks_authorization(request)) return;
  wire::Form form = form_of(request);
  form.add("resource", parameter(request, "resource"));
  set_form(request, form);
}

// The reference client keeps the query, and adds its own resource.
void names_that_of_the_query(WireNotes& notes, wire::HttpRequest& request) {
  if (asks_authorization(request)) {
    const std::string first = parameter(request, "resource");
    notes.memory = first.find("somebody-else") == std::string::npos ? Json() : Json(first);
  }
  if (!notes.memory.is_string() || (!asks_authorization(request) && !asks_token(request))) return;
  set_parameter(request, "resource", notes.memory.get<std::string>());
}

void shows_an_empty_secret(WireNotes&, wire::HttpRequest& request) {
  if (asks_token(request)) request.body += "&client_secret=";
}

// Of a resource that was named it guesses where its authorization server is.
MoreRequests guesses_for_the_named(WireNotes& notes, const wire::HttpRequest& request,
                                   wire::HttpResponse& response) {
  const bool about = request.target.find("oauth-protected-resource") != std::string::npos;
  if (about && response.status == 200) notes.memory = true;
  const bool last = request.target.find("openid-configuration") != std::string::npos;
  if (!last || response.status != 404 || !notes.memory.is_boolean() || notes.count++ > 0) {
    return std::nullopt;
  }
  wire::HttpRequest more = request;
  more.target = "/authorize";
  return more;
}

void registers_for_post(WireNotes&, wire::HttpRequest& request) {
  if (!asks_to_register(request)) return;
  Json body = json_of_body(request.body);
  body["token_endpoint_auth_method"] = "client_secret_post";
  request.body = dump_json(body);
}

void refreshes_as_nobody(WireNotes&, wire::HttpRequest& request) {
  const wire::Form form = wire::Form::parse(request.body);
  if (form.get("grant_type") != "refresh_token") return;
  wire::Form without;
  for (const auto& [name, value] : form.fields()) {
    if (name != "client_id") without.add(name, value);
  }
  request.body = without.text();
}

// asks_by_head asks once more by HEAD where a POST is refused, and takes no 401 for one where that
// is answered with `open`, or, without one, with anything else.
MoreRequests asks_by_head(WireNotes& notes, const wire::HttpRequest& request,
                          wire::HttpResponse& response, int open) {
  if (request.method == "POST" && asks_server(request) && response.status == 401) {
    notes.response = response;
    wire::HttpRequest head = request;
    head.method = "HEAD";
    head.body.clear();
    head.headers.erase("Content-Type");
    head.headers.erase("Content-Length");
    return head;
  }
  if (request.method != "HEAD" || !notes.response) return std::nullopt;
  const bool gives_up = open == 0 ? response.status != 401 : response.status == open;
  response = std::move(*notes.response);
  notes.response.reset();
  if (!gives_up) return std::nullopt;
  response = wire::HttpResponse{502, {}, ""};
  return std::nullopt;
}

MoreRequests believes_head(WireNotes& notes, const wire::HttpRequest& request,
                           wire::HttpResponse& response) {
  return asks_by_head(notes, request, response, 0);
}
MoreRequests believes_head_of_200(WireNotes& notes, const wire::HttpRequest& request,
                                  wire::HttpResponse& response) {
  return asks_by_head(notes, request, response, 200);
}

const ClientDeviation kAuthFormDeviations[] = {
    wrong_way("auth.client-parses-www-authenticate", "2025-11-25",
              "signs in where HEAD is refused alone", {nullptr, believes_head},
              {"auth.bearer-on-every-request", "auth.client-forms-taken"}),
    wrong_way("auth.client-parses-www-authenticate", "2025-11-25",
              "does not sign in where HEAD is answered", {nullptr, believes_head_of_200},
              {"auth.bearer-on-every-request", "auth.client-forms-taken"}),
    wrong_way("auth.refresh-names-the-client", "2025-11-25", "refreshes without client_id",
              {refreshes_as_nobody, nullptr}),
    wrong_way("auth.client-reads-as-metadata", "2025-11-25",
              "adds its parameters to a query by a second question mark",
              {asks_by_a_second_mark, nullptr}),
    wrong_way("auth.resource-identifies-server", "2025-11-25", "names the resource twice",
              {names_it_twice, nullptr}),
    wrong_way("auth.resource-identifies-server", "2025-11-25",
              "names the resource that stands in the query of an endpoint",
              {names_that_of_the_query, nullptr}),
    wrong_way("auth.dcr-auth-method", "2025-11-25", "shows an empty secret",
              {shows_an_empty_secret, nullptr}),
    wrong_way("auth.dcr-auth-method", "2025-11-25", "registers for a method that is not listed",
              {registers_for_post, nullptr}),
    wrong_way("auth.no-metadata-aborts", "2025-11-25",
              "guesses endpoints of a server that was named", {nullptr, guesses_for_the_named}),
    wrong_way("auth.client-parses-www-authenticate", "2025-11-25",
              "reads no parameter with blanks around its =", {nullptr, skips_no_blanks}),
    wrong_way("auth.token-answer-bare", "2025-11-25", "takes no token without expires_in",
              {nullptr, wants_a_life_span}),
    wrong_way("auth.refresh-token-kept", "2025-11-25",
              "forgets its refresh token when it is given none",
              {shows_what_it_kept, forgets_refresh_tokens}),
};

}  // namespace

ClientDeviations client_auth_form_deviations() { return kAuthFormDeviations; }

}  // namespace plumbline::conformance
