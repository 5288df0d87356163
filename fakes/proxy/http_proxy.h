// HttpProxy stands between HTTP clients and the replicas of one server in a simulated world. It
// passes exchanges on, each to the next replica, and does to them what its rules say.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/loop.h"
#include "core/net/http_client.h"
#include "core/net/network.h"
#include "fakes/peers/http_rules.h"

namespace plumbline::fakes {

class HttpProxyConnection;

struct HttpProxyHooks {
  std::function<void(const wire::HttpRequest& request)> on_request;  // One came.
  // A rule changes something of an exchange: once for each exchange.
  std::function<void(std::size_t rule)> on_rule;
  // Every replica forgets its sessions, at once. Returns whether there was one.
  std::function<bool()> forget_sessions;
};

class HttpProxy {
 public:
  // Listens at `at`. `loop`, `network` and `front` must outlive the proxy. There is at least one
  // replica. Aborts when somebody listens there already.
  HttpProxy(Loop& loop, transport::Network& network, transport::Authority at,
            const HttpFront& front, std::vector<transport::Authority> replicas,
            HttpProxyHooks hooks);
  HttpProxy(const HttpProxy&) = delete;
  HttpProxy& operator=(const HttpProxy&) = delete;
  ~HttpProxy();

  // exchanges returns how many requests came, by method of HTTP.
  const std::map<std::string, std::int64_t>& exchanges() const { return exchanges_; }

 private:
  friend class HttpProxyConnection;
  friend class HttpProxyExchange;

  void listen();
  HttpAction decide(const wire::HttpRequest& request, Duration idle, Json& id,
                    std::vector<std::size_t>& meant);
  // go_down breaks every connection and listens again after `span`.
  void go_down(Duration span);
  void sweep();
  void sweep_soon() { loop_.arm(sweep_, loop_.now()); }
  wire::Url next_replica(const std::string& target);
  void saw_session(std::string id) { sessions_.push_back(std::move(id)); }

  Loop& loop_;
  transport::Network& network_;
  transport::Authority at_;
  std::vector<transport::Authority> replicas_;
  HttpProxyHooks hooks_;
  HttpRuleBook book_;
  std::size_t turn_ = 0;  // Of the replicas.
  std::vector<std::string> sessions_;
  std::map<std::string, std::int64_t> exchanges_;
  transport::HttpClient client_;
  std::unique_ptr<transport::Listener> listener_;
  std::vector<std::unique_ptr<HttpProxyConnection>> connections_;
  Alarm sweep_;
  Alarm up_;
};

}  // namespace plumbline::fakes
