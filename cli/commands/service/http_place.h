// HttpPlace is an HTTP service at its place of the network, until a signal.

#pragma once

#include <csignal>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cli/host.h"
#include "cli/serving.h"
#include "core/net/http_server.h"
#include "core/os/interrupt.h"

namespace plumbline::cli {

class HttpPlace {
 public:
  // `host` and `handler` must outlive it.
  HttpPlace(Host& host, net::HttpHandler& handler, net::HttpAccess access,
            net::HttpServerOptions options)
      : host_(host), http_(host.world().loop(), handler, std::move(access), std::move(options)) {}

  // listen takes the place and returns its URL, without a path: "http://127.0.0.1:8080".
  Result<std::string> listen(const net::Authority& at) {
    auto listener = host_.world().network().listen(
        at, std::nullopt, [this](auto pipe) { http_.accept(std::move(pipe)); });
    if (!listener.ok()) return listener.error();
    listener_ = std::move(listener).value();
    return "http://" + net::describe({at.host, listener_->port()});
  }

  // serve returns after SIGTERM, when `drain` is done; within a second after SIGINT, and at once
  // after a second signal.
  void serve(const std::function<Task<void>()>& drain) {
    os::RealLoop& loop = host_.world().loop();
    int signals = 0;
    std::optional<Task<void>> drained;
    Alarm hurry([&loop] { loop.stop(); });
    const os::Interrupt interrupt(loop, [&](int signal) {
      if (++signals > 1) return loop.stop();
      if (signal == SIGINT) loop.arm(hurry, after(loop.now(), kFarewell));
      drained.emplace(drain());
      drained->start();
    });
    if (!loop.run_until([&] { return drained && drained->done(); })) return;
    listener_.reset();
    http_.drain();
    run_at_most(loop, kFarewell, [this] { return http_.connections() == 0; });
  }

 private:
  Host& host_;
  net::HttpServer http_;
  std::unique_ptr<net::Listener> listener_;
};

}  // namespace plumbline::cli
