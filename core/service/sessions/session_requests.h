// What the endpoints of sessions read of a request: its body, and the session that it names.

#pragma once

#include <optional>
#include <string>

#include "core/json/json.h"
#include "core/json/object_reader.h"
#include "core/service/guess_limit.h"
#include "core/service/http_service.h"
#include "core/service/sessions/session_book.h"

namespace plumbline::service {

inline constexpr std::string_view kCodeHeader = "X-Session-Code";

// guest_of names who asks: see wire::guest_of.
std::string guest_of(const Exchange& exchange);

// refuse_share answers 413, 429 or 503, for who has got no `amount` of `resource`.
void refuse_share(Exchange& exchange, Resource resource, std::uint64_t amount);

// charge_for takes for the bytes of `values`, which are to be kept. Nothing: it is refused.
std::optional<Held> charge_for(Exchange& exchange, const Json& values);

// read_object returns the body of a POST, which has to be a JSON object. Nothing: it is answered
// with 415 or 400, or as refuse_share does.
std::optional<Json> read_object(Exchange& exchange);

// answered_problem answers 400 where `problem` is one, and returns whether it did.
bool answered_problem(Exchange& exchange, const std::optional<Problem>& problem);

// answer_failure answers `status` with the code, message and data of `failure`.
void answer_failure(Exchange& exchange, int status, const mcp::Failure& failure);

// code_of returns the code that the header or the query of a request names; empty: none.
std::string code_of(const wire::HttpRequest& request);

// SessionFinder finds the session that a request names, and keeps codes from being guessed.
class SessionFinder {
 public:
  // All must outlive it.
  SessionFinder(Loop& loop, SessionBook& book) : loop_(loop), book_(book) {}

  // find returns the session of `code`, or nullptr, and then it is answered: 400 for what has not
  // the form of a code, 404 for one of no session, 429 for who has named too many of those. Whoever
  // has opened a session is never kept from it.
  Session* find(Exchange& exchange, const std::string& code);

 private:
  Loop& loop_;
  SessionBook& book_;
  GuessLimit guesses_;
};

}  // namespace plumbline::service
