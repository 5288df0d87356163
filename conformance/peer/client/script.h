// Script is what a ScriptedPeer does in one scenario, and what that finds out.

#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/peer/client/record.h"
#include "conformance/peer/client/scripted_peer.h"
#include "conformance/peer/client/verdicts.h"
#include "core/net/http_server.h"

namespace plumbline::conformance {

struct ClientScenario;

// Every hook may do nothing: the ScriptedPeer then acts as a good server.
class Script {
 public:
  virtual ~Script() = default;

  // prepare sets what the server offers.
  virtual void prepare(ScriptedPeer& peer) = 0;

  // on_request returns whether it has answered, or means not to.
  virtual bool on_request(ScriptedPeer&, const Asked&) { return false; }
  virtual void on_notification(ScriptedPeer&, const Heard&) {}
  virtual void on_response(ScriptedPeer&, const Heard&) {}

  // on_http may answer an HTTP request itself; the reply is then moved from.
  virtual bool on_http(ScriptedPeer&, std::size_t, net::HttpReply&) { return false; }

  // on_document may answer what is asked for beside the server's own address, at its place or at
  // the trap's.
  virtual std::optional<wire::HttpResponse> on_document(ScriptedPeer&,
                                                        const std::string& /*origin*/,
                                                        const wire::HttpRequest&) {
    return std::nullopt;
  }

  // target is the path of the server, with its query: over HTTP.
  virtual std::string_view target() const { return "/mcp"; }

  // stream_type is the Content-Type of the streams that the client opens by GET: over HTTP.
  virtual std::string_view stream_type() const { return "text/event-stream"; }

  // serves returns whether the server has `path`, beside its own: over HTTP.
  virtual bool serves(std::string_view) const { return false; }

  // judge says what was found out. The client was connected.
  virtual void judge(const Record& record, Verdicts& verdicts) = 0;

  // left returns the scenarios that were to be played in this run, too, and have to be played alone
  // after all: known once it has judged, all of them where it does not come to that.
  virtual std::vector<const ClientScenario*> left() const { return {}; }

  // explains returns the rule whose failure explains whatever else is missed in answers that are
  // streams of events: known once it has judged. Empty: none.
  virtual std::string_view explains() const { return {}; }

  // context is what MCP_CONFORMANCE_CONTEXT tells the program; null: nothing.
  virtual Json context() const { return nullptr; }

  // silence_max bounds how long the client may say nothing: longer where it has to wait.
  virtual Duration silence_max(Duration usual) const { return usual; }
};

template <typename T>
std::unique_ptr<Script> make_script() {
  return std::make_unique<T>();
}

}  // namespace plumbline::conformance
