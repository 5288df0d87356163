// Trap is a second HTTP server, which nobody has any business to ask.

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "conformance/peer/client/record.h"
#include "core/base/loop.h"
#include "core/net/http_server.h"
#include "core/net/network.h"

namespace plumbline::conformance {

class Trap final : private net::HttpHandler {
 public:
  Trap(Loop& loop, net::Network& network, Record& record, WireLog& log);
  std::string url(std::string_view path) const;

  // trouble says why it has no place to listen; empty: it has one.
  const std::string& trouble() const { return trouble_; }

 private:
  void on_request(wire::HttpRequest request, net::HttpReply reply) override;

  Loop& loop_;
  Record& record_;
  WireLog& log_;
  std::string trouble_;
  net::HttpServer server_;
  std::unique_ptr<net::Listener> listener_;
};

}  // namespace plumbline::conformance
