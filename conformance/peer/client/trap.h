// Trap is a second HTTP server, which nobody has any business to ask, unless a script serves there.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/peer/client/record.h"
#include "core/base/loop.h"
#include "core/net/http_server.h"
#include "core/net/network.h"

namespace plumbline::conformance {

class Trap final : private net::HttpHandler {
 public:
  Trap(Loop& loop, net::Network& network, Record& record, WireLog& log);
  std::string url(std::string_view path) const;

  // serve has `answer` asked first: what it answers is no trap.
  using Answer = std::function<std::optional<wire::HttpResponse>(const wire::HttpRequest& request)>;
  void serve(Answer answer) { answer_ = std::move(answer); }

  // trouble says why it has no place to listen; empty: it has one.
  const std::string& trouble() const { return trouble_; }

 private:
  void on_request(wire::HttpRequest request, net::HttpReply reply) override;

  Loop& loop_;
  Record& record_;
  WireLog& log_;
  std::string trouble_;
  Answer answer_;
  net::HttpServer server_;
  std::unique_ptr<net::Listener> listener_;
};

}  // namespace plumbline::conformance
