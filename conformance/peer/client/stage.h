// Stage is the server that the judge plays for one run of a client program: its voice, its ears,
// and the answers of a good server for whatever the Play does not care about.

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
#include "core/base/loop.h"
#include "core/net/http_server.h"
#include "core/net/network.h"
#include "core/wire/sse.h"

namespace plumbline::conformance {

// What one run of a client may say. Behind either, nothing more is heard and the run ends.
inline constexpr std::size_t kHeardBytesMax = 16U << 20U;  // As they lie in memory.
inline constexpr std::size_t kHeardMax = 4'000;            // Messages, requests and streams.

class Play;
class Stage;

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

// Trap is a second HTTP server, which nobody has any business to ask.
class Trap final : private transport::HttpHandler {
 public:
  Trap(Loop& loop, transport::Network& network, Record& record, WireLog& log);
  std::string url(std::string_view path) const;

  // trouble says why it has no place to listen; empty: it has one.
  const std::string& trouble() const { return trouble_; }

 private:
  void on_request(wire::HttpRequest request, transport::HttpReply reply) override;

  Loop& loop_;
  Record& record_;
  WireLog& log_;
  std::string trouble_;
  transport::HttpServer server_;
  std::unique_ptr<transport::Listener> listener_;
};

class Stage {
 public:
  // Everything given must outlive the stage.
  Stage(Loop& loop, transport::Network& network, WireLog& log, Record& record, Play& play);
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  virtual ~Stage();

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

  Instant now() const { return loop_.now(); }
  Record& record() { return record_; }
  const std::string& revision() const { return record_.revision; }
  bool over_http() const { return record_.over_http; }
  bool stateless() const { return record_.stateless(); }
  Trap& trap() { return trap_; }

  // trouble says why there is no place to serve; empty: there is one.
  const std::string& trouble() const { return trouble_; }

  // flooded returns whether the client has said more than is kept.
  bool flooded() const { return flooded_; }

  // activity returns when the client was last heard.
  Instant activity() const { return activity_; }

  // on_activity names who is told of each sign of the client.
  void on_activity(std::function<void()> told) { told_ = std::move(told); }

  Offer offer;
  bool events = false;        // HTTP: whether requests are answered by a stream of events.
  bool gives_session = true;  // HTTP, stateful: whether a session id is given.
  bool takes_get = true;      // HTTP, stateful: whether a GET opens a stream.
  bool any_revision = false;  // Stateful: agrees to what the client offers.

 protected:
  // fail says that the machine has no place to listen.
  void fail(const Error& error) { trouble_ = "no place to serve: " + error.message; }

  // takes returns whether something of `bytes` more is kept.
  bool takes(std::size_t bytes);

  // heard takes in one frame of the client: writes it down and lets the play act on it.
  void heard(std::string_view bytes, std::size_t exchange, std::uint32_t connection);
  void said(std::string_view bytes, std::size_t exchange, std::uint32_t connection);
  std::size_t note(Json what, std::size_t exchange);
  void active();
  void answered(const Asked& asked);

  Loop& loop_;
  WireLog& log_;
  Record& record_;
  Play& play_;

 private:
  void take(Json message, Heard frame);
  void agree_on(const Json& opening);

  std::uint32_t connection_of(std::uint32_t connection, bool opens) const;

  Trap trap_;
  std::string trouble_;
  std::size_t heard_bytes_ = 0;
  std::size_t heard_count_ = 0;
  std::uint32_t openings_ = 0;  // Of initialize, that were heard.
  bool flooded_ = false;
  Instant activity_;
  std::function<void()> told_;
  std::int64_t last_id_ = 0;
  std::vector<std::unique_ptr<Alarm>> alarms_;
};

}  // namespace plumbline::conformance
