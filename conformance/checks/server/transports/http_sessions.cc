// Sessions over Streamable HTTP: spec 2025-11-25, basic/transports, Session Management.

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/outcomes.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/listening.h"
#include "conformance/checks/server/transports/http_ways.h"
#include "conformance/wire/entropy.h"
#include "conformance/wire/header_names.h"
#include "conformance/wire/http_status.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kNoSessions = "it gives no session ids";
constexpr int kSessionsOpened = 3;

bool has_sessions(const Probe& probe) {
  return probe.survey().opening.headers.get(kSessionHeader).has_value();
}

Task<Finding> gives_visible_ids(Probe& probe) {
  if (!has_sessions(probe)) co_return not_for_it(kNoSessions);
  const std::string id(*probe.survey().opening.headers.get(kSessionHeader));
  const bool visible = std::ranges::all_of(id, [](char c) { return c >= 0x21 && c <= 0x7e; });
  if (visible && !id.empty()) co_return passes();
  co_return about(broken("its session id has other characters than 0x21 to 0x7e"),
                  probe.survey().opening);
}

Task<Finding> gives_ids_nobody_guesses(Probe& probe) {
  if (!has_sessions(probe)) co_return not_for_it(kNoSessions);
  std::vector<std::string> ids;
  ids.emplace_back(*probe.survey().opening.headers.get(kSessionHeader));
  for (int i = 0; i < kSessionsOpened; ++i) {
    Client client = co_await open_quietly(probe);
    if (!client.session().usable()) co_return undecided("it could not be opened again");
    ids.push_back(client.session().session_id());
  }
  const std::string weak = weakness_of(ids);
  co_return weak.empty()
      ? passes()
      : about(broken("its session ids can be guessed: " + weak), probe.survey().opening);
}

// end_session returns what DELETE came to.
Task<Reply> end_session(Client& client) {
  wire::HttpRequest request = bare_request(client, "DELETE");
  Reply reply = co_await client.http(std::move(request));
  co_return reply;
}

// borrows_a_session returns the answer to a request without a session id when the session that was
// opened last had ended, where the same was answered before: it was served in that session. Null:
// it was answered still, or nothing can be told.
Task<std::optional<Reply>> borrows_a_session(Probe& probe) {
  const wire::HttpHeaders without = {{kSessionHeader, ""}};
  Client client = co_await open_quietly(probe);
  if (!client.session().usable()) co_return std::nullopt;
  const Reply before = co_await ask_harmlessly(client, without);
  const int ended = (co_await end_session(client)).status;
  if (before.result() == nullptr || ended < 200 || ended >= 300) co_return std::nullopt;
  Reply after = co_await ask_harmlessly(client, without);
  const bool refused = after.result() == nullptr && after.status >= 400 && after.status < 500 &&
                       after.status != kTooManyRequests;
  co_return refused ? std::optional(std::move(after)) : std::nullopt;
}

// wants_the_id: who requires a session refuses what names none. One that answers without may do
// without sessions; where it answers only as long as a client has one open, it takes that of a
// client. What else is judged meanwhile opens sessions as well: it is seen twice.
Task<Finding> wants_the_id(Probe& probe) {
  constexpr int kTries = 12;
  if (!has_sessions(probe)) co_return not_for_it(kNoSessions);
  Client client = co_await open_quietly(probe);
  if (!client.session().usable()) co_return undecided("it could not be opened again");
  const wire::HttpHeaders without = {{kSessionHeader, ""}};
  const Reply reply = co_await ask_harmlessly(client, without);
  if (reply.status == 400) co_return passes();
  if (reply.result() == nullptr) {
    co_return broken("without " + std::string(kSessionHeader) + " it answered " + reply.describe() +
                     ", expected status 400");
  }
  for (int tries = 0, seen = 0; tries < kTries; ++tries) {
    const std::optional<Reply> refused = co_await borrows_a_session(probe);
    if (!refused || ++seen < 2) continue;
    co_return about(broken("without " + std::string(kSessionHeader) +
                           " a request is answered in the session that a client opened last: " +
                           "once that had ended, it got " + refused->describe() +
                           ", expected status 400 before that as well"),
                    reply, *refused);
  }
  co_return not_for_it("it does without the session id");
}

