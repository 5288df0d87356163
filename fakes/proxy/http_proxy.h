// HttpProxy stands between HTTP clients and the replicas of one server in a simulated world. It
// passes exchanges on, each to the next replica, and does to them what its rules say.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/loop.h"
#include "core/net/network.h"
#include "fakes/proxy/http_proxy_connection.h"
#include "fakes/proxy/http_proxy_desk.h"
#include "fakes/proxy/http_rules.h"

namespace plumbline::fakes {

class HttpProxy final : private HttpProxyConnection::Owner {
 public:
  // Listens at `at`. `loop`, `network` and `front` must outlive the proxy. There is at least one
  // replica. Aborts when somebody listens there already.
  HttpProxy(Loop& loop, net::Network& network, net::Authority at, const HttpFront& front,
            std::vector<net::Authority> replicas, HttpProxyHooks hooks);
  HttpProxy(const HttpProxy&) = delete;
  HttpProxy& operator=(const HttpProxy&) = delete;
  ~HttpProxy();

  // exchanges returns how many requests came, by method of HTTP.
  const std::map<std::string, std::int64_t>& exchanges() const { return desk_.exchanges(); }

 private:
  // implements HttpProxyConnection::Owner ---
  void go_down(Duration span) override;
  void sweep_soon() override;

  void listen();
  void sweep();

  net::Network& network_;
  net::Authority at_;
  HttpProxyDesk desk_;
  std::unique_ptr<net::Listener> listener_;
  std::vector<std::unique_ptr<HttpProxyConnection>> connections_;
  Alarm sweep_;
  Alarm up_;
};

}  // namespace plumbline::fakes
