// HttpService stands before the routes of a service: which host and Origin may call, CORS, who is
// let in, whether it is up, and a line in the access log for every answer.

#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "core/base/doors/wall_clock.h"
#include "core/base/loop.h"
#include "core/json/json.h"
#include "core/metrics/metrics.h"
#include "core/net/http_gate.h"
#include "core/service/cors.h"
#include "core/service/deprecation.h"
#include "core/service/router.h"

namespace plumbline::service {

struct HttpServiceOptions {
  CorsPolicy cors;
  Deprecation deprecation;           // Of routes that are deprecated.
  std::vector<std::string> proxies;  // Addresses whose X-Forwarded-For is believed.
  net::HttpGate* gate = nullptr;     // Before guarded routes; nullptr: anybody may come in.
  // log gets a line of JSON for each answer: which route (never the path, which may hold a session
  // code), what came of it, how long it took until its head, and who asked. Empty: no log.
  std::function<void(const std::string& line)> log;
};

class HttpService final : public net::HttpHandler {
 public:
  // All must outlive the service.
  HttpService(Loop& loop, const WallClock& clock, HttpServiceOptions options);
  HttpService(const HttpService&) = delete;
  HttpService& operator=(const HttpService&) = delete;

  // add makes a route: see Router.
  void add(Route route) { router_.add(std::move(route)); }

  // guard tells the gate, where there is one, at which URL we are reached. Before the first
  // request.
  void guard(const std::string& url);

  // set_ready says what /readyz answers: 200, or 503. Not ready at first.
  void set_ready(bool ready) { ready_ = ready; }

  // metrics returns where the answers are counted, by route: http.server.request.duration. /metrics
  // shows them, to whoever may call.
  metrics::Metrics& metrics() { return metrics_; }

  // access returns who may call: options.cors.access, and probes of /healthz and /readyz. Give it
  // to the server that calls this handler.
  net::HttpAccess access() const;

  // implements HttpHandler ---
  //
  // /healthz answers 200 and /readyz as set_ready says, whoever asks. What is not found is 404, a
  // method that is not served 405, both with JSON that says so.
  void on_request(wire::HttpRequest request, net::HttpReply reply) override;
  void on_stranger(const wire::HttpRequest& request, net::HttpReply& reply) override;

 private:
  struct Inside final : net::HttpHandler {
    explicit Inside(HttpService& all) : service(all) {}
    void on_request(wire::HttpRequest request, net::HttpReply reply) override {
      service.route(std::move(request), std::move(reply));
    }
    HttpService& service;
  };

  void note(const wire::HttpRequest& request, const Router::Found& found, net::HttpReply& reply);
  void route(wire::HttpRequest request, net::HttpReply reply);
  bool is_of_gate(std::string_view path) const;

  Loop& loop_;
  const WallClock& clock_;
  HttpServiceOptions options_;
  Router router_;
  Inside inside_{*this};
  bool ready_ = false;
  metrics::Metrics metrics_;
};

// json_reply is `status` with `body` as JSON.
wire::HttpResponse json_reply(int status, const Json& body);

// error_reply is `status` with {"error": {"code", "message", "data"?}}.
wire::HttpResponse error_reply(int status, std::int64_t code, std::string_view message,
                               Json data = nullptr);

}  // namespace plumbline::service
