// Reply is what came of one request to a server under judgement.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/catalogue/finding.h"
#include "conformance/wire/inbox.h"
#include "core/wire/http.h"

namespace plumbline::conformance {

struct Reply {
  enum class How {
    kAnswered,  // By a response with its id.
    kSilent,    // Nothing came in time.
    kEnded,     // HTTP: the exchange ended without a response.
    kClosed,    // The connection is gone.
  };
  How how = How::kSilent;
  KeptJson message = kept(nullptr);  // The whole response. Null unless kAnswered.
  std::vector<KeptJson> along;   // Other messages that came meanwhile, on HTTP only its exchange's.
  std::size_t exchange = 0;      // HTTP: which.
  int status = 0;                // HTTP: its status, 0 for none.
  wire::HttpHeaders headers;     // HTTP: of the answer.
  std::string body;              // HTTP: unless it was a stream of events.
  bool events = false;           // HTTP: whether it was one.
  bool resumable = false;        // HTTP: it ended after an event with an id: the rest may follow.
  std::string why;               // How the connection or the exchange ended, where that is known.
  std::string_view why_id = {};  // What the program calls that; empty: nothing.
  Duration took{};
  std::vector<std::size_t> places = {};  // In the log: of what was sent, and of the response.

  bool answered() const { return how == How::kAnswered; }

  // result and error return the member of the response, nullptr when it has none. A null beside the
  // other one counts as none: clients read it so, and that it stands there is told once.
  const Json* result() const { return member("result", "error"); }
  const Json* error() const { return member("error", "result"); }

  // error_of_another_id returns an error that came in its exchange and does not name its id;
  // nullptr: none did.
  const Json* error_of_another_id() const;

  // id_of_another_result returns the id of a result that came likewise, as JSON; empty: none did,
  // or one without an id.
  std::string id_of_another_result() const;

  // code returns the code of the error; nothing when there is no error, or no whole number in it.
  std::optional<std::int64_t> code() const;

  // describe says in a few words what came: "a result", "error -32601 (Method not found)",
  // "status 404 and no JSON-RPC", "nothing within 5000 ms", "the connection closed".
  std::string describe() const;

  // outcome returns the same in one word, for who decides by it: outcomes.h.
  std::string outcome() const;

 private:
  const Json* member(const char* name, const char* other) const;
};

// is_response returns whether a message answers a request.
bool is_response(const Json& message);

// about returns `finding` as one about `reply`, whatever its check has waited for since. What came
// is its reason, unless it has one.
inline Finding about(Finding finding, const Reply& reply) {
  finding.about = reply.places;
  if (finding.reason.empty()) finding.reason = reply.outcome();
  return finding;
}
inline Finding about(Finding finding, const Reply& one, const Reply& other) {
  finding.about = one.places;
  finding.about.insert(finding.about.end(), other.places.begin(), other.places.end());
  return finding;
}

}  // namespace plumbline::conformance
