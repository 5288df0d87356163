#include "conformance/peer/upstream.h"

#include <utility>

#include "core/base/percent.h"
#include "core/json/json.h"
#include "core/wire/form.h"

namespace plumbline::conformance {

namespace {

wire::HttpResponse as_json(const Json& document) {
  return {200, {{"Content-Type", "application/json"}}, dump_json(document)};
}

// back returns the redirect_uri of an authorization request with `fields` and its state.
std::string back(std::string_view address, wire::Form fields) {
  const wire::Form asked = wire::query_of(address);
  fields.add_filled("state", asked.get("state").value_or(""));
  const std::string to = asked.get("redirect_uri").value_or("");
  return to + (to.find('?') == std::string::npos ? "?" : "&") + fields.text();
}

// A server may reach us by any address and private name.
net::HttpAccess access_at(const std::string& host) {
  net::HttpAccess access = net::HttpAccess::at(host);
  access.private_hosts = true;
  return access;
}

}  // namespace

bool holds_text(const wire::HttpRequest& request, std::string_view text) {
  const auto holds = [text](std::string_view place) {
    return percent_decode(place).find(text) != std::string::npos;
  };
  bool found = holds(request.target) || holds(request.body);
  for (const auto& [name, value] : request.headers.fields()) found = found || holds(value);
  return found;
}

Upstream::Upstream(Loop& loop, const std::string& host) : server_(loop, *this, access_at(host)) {}

Result<std::unique_ptr<Upstream>> Upstream::listen(Loop& loop, net::Network& network,
                                                   net::Authority at) {
  auto upstream = std::make_unique<Upstream>(loop, at.host);
  Upstream& self = *upstream;
  Result<std::unique_ptr<net::Listener>> listener = network.listen(
      at, std::nullopt,
      [&self](std::unique_ptr<net::Pipe> pipe) { self.server_.accept(std::move(pipe)); });
  if (!listener.ok()) return listener.error();
  self.listener_ = std::move(listener).value();
  self.url_ = "http://" + at.host + ":" + std::to_string(self.listener_->port());
  return upstream;
}

bool Upstream::is_authorization(std::string_view address) const {
  return address.starts_with(url_ + "/") &&
         !wire::query_of(address).get("redirect_uri").value_or("").empty();
}

std::string Upstream::agree(std::string_view address) {
  return back(address, wire::Form({{"code", give("code")}}));
}

std::string Upstream::refuse(std::string_view address) const {
  return back(address, wire::Form({{"error", "access_denied"}}));
}

std::string Upstream::given_in(std::string_view text) const {
  for (const std::string& one : given_) {
    if (text.find(one) != std::string_view::npos) return one;
  }
  return {};
}

std::string Upstream::give(const char* what) {
  given_.push_back("plumbline-third-party-" + std::string(what) + "-" +
                   std::to_string(given_.size() + 1) + ".");
  return given_.back();
}

void Upstream::on_request(wire::HttpRequest request, net::HttpReply reply) {
  const wire::HttpResponse response = answer(request);
  if (seen_.size() < kSeenMax) seen_.push_back(std::move(request));
  reply.respond(response);
}

wire::HttpResponse Upstream::answer(const wire::HttpRequest& request) {
  const std::string path = request.target.substr(0, request.target.find('?'));
  Json document = Json::object();
  if (path.starts_with("/.well-known/")) {
    document["issuer"] = url_;
    document["authorization_endpoint"] = url_ + "/authorize";
    document["token_endpoint"] = url_ + "/token";
    document["code_challenge_methods_supported"] = Json::array({"S256"});
  } else if (request.method == "GET" && is_authorization(url_ + request.target)) {
    return {302, {{"Location", agree(url_ + request.target)}}, ""};
  } else if (path.ends_with("/token") || path.ends_with("/access_token")) {
    document["access_token"] = give("access");
    document["refresh_token"] = give("refresh");
    document["token_type"] = "Bearer";
    document["expires_in"] = 3600;
  } else {
    document["ok"] = true;
  }
  return as_json(document);
}

}  // namespace plumbline::conformance
