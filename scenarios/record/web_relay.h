// WebRelay stands between HTTP clients and one server: it listens, passes each request on as it is,
// and each answer piece by piece, once it stands in a recording, and nothing any more when it
// cannot be kept. Streamable HTTP, HTTP+SSE and WebSocket pass alike.
//
// Changed are only the Host, which is the server's, and what would hide the messages: compression
// is not asked for. Strangers get nothing of the server: what is sent to it with every request may
// be a credential.

#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>

#include "core/base/loop.h"
#include "core/base/result.h"
#include "core/net/http_access.h"
#include "core/net/http_client.h"
#include "core/net/http_server.h"
#include "core/net/network.h"
#include "core/wire/url.h"
#include "scenarios/record/web_recorder.h"

namespace plumbline::scenarios {

struct WebRelayOptions {
  net::Authority at;         // Where it listens.
  net::HttpAccess access{};  // Who may connect.
  std::optional<net::TlsServer> tls{};
  wire::Url to;                 // The server.
  wire::HttpHeaders headers{};  // Sent with every request.
};

class WebRelay final : private net::HttpHandler {
 public:
  // listen begins to pass on. `loop`, `network` and `recorder` must outlive the relay.
  // kInvalidInput: the place is taken or not ours, a file of TLS cannot be used.
  static Result<std::unique_ptr<WebRelay>> listen(Loop& loop, net::Network& network,
                                                  WebRelayOptions options, WebRecorder& recorder);

  // Made by listen().
  WebRelay(Loop& loop, net::Network& network, WebRelayOptions options, WebRecorder& recorder);
  ~WebRelay();

  // url returns where clients connect to, with the path of the server.
  std::string url() const;

 private:
  class Exchange;

  // implements HttpHandler ---
  void on_request(wire::HttpRequest request, net::HttpReply reply) override;

  Duration now() const { return loop_.now() - begin_; }
  void sweep_soon() { loop_.arm(sweep_, loop_.now()); }

  Loop& loop_;
  WebRelayOptions options_;
  WebRecorder& recorder_;
  Instant begin_;
  net::HttpClient client_;
  std::list<std::unique_ptr<Exchange>> exchanges_;  // Before the client, in which they are.
  Alarm sweep_;
  net::HttpServer server_;
  std::unique_ptr<net::Listener> listener_;
};

}  // namespace plumbline::scenarios
