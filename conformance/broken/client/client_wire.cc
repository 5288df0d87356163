#include "conformance/broken/client/client_wire.h"

#include <chrono>
#include <string>
#include <utility>

#include "core/base/limits.h"
#include "core/base/rng.h"
#include "fakes/world/sim_pipe.h"

namespace plumbline::conformance {

namespace {

constexpr Duration kWirePatience = std::chrono::seconds(60);
constexpr int kWireSendsMax = 40;  // Of one request of the client.

}  // namespace

ClientWire::ClientWire(Loop& loop, net::Network& network, const WireEdits& edits)
    : loop_(loop),
      network_(network),
      edits_(edits),
      client_(loop, network),
      server_(loop, *this, net::HttpAccess::anybody()) {}

Task<Result<std::unique_ptr<net::Pipe>>> ClientWire::dial(net::Authority /*to*/,
                                                          std::optional<net::TlsClient> /*tls*/) {
  fakes::SimPipePair pair = fakes::make_sim_pipe(loop_, {}, Rng(11));
  server_.accept(std::move(pair.far));
  std::unique_ptr<net::Pipe> near = std::move(pair.near);
  co_return near;
}

Result<std::unique_ptr<net::Listener>> ClientWire::listen(net::Authority at,
                                                          std::optional<net::TlsServer> tls,
                                                          OnAccept on_accept) {
  return network_.listen(std::move(at), std::move(tls), std::move(on_accept));
}

void ClientWire::on_request(wire::HttpRequest request, net::HttpReply reply) {
  relays_.spawn(relay(*this, std::move(request), std::move(reply)));
}

Task<void> ClientWire::relay(ClientWire& self, wire::HttpRequest request, net::HttpReply reply) {
  wire::HttpResponse heard;
  for (int times = 0; times < kWireSendsMax; ++times) {
    if (self.edits_.sends != nullptr) self.edits_.sends(self.notes_, request);
    const std::string host(request.headers.get("Host").value_or(""));
    Result<wire::Url> to = wire::parse_url("http://" + host + request.target);
    if (!to.ok()) co_return;
    wire::HttpRequest sent = request;
    sent.headers.erase("Content-Length");
    sent.headers.erase("Connection");
    const Instant deadline = after(self.loop_.now(), kWirePatience);
    Result<wire::HttpResponse> answer = co_await net::fetch(
        self.client_, std::move(to).value(), std::move(sent), deadline, limits::kMessageBytesMax);
    if (!answer.ok()) co_return;
    heard = std::move(answer).value();
    heard.headers.erase("Connection");
    if (self.edits_.gets == nullptr) break;
    std::optional<wire::HttpRequest> more = self.edits_.gets(self.notes_, request, heard);
    if (!more) break;
    request = std::move(*more);
  }
  reply.respond(heard);
}

}  // namespace plumbline::conformance
