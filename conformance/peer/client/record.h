// Record is everything that one run of a client program said to the server the judge played, in the
// order in which it arrived: what its verdicts rest on.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/catalogue/finding.h"
#include "conformance/peer/client/auth_record.h"
#include "conformance/wire/wire_log.h"
#include "core/net/spawner.h"
#include "core/wire/http.h"

namespace plumbline::conformance {

// Heard is one message of the client.
struct Heard {
  Instant at;
  std::uint32_t connection = 0;     // stdio: the stream it came on, counted from 1. HTTP: 0.
  std::size_t exchange = 0;         // HTTP: the request it came with, see Record::http. stdio: 0.
  Json message;                     // Null for what is no JSON.
  std::string garbage;              // The beginning of what is no JSON.
  bool several = false;             // What is no JSON holds several messages, one behind the other.
  bool batched = false;             // It was an element of an array, or an empty one.
  std::size_t place = 0;            // In the log.
  std::optional<Instant> answered;  // When the judge had answered it: of requests.

  const std::string& method() const;  // Empty for none.
  const Json* id() const { return find(message, "id"); }
  const Json* params() const { return find(message, "params"); }

  // meta returns the value that stands under `key` in params._meta, nullptr for none.
  const Json* meta(std::string_view key) const;

  // param returns the text of one parameter; empty for none.
  std::string param(std::string_view key) const;

  bool is_request() const { return !method().empty() && id() != nullptr; }
  bool is_notification() const { return !method().empty() && id() == nullptr; }
  bool is_response() const {
    return message.is_object() && find(message, "method") == nullptr && id() != nullptr;
  }
};

// Posted is what the body of an HTTP request holds.
struct Posted {
  bool json = false;
  bool array = false;
  bool speaks = false;  // It is a single message of JSON-RPC.
  bool asks = false;    // It holds a request.
  bool mixed = false;   // An array of responses and other messages.
  std::string method;   // Of a single message; empty for none.
};

Posted posted_in(std::string_view body);

// HttpHeard is one HTTP request of the client.
struct HttpHeard {
  Instant at;
  wire::HttpRequest request;
  Posted posted;
  int status = 0;                // Of our answer; 0: none yet.
  std::optional<Instant> ended;  // Our answer has ended, or the client has gone away before.
  bool gone = false;             // The latter.
  std::size_t place = 0;         // In the log.
  std::string session;           // That our answer gave; empty: none.
};

// StreamHeard is one connection over stdio: one start of the server.
struct StreamHeard {
  Instant opened;
  std::optional<Instant> closed;
  bool orderly = false;    // The client closed the server's stdin, before it ended the process.
  bool cut_by_us = false;  // The judge played a server that dies.
};

struct Record {
  explicit Record(const WireLog& wire_log) : log(wire_log) {}

  const WireLog& log;
  std::string revision;
  bool over_http = false;
  bool hostile = false;      // The server said what nobody need understand.
  bool lists_tools = false;  // Of an ordinary server it asked for the tools,
  bool calls_tools = false;  // and it called one.
  bool usual = false;        // The program is told of this server what it is told of that one.
  bool streamed = false;     // HTTP: an answer to a POST was a stream of events.
  bool unreadable = false;   // stdio: it wrote lines that are no JSON, and may wait for an answer.
  bool two_eras = false;     // The client may change its era: no rules of one hold.
  std::vector<Heard> heard;
  std::vector<HttpHeard> http = std::vector<HttpHeard>(1);  // [0] stands for none.
  std::vector<HttpHeard> elsewhere;                         // Of paths that are not the server's.
  std::vector<HttpHeard> trapped;                           // Asked of the trap: see ScriptedPeer.
  std::vector<StreamHeard> streams;
  AuthRecord auth;                 // Of a server that wants tokens.
  Json offered = Json::object();   // The capabilities of the judge's server.
  std::vector<Json> asked;         // Ids of the judge's own requests.
  std::string session_id;          // Given by the judge, the last one. Empty: none.
  std::optional<Instant> refused;  // When the judge has answered 404 to its session.

  bool spawned = false;
  std::optional<net::ExitStatus> exit;  // Nothing: the judge has ended it.
  std::string stderr_tail;
  std::string why_ended;  // By the judge.

  bool connected() const { return http.size() > 1 || !streams.empty(); }
  bool stateless() const;

  using Which = std::function<bool(const Heard&)>;

  // all and first return the messages that `which` picks, in order; first: nullptr for none.
  std::vector<const Heard*> all(const Which& which) const;
  const Heard* first(const Which& which) const { return first_after(0, which); }
  const Heard* first_after(std::size_t place, const Which& which) const;

  // requests returns those of one method; `method` empty: all.
  std::vector<const Heard*> requests(std::string_view method = {}) const;
  std::vector<const Heard*> notifications(std::string_view method = {}) const;
  std::vector<const Heard*> responses() const;

  // response_to returns the client's response with `id`, nullptr for none.
  const Heard* response_to(const Json& id) const;

  // called returns the first tools/call of `tool`.
  const Heard* called(std::string_view tool) const;

  // opening_of returns the initialize of the session that `message` came in; nullptr for none. Of
  // no message: the last one.
  const Heard* opening_of(const Heard* message) const;

  // capabilities returns what the client declared with a request: by itself where the revision is
  // stateless, else in the initialize of its session. Of no request: the first, or the last
  // session.
  const Json& capabilities(const Heard* with = nullptr) const;

  // headers returns those of the request that brought `message`; of stdio none.
  const wire::HttpHeaders& headers(const Heard& message) const {
    return http[message.exchange].request.headers;
  }

  // falls_short returns whether it did less here than with an ordinary server, where it was told
  // the same or did not end well: that a rule does not apply to it is not known then.
  bool falls_short() const;

  // how_it_ended says what became of the program: "ended with exit code 1, its stderr: ...".
  std::string how_it_ended() const;
};

// SessionsHeard knows the first initialize of each stream, or of each session of HTTP.
class SessionsHeard {
 public:
  // `record` must outlive it, and not change.
  explicit SessionsHeard(const Record& record);

  // opening_of returns that of the one which `message` says it belongs to; nullptr for none.
  const Heard* opening_of(const Heard& message) const;

 private:
  const Record& record_;
  std::map<std::string_view, const Heard*> by_id_;
  std::map<std::uint32_t, const Heard*> by_stream_;
};

// at returns `finding` with one message, or one HTTP request, as its evidence.
Finding at(const Record& record, const Heard& message, Finding finding);
Finding at(const Record& record, const HttpHeard& request, Finding finding);
Finding at(const Record& record, const AuthHeard& request, Finding finding);

}  // namespace plumbline::conformance