Task<Finding> forgets_ended_sessions(Probe& probe) {
  if (!has_sessions(probe)) co_return not_for_it(kNoSessions);
  Client client = co_await open_quietly(probe);
  if (!client.session().usable()) co_return undecided("it could not be opened again");
  const int ended = (co_await end_session(client)).status;
  if (ended < 200 || ended >= 300) co_return not_for_it("DELETE does not end its sessions");
  const Reply reply = co_await ask_harmlessly(client, wire::HttpHeaders());
  if (reply.status != 404) {
    co_return about(broken("a request of a session that DELETE ended got " + reply.describe() +
                           ", expected status 404"),
                    reply);
  }
  const Reply again = co_await end_session(client);
  if (again.status < 200 || again.status >= 300) co_return passes();
  co_return about(
      risky("DELETE of a session that DELETE had ended got status " + std::to_string(again.status) +
            ", expected 404: who ends a session that is not there is told that it was"),
      again);
}

Task<Finding> ends_sessions_or_says_405(Probe& probe) {
  if (!has_sessions(probe)) co_return not_for_it(kNoSessions);
  Client client = co_await open_quietly(probe);
  if (!client.session().usable()) co_return undecided("it could not be opened again");
  const int status = (co_await end_session(client)).status;
  if (status == 0) co_return undecided("DELETE was not answered");
  const bool ended = status >= 200 && status < 300;
  if (!ended && status != 405) {
    Finding finding =
        broken("DELETE got status " + std::to_string(status) + ", expected 2xx or 405");
    finding.reason = outcome::of_status(status);
    co_return std::move(finding);
  }
  const Reply reply = co_await ask_harmlessly(client, wire::HttpHeaders());
  if (ended == (reply.result() == nullptr)) co_return passes();
  co_return about(broken("DELETE got status " + std::to_string(status) +
                         ", then the session answered " + reply.describe()),
                  reply);
}

constexpr const char* kSameId = "plumbline-side-by-side-";

// opens_beside_others says what is wrong with the opening of a session beside others; passes: it
// was opened.
Finding opens_beside_others(const Client& client) {
  if (client.session().usable()) return passes();
  const Reply& opening = client.session().opening();
  const bool busy = opening.status == kTooManyRequests || opening.status == 503;
  if (opening.status == 0 || busy) return undecided("initialize got " + opening.describe());
  return shuts_out("while the session of another client was open", opening);
}

// progress_in counts the notifications of progress that came before an answer.
std::ptrdiff_t progress_in(const Reply& reply) {
  return std::ranges::count_if(reply.along, [](const KeptJson& one) {
    return string_or(*one, "method", "") == "notifications/progress";
  });
}

Json with_id(Json call, const std::string& id) {
  call["id"] = id;
  return call;
}

// Beside is what came of one call in two sessions, one after the other.
struct Beside {
  Reply newer;
  Reply older;
};

// call_in_turn makes the call in a session that was opened just now, and then in an older one. What
// else is judged meanwhile opens sessions as well.
Task<Beside> call_in_turn(Client& older, Client& newer, Json call) {
  Beside beside;
  const std::string number = std::to_string(older.session().next_id());
  beside.newer = co_await newer.exchange(with_id(call, "plumbline-newer-" + number));
  if (beside.newer.answered()) {
    beside.older = co_await older.exchange(with_id(call, "plumbline-older-" + number));
  }
  co_return std::move(beside);
}

