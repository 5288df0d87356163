// WebFront is the proxy before one host of a world, and what came to it, in simulation and for
// real.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/loop.h"
#include "core/events/trace_event.h"
#include "core/json/json.h"
#include "core/net/network.h"
#include "fakes/proxy/http_proxy.h"

namespace plumbline::scenarios {

// exchange_detail returns what an event of an exchange tells: its method, path and headers, without
// what the client proves itself by.
Json exchange_detail(const wire::HttpRequest& request);

class WebFront final {
 public:
  // Listens at `at` for the host that events call `name`. Tells `events` of each exchange, and of
  // each rule that changes one. All references must outlive it.
  WebFront(Loop& loop, net::Network& network, std::string name, net::Authority at,
           fakes::HttpFront spec, std::vector<net::Authority> replicas, EventSink& events,
           std::function<bool()> forget_sessions);
  WebFront(const WebFront&) = delete;
  WebFront& operator=(const WebFront&) = delete;

  const std::string& name() const { return name_; }

  // exchanges returns how many requests came, by method of HTTP; until it was healed.
  std::int64_t exchanges(const std::string& method) const;
  const std::vector<bool>& rules_used() const { return rules_used_; }

  // heal has its rules match nothing more; switch_off ends it.
  void heal();
  void switch_off();

 private:
  fakes::HttpProxyHooks telling(EventSink& events);

  Loop& loop_;
  std::string name_;
  fakes::HttpFront spec_;
  std::vector<bool> rules_used_;
  bool healed_ = false;
  std::map<std::string, std::int64_t> exchanges_;  // As they were then.
  std::unique_ptr<fakes::HttpProxy> proxy_;        // Null once switched off.
};

}  // namespace plumbline::scenarios
