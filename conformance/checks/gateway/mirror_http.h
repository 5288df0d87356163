// MirrorHttp is the side of Streamable HTTP that a MirrorServer shows to a gateway: sessions,
// posts, streams. It is the judge's own, and as plain as can be: nothing is resumed but what was
// broken off on purpose. At paths that end in /sse it speaks the older HTTP+SSE.

#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "conformance/checks/gateway/carried/carriage.h"
#include "core/base/changes.h"
#include "core/base/loop.h"
#include "core/json/json.h"
#include "core/net/http_server.h"

namespace plumbline::conformance {

// AnswerForm is how a response is written down.
enum class AnswerForm {
  kPlain,
  kOdd,   // A stream that begins with an event without data, has a comment, and several lines.
  kCrlf,  // A stream whose lines end in CR and LF.
};

// StreamManner is what a GET of a session comes to.
enum class StreamManner {
  kOpen,
  kNone,   // 405: there is no stream.
  kShort,  // One that ends at once.
};

// Redirect is where a call of a tool is sent by 307.
enum class Redirect {
  kNone,
  kHere,  // To another path of the same server.
  kAway,  // To another origin, where nobody has anything to ask.
};

class MirrorReader {
 public:
  // on_http hands over the head of each HTTP request, before anything else.
  virtual void on_http(const wire::HttpRequest& request) = 0;

  // on_message hands over one message. `session` counts from 1; a stateless request is one by
  // itself.
  virtual void on_message(std::size_t session, const Json& message) = 0;

  // on_stray hands over one that names no session, opens none and is not stateless; or a DELETE
  // that names none, as if it were one.
  virtual void on_stray(const Json& message) = 0;

 protected:
  ~MirrorReader() = default;
};

class MirrorHttp final : private net::HttpHandler {
 public:
  // `new_session_id` makes ids that nobody can guess. `loop` and `reader` must outlive it.
  MirrorHttp(Loop& loop, net::HttpAccess access, std::function<std::string()> new_session_id,
             MirrorReader& reader);

  // changes tells of each request, and of each session that ends.
  Changes& changes() { return changes_; }

  void accept(std::unique_ptr<net::Pipe> pipe) { server_.accept(std::move(pipe)); }

  // set_redirect says what becomes of calls of tools; away is the other origin. set_packs says
  // whether answers come in gzip where that is accepted.
  void set_redirect(Redirect redirect, std::string away = "") {
    redirect_ = redirect;
    away_ = std::move(away);
  }
  void set_packs(bool packs) { packs_ = packs; }

  // set_carriage says how answers are carried from now on.
  void set_carriage(Carriage carriage) {
    carriage_ = carriage;
    nameless_ = nameless_ || !carriage.sessions;
    unnamed_ = 0;
  }

  // answer gives the response to the request `id`; nothing happens when nobody waits for it.
  void answer(std::size_t session, const Json& id, const Json& response,
              AnswerForm form = AnswerForm::kPlain);

  // refuse answers the request `id` by an HTTP status alone.
  void refuse(std::size_t session, const Json& id, int status, const wire::HttpHeaders& headers);

  // cut begins to answer the request `id`, and breaks the connection off.
  void cut(std::size_t session, const Json& id);

  // break_off ends the stream of the request `id` behind an event with an id: who comes back with
  // that gets the response.
  void break_off(std::size_t session, const Json& id, const Json& response);

  void set_streams(StreamManner manner) { streams_ = manner; }

  // about sends a message on the stream of the request `id`, while somebody waits for its answer.
  void about(std::size_t session, const Json& id, const Json& message);

  // is_streamable returns whether a session is one of Streamable HTTP.
  bool is_streamable(std::size_t session) const;

  // tell sends a message on the session's stream of its own, or holds it until there is one.
  void tell(std::size_t session, const Json& message);

  // hears returns whether there is one.
  bool hears(std::size_t session) const;

  // end forgets a session, and what of it waits.
  void end(std::size_t session);
  bool knows(std::size_t session) const { return sessions_.contains(session); }

  // open_sessions returns how many were opened by initialize, and not ended.
  std::size_t open_sessions() const;

 private:
  // Exchange is one POST whose requests are not all answered.
  struct Exchange {
    std::vector<Json> waiting;  // The ids of its requests.
    net::HttpReply reply;
    std::string new_session_id;  // Of the session that it opens; else empty.
    bool stateless = false;
    bool streaming = false;
    bool packed = false;  // A whole answer comes in gzip.
    std::string rest;     // What of its stream is written by `later`.
    std::unique_ptr<Alarm> later;
  };
  struct Session {
    std::string id;  // Empty when stateless.
    std::vector<std::unique_ptr<Exchange>> exchanges;
    net::HttpReply listening;
    std::vector<net::HttpReply> before;  // Streams that were opened earlier, and stay.
    std::vector<Json> untold;
    std::map<std::string, Json> broken_off;  // Responses, by the id of the event before.
    bool streamable = true;  // Else of HTTP+SSE: everything goes out on `listening`.
  };

  // implements transport::HttpHandler ---
  void on_request(wire::HttpRequest request, net::HttpReply reply) override;

  void on_post(const wire::HttpRequest& request, net::HttpReply reply);
  bool redirects(const wire::HttpRequest& request, net::HttpReply& reply) const;
  void on_get(const wire::HttpRequest& request, std::size_t session, net::HttpReply reply);
  void on_sse(const wire::HttpRequest& request, net::HttpReply reply);
  void open_sse(const std::string& path, net::HttpReply reply);
  Session* sse_session(std::size_t session);
  std::size_t begin_session(std::string id);
  std::size_t find_session(const wire::HttpRequest& request) const;
  Exchange* find_exchange(std::size_t session, const Json& id);
  void drop(std::size_t session, const Exchange* exchange);
  void stream(Exchange& exchange, const std::string& events);
  static void end_stream(Exchange& exchange);

  Loop& loop_;
  Changes changes_;
  std::function<std::string()> new_session_id_;
  MirrorReader& reader_;
  std::map<std::size_t, Session> sessions_;
  std::size_t sessions_begun_ = 0;
  std::size_t broken_off_ = 0;  // Streams.
  StreamManner streams_ = StreamManner::kOpen;
  Redirect redirect_ = Redirect::kNone;
  std::string away_;
  bool packs_ = false;
  Carriage carriage_;
  bool nameless_ = false;    // There were clients that were given no id, once.
  std::size_t unnamed_ = 0;  // The session of clients that were given no id; 0: none.
  net::HttpServer server_;
};

}  // namespace plumbline::conformance
