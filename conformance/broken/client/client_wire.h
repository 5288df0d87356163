// ClientWire is the network of a client: a ClientDeviation may change each HTTP request that it
// sends, to whomever, and each answer.

#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/base/loop.h"
#include "core/base/task_group.h"
#include "core/json/json.h"
#include "core/net/http_client.h"
#include "core/net/http_server.h"
#include "core/net/network.h"

namespace plumbline::conformance {

// WireNotes is what a deviation keeps from one exchange to the next.
struct WireNotes {
  Json memory;
  int count = 0;
  std::optional<wire::HttpRequest> request;
  std::optional<wire::HttpResponse> response;
  std::string said;  // On stderr, in the end.
};

// WireEdits is what a deviation does: `sends` may change a request, whose Host says where it goes;
// `gets` may change the answer, or return a request to be sent before the client hears anything.
struct WireEdits {
  void (*sends)(WireNotes& notes, wire::HttpRequest& request) = nullptr;
  std::optional<wire::HttpRequest> (*gets)(WireNotes& notes, const wire::HttpRequest& request,
                                           wire::HttpResponse& response) = nullptr;
};

class ClientWire final : public net::Network, private net::HttpHandler {
 public:
  // All must outlive the wire.
  ClientWire(Loop& loop, net::Network& network, const WireEdits& edits);

  const WireNotes& notes() const { return notes_; }

  // implements Network ---
  Task<Result<std::unique_ptr<net::Pipe>>> dial(net::Authority to,
                                                std::optional<net::TlsClient> tls) override;
  Result<std::unique_ptr<net::Listener>> listen(net::Authority at,
                                                std::optional<net::TlsServer> tls,
                                                OnAccept on_accept) override;

 private:
  // implements HttpHandler ---
  void on_request(wire::HttpRequest request, net::HttpReply reply) override;

  static Task<void> relay(ClientWire& self, wire::HttpRequest request, net::HttpReply reply);

  Loop& loop_;
  net::Network& network_;
  const WireEdits& edits_;
  WireNotes notes_;
  net::HttpClient client_;
  net::HttpServer server_;
  TaskGroup relays_;
};

}  // namespace plumbline::conformance
