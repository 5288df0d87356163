#include "core/service/http_service.h"

#include <utility>

#include "core/base/words/joined_by.h"
#include "core/json/dump_ascii.h"
#include "core/metrics/prometheus_text.h"
#include "core/rpc/message.h"
#include "core/wire/caller.h"

namespace plumbline::service {

namespace {

// OpenTelemetry, semantic conventions of HTTP metrics. Until the head of the answer.
const metrics::About kDuration = {"http.server.request.duration",
                                  "From a request to the head of its answer", "s"};
constexpr std::string_view kWellKnown = "/.well-known/";
constexpr std::string_view kHealth = "/healthz";
constexpr std::string_view kReady = "/readyz";

std::string path_of(const wire::HttpRequest& request) {
  return request.target.substr(0, request.target.find('?'));
}

}  // namespace

wire::HttpResponse json_reply(int status, const Json& body) {
  return {status,
          {{"Content-Type", "application/json"}, {"Cache-Control", "no-store"}},
          dump_json(body)};
}

wire::HttpResponse error_reply(int status, std::int64_t code, std::string_view message, Json data) {
  Json error = {{"code", code}, {"message", message}};
  if (!data.is_null()) error["data"] = std::move(data);
  return json_reply(status, {{"error", std::move(error)}});
}

HttpService::HttpService(Loop& loop, const WallClock& clock, HttpServiceOptions options)
    : loop_(loop), clock_(clock), options_(std::move(options)) {
  add({"GET", "/metrics", [this](Exchange exchange) {
         metrics::tell_guests(metrics_, exchange.reply.guests());
         exchange.reply.respond(
             {200,
              {{"Content-Type", metrics::kPrometheusType}, {"Cache-Control", "no-store"}},
              metrics::prometheus_text(metrics_)});
       }});
}

void HttpService::guard(const std::string& url) {
  if (options_.gate != nullptr) options_.gate->guard(url, inside_);
}

net::HttpAccess HttpService::access() const {
  net::HttpAccess access = options_.cors.access;
  access.probes = {std::string(kHealth), std::string(kReady)};
  return access;
}

// note counts the answer when it is given, and logs it.
void HttpService::note(const wire::HttpRequest& request, const Router::Found& found,
                       net::HttpReply& reply) {
  // A method is what the peer says: only those that mean something are told apart.
  const bool plain = found.route != nullptr || request.method == "OPTIONS";
  reply.on_head([this, began = loop_.now(), method = plain ? request.method : "other",
                 route = found.route == nullptr ? "(none)" : found.route->pattern,
                 caller = wire::caller_of(reply.peer_address(), request.headers, options_.proxies)](
                    const net::HttpReply& given, int status) {
    const double seconds = std::chrono::duration<double>(loop_.now() - began).count();
    metrics_
        .histogram(kDuration, {{"http.request.method", method},
                               {"http.response.status_code", std::to_string(status)},
                               {"http.route", route}})
        .record(seconds);
    if (!options_.log) return;
    Json line = {{"at", rfc3339(clock_.since_1970())},
                 {"method", method},
                 {"route", route},
                 {"status", status},
                 {"ms", seconds * 1'000}};
    if (!caller.empty()) line["peer"] = caller;
    if (!given.principal().empty()) line["principal"] = given.principal();
    options_.log(dump_ascii_json(line));
  });
}

void HttpService::on_stranger(const wire::HttpRequest& request, net::HttpReply& reply) {
  note(request, router_.find(request.method, path_of(request)), reply);
}

bool HttpService::is_of_gate(std::string_view path) const {
  return options_.gate != nullptr && path.starts_with(kWellKnown);
}

void HttpService::on_request(wire::HttpRequest request, net::HttpReply reply) {
  const std::string path = path_of(request);
  if (path == kHealth) return reply.respond(json_reply(200, {{"status", "ok"}}));
  if (path == kReady) {
    return reply.respond(json_reply(ready_ ? 200 : 503, {{"status", ready_ ? "ok" : "not ready"}}));
  }
  const Router::Found found = router_.find(request.method, path);
  note(request, found, reply);
  grant(options_.cors, request, reply);
  if (request.method == "OPTIONS" && !found.methods.empty()) {
    return reply.respond(preflight(request, found.methods));
  }
  if (is_of_gate(path)) return options_.gate->on_request(std::move(request), std::move(reply));
  if (found.methods.empty()) {
    return reply.respond(
        error_reply(404, rpc::kInvalidRequest, "Not found: there is no such path"));
  }
  if (found.route == nullptr) {
    wire::HttpResponse refused =
        error_reply(405, rpc::kInvalidRequest,
                    "Method not allowed, expected " + joined_by(", ", found.methods));
    refused.headers.set("Allow", joined_by(", ", found.methods) + ", OPTIONS");
    return reply.respond(refused);
  }
  if (found.route->deprecated) announce(options_.deprecation, reply);
  if (found.route->guarded && options_.gate != nullptr) {
    return options_.gate->on_request(std::move(request), std::move(reply));
  }
  route(std::move(request), std::move(reply));
}

void HttpService::route(wire::HttpRequest request, net::HttpReply reply) {
  Router::Found found = router_.find(request.method, request.target);
  if (found.route == nullptr) {
    return reply.respond(
        error_reply(404, rpc::kInvalidRequest, "Not found: there is no such path"));
  }
  std::string caller = wire::caller_of(reply.peer_address(), request.headers, options_.proxies);
  found.route->handle(
      {std::move(request), std::move(reply), std::move(found.params), std::move(caller)});
}

}  // namespace plumbline::service
