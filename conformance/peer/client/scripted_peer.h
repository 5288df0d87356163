// ScriptedPeer is the server that the judge plays for one run of a client program: what a script
// can say, and the answers of a good server for whatever it does not care about.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/peer/client/offer.h"
#include "conformance/peer/client/record.h"
#include "conformance/peer/client/trap.h"
#include "core/base/loop.h"
#include "core/net/network.h"
#include "core/wire/sse.h"

namespace plumbline::conformance {

// Asked is one request of the client, waiting for its answer.
struct Asked {
  Json message;
  std::size_t heard = 0;         // Its place in Record::heard.
  std::size_t exchange = 0;      // HTTP: its place in Record::http.
  std::uint32_t connection = 0;  // stdio: its place in Record::streams, counted from 1.

  std::string method() const { return string_or(message, "method", ""); }
  Json id() const {
    const Json* const own = find(message, "id");
    return own ? *own : Json();
  }
  std::string param(std::string_view key) const {
    const Json* const params = find(message, "params");
    return params ? string_or(*params, key, "") : "";
  }
};

class ScriptedPeer {
 public:
  // Everything given must outlive the peer.
  ScriptedPeer(Loop& loop, net::Network& network, WireLog& log, Record& record);
  ScriptedPeer(const ScriptedPeer&) = delete;
  ScriptedPeer& operator=(const ScriptedPeer&) = delete;
  virtual ~ScriptedPeer();

  // Answers. The log and the record are told of each.
  void result(const Asked& asked, Json result);
  void error(const Asked& asked, std::int64_t code, std::string message, Json data = nullptr);

  // usual answers as a good server does.
  void usual(const Asked& asked);

  // along says something before the answer: on HTTP in the same stream.
  void along(const Asked& asked, const Json& message) { text(asked, dump_json(message), false); }

  // text says any text as one frame; `last`: it is the answer.
  virtual void text(const Asked& asked, std::string text, bool last) = 0;

  // cut breaks off: the answer on HTTP, the connection on stdio.
  virtual void cut(const Asked& asked) = 0;

  // tell says something that belongs to no request: on HTTP on the streams that the client opened
  // with GET. Returns whether somebody listens.
  virtual bool tell(std::string text) = 0;

  // HTTP alone: event sends one event of a stream, begun by the first; bytes sends anything;
  // respond gives a whole answer. Nothing happens on stdio.
  virtual void event(std::size_t, const wire::SseEvent&, bool) {}
  virtual void bytes(std::size_t, std::string_view, bool) {}
  virtual void respond(std::size_t, const wire::HttpResponse&) {}

  // ask puts a request to the client, before the answer to `asked`. Returns its id.
  Json ask(const Asked& asked, std::string method, Json params);
  Json ask_with(const Asked& asked, Json id, std::string method, Json params);

  // later calls `act` after a while.
  void later(Duration delay, std::function<void()> act);

  // url returns the server's address. HTTP alone; empty on stdio.
  virtual std::string url() const { return {}; }

  // note writes down what is no message. Returns its place in the log.
  std::size_t note(Json what, std::size_t exchange);

  Instant now() const { return loop_.now(); }
  Record& record() { return record_; }
  const std::string& revision() const { return record_.revision; }
  bool over_http() const { return record_.over_http; }
  bool stateless() const { return record_.stateless(); }
  Trap& trap() { return trap_; }

  Offer offer;
  bool events = false;        // HTTP: whether requests are answered by a stream of events.
  bool gives_session = true;  // HTTP, stateful: whether a session id is given.
  bool takes_get = true;      // HTTP, stateful: whether a GET opens a stream.
  bool any_revision = false;  // Stateful: agrees to what the client offers.

 protected:
  // said writes down what the judge said.
  void said(std::string_view bytes, std::size_t exchange, std::uint32_t connection);
  void answered(const Asked& asked);

  // connection_of returns the number under which the log keeps what was said: on HTTP each session
  // counts as one.
  std::uint32_t connection_of(std::uint32_t connection, bool opens) const;

  Loop& loop_;
  WireLog& log_;
  Record& record_;
  std::uint32_t openings_ = 0;  // Of initialize, that were heard.

 private:
  Trap trap_;
  std::int64_t last_id_ = 0;
  std::vector<std::unique_ptr<Alarm>> alarms_;
};

}  // namespace plumbline::conformance
