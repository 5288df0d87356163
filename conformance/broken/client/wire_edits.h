// What many wrong clients do alike on their way to a token.

#pragma once

#include <string>
#include <string_view>

#include "conformance/broken/client/client_deviation.h"
#include "core/wire/form.h"

namespace plumbline::conformance {

using MoreRequests = std::optional<wire::HttpRequest>;

// is_at returns whether a request goes to a path that ends with `path`.
inline bool is_at(const wire::HttpRequest& request, std::string_view path) {
  return request.target.substr(0, request.target.find('?')).ends_with(path);
}
inline bool asks_authorization(const wire::HttpRequest& request) {
  return is_at(request, "/grant/ask");
}
inline bool asks_token(const wire::HttpRequest& request) { return is_at(request, "/grant/redeem"); }
inline bool asks_to_register(const wire::HttpRequest& request) {
  return is_at(request, "/grant/enrol");
}
inline bool asks_server(const wire::HttpRequest& request) { return is_at(request, "/mcp"); }
inline bool asks_metadata(const wire::HttpRequest& request) {
  return request.target.find("/.well-known/oauth-authorization-server") != std::string::npos ||
         request.target.find("/.well-known/openid-configuration") != std::string::npos;
}

// set_field gives `form` one field of `name`; empty: none.
inline void set_field(wire::Form& form, std::string_view name, std::string value) {
  wire::Form changed;
  for (const auto& [key, old] : form.fields()) {
    if (key != name) changed.add(key, old);
  }
  changed.add_filled(std::string(name), std::move(value));
  form = std::move(changed);
}

// form_of returns the parameters of an authorization or a token request; set_form replaces them.
inline wire::Form form_of(const wire::HttpRequest& request) {
  return request.method == "POST" ? wire::Form::parse(request.body)
                                  : wire::query_of(request.target);
}
inline void set_form(wire::HttpRequest& request, const wire::Form& form) {
  if (request.method == "POST") {
    request.body = form.text();
  } else {
    request.target = request.target.substr(0, request.target.find('?')) + "?" + form.text();
  }
}

// set_parameter changes one parameter of such a request; empty: it is left out.
inline void set_parameter(wire::HttpRequest& request, std::string_view name, std::string value) {
  wire::Form form = form_of(request);
  set_field(form, name, std::move(value));
  set_form(request, form);
}

inline std::string parameter(const wire::HttpRequest& request, std::string_view name) {
  return form_of(request).get(name).value_or("");
}

// json_of_body returns the object in a body; null for anything else.
inline Json json_of_body(const std::string& body) {
  Result<Json> read = parse_json(body);
  return read.ok() && read.value().is_object() ? std::move(read).value() : Json();
}

// brought returns what the browser brings back; bring_back replaces it.
inline wire::Form brought(const wire::HttpResponse& response) {
  return wire::query_of(std::string(response.headers.get("Location").value_or("")));
}
inline void bring_back(wire::HttpResponse& response, const wire::Form& form) {
  const std::string to(response.headers.get("Location").value_or(""));
  response.headers.set("Location", to.substr(0, to.find('?')) + "?" + form.text());
}

inline std::string host_of(const wire::HttpRequest& request) {
  return "http://" + std::string(request.headers.get("Host").value_or(""));
}

using Sends = void (*)(WireNotes& notes, wire::HttpRequest& request);
using Gets = MoreRequests (*)(WireNotes& notes, const wire::HttpRequest& request,
                              wire::HttpResponse& response);

// wrong_way is a client that is wrong on its way to a token.
inline ClientDeviation wrong_way(std::string_view id, std::string_view revision,
                                 std::string_view what, WireEdits edits,
                                 std::vector<std::string_view> also = {}) {
  ClientDeviation deviation{
      .id = id, .revision = revision, .transport = Transport::kHttp, .what = what};
  deviation.wire = edits;
  deviation.also = std::move(also);
  return deviation;
}

}  // namespace plumbline::conformance