// answers_apart makes one call in two sessions at a time, with one id and one token.
Task<Finding> answers_apart(Client& older, Client& newer, Json call, bool tells) {
  const std::string id = kSameId + std::to_string(older.session().next_id());
  Client::Begun first = older.begin(with_id(call, id));
  Client::Begun second = newer.begin(with_id(call, id));
  const Reply one = co_await older.finish(std::move(first));
  const Reply other = co_await newer.finish(std::move(second));
  for (const Reply* const reply : {&one, &other}) {
    if (reply->answered()) continue;
    co_return about(broken("two sessions made a call with the same id at a time, and that of one "
                           "got " +
                           reply->describe() +
                           ": an id is that of its session, and clients count theirs from 1"),
                    *reply);
  }
  for (const Reply* const reply : {&one, &other}) {
    if (!tells || !reply->events || progress_in(*reply) > 0) continue;
    co_return about(broken("two sessions made a call with the same progressToken at a time, and "
                           "one was told of no progress: a token is that of its session"),
                    *reply);
  }
  co_return passes();
}

// calls_to_compare returns the call that took longest, and those that were not answered: their
// answers may have gone to another session.
Task<std::vector<Json>> calls_to_compare(Probe& probe, Client& client) {
  constexpr std::size_t kCallsMax = 3;
  constexpr const char* kToken = "side-by-side";
  std::vector<Json> calls;
  Json longest = co_await longest_call(probe, client, kToken);
  if (!longest.is_null()) calls.push_back(std::move(longest));
  const Exercise& exercise = *co_await probe.exercise();
  for (const Call& call : exercise.calls) {
    const bool lost = call.method == "tools/call" && call.first && !call.reply.answered();
    if (!lost || calls.size() == kCallsMax) continue;
    if (probe.disturbs(string_or(call.params, "name", ""))) continue;
    Json message = client.request_of("tools/call", call.params);
    message["params"]["_meta"]["progressToken"] = kToken;
    calls.push_back(std::move(message));
  }
  co_return std::move(calls);
}

// calls_beside makes a call in `older` and in a session that is opened beside it. A call that is
// not answered there is made again while `again` is above zero: of each, the wait is a long one.
Task<Finding> calls_beside(Probe& probe, Client& older, Json call, int& again) {
  for (bool first = true; first || again-- > 0; first = false) {
    Client newer = co_await open_quietly(probe);
    Finding opened = opens_beside_others(newer);
    if (opened.verdict != Verdict::kPass) co_return std::move(opened);
    const Beside beside = co_await call_in_turn(older, newer, call);
    if (!beside.newer.answered()) continue;
    if (!beside.older.answered()) {
      co_return about(broken("two sessions are open: a call in the one that was opened last was "
                             "answered, and the same call in the older one got " +
                             beside.older.describe()),
                      beside.older);
    }
    const bool tells = progress_in(beside.newer) > 0 && progress_in(beside.older) > 0;
    co_return co_await answers_apart(older, newer, call, tells);
  }
  co_return passes();
}

// calls_that_log returns calls of a tool that is known to log; else of a few that may, as who logs
// to somebody else is not seen to log.
Task<std::vector<Json>> calls_that_log(Probe& probe) {
  constexpr std::size_t kCallsMax = 6;
  std::vector<Json> calls;
  const std::optional<ToolUse> use = co_await probe.tool_that(Shows::kLogs);
  if (use) {
    calls.push_back(use->params);
    co_return std::move(calls);
  }
  const Exercise& exercise = *co_await probe.exercise();
  for (const Call& call : exercise.calls) {
    const bool quick = call.reply.took < std::chrono::seconds(1) && call.reply.result() != nullptr;
    if (call.method != "tools/call" || !call.first || !quick || !call.wants.empty()) continue;
    if (calls.size() == kCallsMax) break;
    if (probe.disturbs(string_or(call.params, "name", ""))) continue;
    calls.push_back(call.params);
  }
  co_return std::move(calls);
}

