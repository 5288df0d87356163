// What stands between an HTTP client and its server in a simulated world, as data: rules that
// match exchanges, and what is done to those.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/time.h"
#include "core/json/json.h"
#include "core/wire/http.h"
#include "fakes/faults/stream_bend.h"
#include "fakes/proxy/content_encoding.h"

namespace plumbline::fakes {

// HttpMatch says which exchanges a rule is about. What is empty matches any.
struct HttpMatch {
  std::string http_method;  // "POST".
  std::string path;         // "/mcp", without the query.
  std::string method;       // Of the JSON-RPC message in the body: "tools/call".
  std::string name;         // params.name or params.uri.
  // Headers of the request: * in a value stands for any run of characters; none: it is absent.
  std::vector<std::pair<std::string, std::optional<std::string>>> headers;
  std::optional<std::size_t> session;  // It carries the n-th session id given out; 0: none.
  std::int64_t first = 1;              // Of those that match the above, counted from 1.
  std::int64_t last = std::numeric_limits<std::int64_t>::max();
  Duration idle{};                   // Its connection has been idle for at least so long.
  Duration from{};                   // Of the world's time.
  Duration until = Duration::max();  // Exclusive.
};

// HeaderEdit sets a header; without a value it takes it away.
using HeaderEdit = std::pair<std::string, std::optional<std::string>>;

// HttpAction is what is done to an exchange. One that does nothing passes it on.
struct HttpAction {
  enum class Drop { kNone, kHang, kClose, kReset };
  enum class Cut { kEnd, kClose, kReset };

  Duration delay{};                // Before anything else.
  bool forget_sessions = false;    // Every replica has restarted: no session is known any more.
  std::optional<Duration> down;    // Every connection breaks, and nobody listens for so long.
  Drop drop = Drop::kNone;         // No answer; the connection stays, ends or breaks.
  std::optional<std::string> raw;  // These bytes instead of an answer, then the end.
  std::optional<wire::HttpResponse> answer;  // Where its body says {{id}}: the request's id.
  std::vector<HeaderEdit> request_headers;
  std::vector<HeaderEdit> response_headers;
  std::optional<ContentCoding> encode;  // Of the body, whatever the client asked for.
  StreamEdits edits;
  Cut cut = Cut::kClose;         // How the edits cut.
  std::size_t chunk_bytes = 0;   // At most so many in a chunk of a stream; 0: as they come.
  std::optional<Duration> idle;  // A stream that is silent for so long is cut.
};

struct HttpRule {
  HttpMatch match;
  HttpAction action;
  bool never = false;  // A trap: a run that comes to it has failed.
};

// HttpFront is all that stands before one server.
struct HttpFront {
  int replicas = 1;                  // That share no sessions; each exchange goes to the next one.
  wire::HttpHeaders client_headers;  // What the client is configured to send.
  std::vector<HttpRule> rules;       // All that match are applied, in this order.
};

// HttpChange is one way in which a rule changes an exchange.
enum class HttpChange { kDelay, kForget, kDown, kDrop, kAnswer, kEncode, kChunks, kIdle };

// asks_for returns whether `action` is there to make that change.
bool asks_for(const HttpAction& action, HttpChange change);
bool asks_for(const StreamEdits& edits, StreamEdits::Kind kind);

// Exchange facts that rules are matched on.
struct HttpFacts {
  const wire::HttpRequest& request;
  std::string method;  // Empty: no message, or none with a method.
  std::string name;
  Json id;                             // Null when there is none.
  std::optional<std::size_t> session;  // Nothing: an id that was not given out here.
  Duration idle{};
  Duration now{};
};

// facts_of reads the session and the message in the body, if there is one.
HttpFacts facts_of(const wire::HttpRequest& request, const std::vector<std::string>& sessions);

// HttpRuleBook counts for each rule what it was about.
class HttpRuleBook {
 public:
  // `rules` must outlive the book.
  explicit HttpRuleBook(const std::vector<HttpRule>& rules)
      : rules_(rules), met_(rules.size(), 0) {}

  // apply returns what is to be done, and appends the indexes of the rules that say so.
  HttpAction apply(const HttpFacts& facts, std::vector<std::size_t>& meant);

  const HttpRule& rule(std::size_t index) const { return rules_[index]; }

 private:
  const std::vector<HttpRule>& rules_;
  std::vector<std::int64_t> met_;
};

// edit_headers returns whether anything is changed.
bool edit_headers(wire::HttpHeaders& headers, const std::vector<HeaderEdit>& edits);

}  // namespace plumbline::fakes
