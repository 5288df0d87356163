// HttpRouter gives each request to the handler of its path. Any other path is not found.

#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/net/http_server.h"

namespace plumbline::net {

class HttpRouter final : public HttpHandler {
 public:
  // add names who answers at `path` ("/mcp"), whatever the query. `handler` must outlive the
  // router.
  void add(std::string path, HttpHandler& handler) { handlers_[std::move(path)] = &handler; }

  // implements HttpHandler ---
  void on_request(wire::HttpRequest request, HttpReply reply) override {
    const std::string_view target = request.target;
    const auto found = handlers_.find(target.substr(0, target.find('?')));
    if (found == handlers_.end()) return reply.respond(wire::HttpResponse{404, {}, ""});
    found->second->on_request(std::move(request), std::move(reply));
  }

 private:
  std::map<std::string, HttpHandler*, std::less<>> handlers_;
};

}  // namespace plumbline::net
