// HttpProxyDesk is what all exchanges of one HttpProxy share: the rules, the replicas behind it,
// and what has come by.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/loop.h"
#include "core/json/json.h"
#include "core/net/http_access.h"
#include "core/net/http_client.h"
#include "core/net/network.h"
#include "core/wire/http.h"
#include "fakes/proxy/http_rules.h"

namespace plumbline::fakes {

struct HttpProxyHooks {
  std::function<void(const wire::HttpRequest& request)> on_request;  // One came.
  // A rule changes something of an exchange: once for each exchange.
  std::function<void(std::size_t rule)> on_rule;
  // Every replica forgets its sessions, at once. Returns whether there was one.
  std::function<bool()> forget_sessions;
};

class HttpProxyDesk {
 public:
  // `loop`, `network` and `front` must outlive the desk. There is at least one replica.
  HttpProxyDesk(Loop& loop, net::Network& network, net::HttpAccess access, const HttpFront& front,
                std::vector<net::Authority> replicas, HttpProxyHooks hooks);

  Loop& loop() { return loop_; }
  // access says whose requests are looked at.
  const net::HttpAccess& access() const { return access_; }
  const HttpProxyHooks& hooks() const { return hooks_; }
  const HttpRule& rule(std::size_t index) const { return book_.rule(index); }

  // decide returns what the rules do to a request that came after `idle`, the id of its message,
  // and which rules are meant.
  HttpAction decide(const wire::HttpRequest& request, Duration idle, Json& id,
                    std::vector<std::size_t>& meant);

  // pass_on sends a request to the next replica.
  std::unique_ptr<net::HttpExchange> pass_on(wire::HttpRequest request,
                                             net::HttpExchangeReader& reader);

  void saw_session(std::string id) { sessions_.push_back(std::move(id)); }

  // exchanges returns how many requests came, by method of HTTP.
  const std::map<std::string, std::int64_t>& exchanges() const { return exchanges_; }

 private:
  Loop& loop_;
  net::HttpAccess access_;
  std::vector<net::Authority> replicas_;
  HttpProxyHooks hooks_;
  HttpRuleBook book_;
  std::size_t turn_ = 0;  // Of the replicas.
  std::vector<std::string> sessions_;
  std::map<std::string, std::int64_t> exchanges_;
  net::HttpClient client_;
};

}  // namespace plumbline::fakes