// log_of_others makes calls in `older`, and returns what is logged meanwhile to a session that was
// opened last and has nothing to do. It was quiet there before.
Task<Json> log_of_others(Probe& probe, Client& older, std::vector<Json> calls) {
  constexpr const char* kLog = "notifications/message";
  const Duration quiet = probe.pace().quiet();
  Client newer = co_await probe.open(probe.usual());
  if (!newer.session().usable() || !co_await newer.can_hear()) co_return Json();
  const Json by_itself = co_await await_notice(newer, 0, kLog, quiet);
  if (!by_itself.is_null()) co_return Json();
  const std::size_t first = frames_of(newer);
  for (Json& params : calls) co_await older.request("tools/call", std::move(params));
  co_return co_await await_notice(newer, first, kLog, quiet);
}

// logs_to_the_caller: what a call logs goes to the session that called.
Task<Finding> logs_to_the_caller(Probe& probe, Client& older) {
  constexpr std::size_t kTries =
      4;  // What else is judged meanwhile opens sessions as well, and logs.
  if (opened_slowly(older) || !probe.survey().declares("/logging")) co_return passes();
  const std::vector<Json> calls = co_await calls_that_log(probe);
  if (calls.empty()) co_return passes();
  Json level = Json::object();
  level["level"] = "debug";
  co_await older.request("logging/setLevel", std::move(level));
  std::size_t heard = 0;
  for (std::size_t tries = 0; tries < kTries && tries - heard < 2; ++tries) {
    const Json log = co_await log_of_others(probe, older, calls);
    if (log.is_null() || ++heard < 2) continue;
    co_return showing(risky("a call in one session was logged to another, which was opened after "
                            "it and had asked nothing, twice: " +
                            dump_json(log)),
                      log);
  }
  co_return passes();
}

// Two clients at a time: each has its own answers, and what one does to its session leaves that of
// the other as it is.
Task<Finding> serves_sessions_side_by_side(Probe& probe) {
  if (!has_sessions(probe)) co_return not_for_it(kNoSessions);
  Client one = co_await open_quietly(probe);
  Client other = co_await open_quietly(probe);
  for (const Client* const client : {&one, &other}) {
    Finding opened = opens_beside_others(*client);
    if (opened.verdict != Verdict::kPass) co_return std::move(opened);
  }
  const int ended = (co_await end_session(other)).status;
  if (ended >= 200 && ended < 300) {
    const Reply reply = co_await ask_harmlessly(one, wire::HttpHeaders());
    if (reply.result() == nullptr && reply.status != 0) {
      co_return about(broken("DELETE ended the session of one client, and a request in the session "
                             "of another got " +
                             reply.describe()),
                      reply);
    }
  }
  const std::vector<Json> calls = co_await calls_to_compare(probe, one);
  int again = 1;
  for (const Json& call : calls) {
    Finding called = co_await calls_beside(probe, one, call, again);
    if (called.verdict != Verdict::kPass) co_return std::move(called);
  }
  co_return co_await logs_to_the_caller(probe, one);
}

constexpr ServerCheck kHttpSessionsChecks[] = {
    {"http.session-id-visible-ascii", Eras::kStateful, SessionUse::kOpens, gives_visible_ids},
    {"http.session-id-unguessable", Eras::kStateful, SessionUse::kOpens, gives_ids_nobody_guesses},
    {"http.session-id-missing-400", Eras::kStateful, SessionUse::kOpens, wants_the_id},
    {"http.session-ended-404", Eras::kStateful, SessionUse::kOpens, forgets_ended_sessions},
    {"http.session-delete-accepted-or-405", Eras::kStateful, SessionUse::kOpens,
     ends_sessions_or_says_405},
    {"http.sessions-side-by-side", Eras::kStateful, SessionUse::kWaits,
     serves_sessions_side_by_side},
};

}  // namespace

ServerChecks http_sessions_checks() { return kHttpSessionsChecks; }

}  // namespace plumbline::conformance
