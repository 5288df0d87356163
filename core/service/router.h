// Router knows which handler answers which method at which path. A part of a path that begins with
// a colon in the pattern ("/api/sessions/:code/mcp") takes any one segment.

#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/net/http_reply.h"

namespace plumbline::service {

// Exchange is one request on its way to its handler, and the way to answer it.
struct Exchange {
  wire::HttpRequest request;
  net::HttpReply reply;
  std::map<std::string, std::string, std::less<>> params;  // By the names in the pattern, decoded.
  std::string caller;                                      // The address: see wire::caller_of.
};

using Handler = std::function<void(Exchange exchange)>;

struct Route {
  std::string method;  // Empty: every one, OPTIONS excepted.
  std::string pattern;
  Handler handle;
  bool guarded = false;     // Behind the gate, where there is one.
  bool deprecated = false;  // Its answers say so.
};

class Router {
 public:
  // add makes a route. The first that fits is taken.
  void add(Route route) { routes_.push_back(std::move(route)); }

  // Found is what stands at a path: `route` is null when nothing does, or nothing for this method;
  // `methods` are all that are served there.
  struct Found {
    const Route* route = nullptr;
    std::map<std::string, std::string, std::less<>> params;
    std::vector<std::string> methods;
  };
  // find takes a request target, whatever its query. HEAD is served where GET is.
  Found find(std::string_view method, std::string_view target) const;

 private:
  std::vector<Route> routes_;
};

// query_value returns the first parameter `name` of the query of a request target, decoded.
std::optional<std::string> query_value(std::string_view target, std::string_view name);

}  // namespace plumbline::service
