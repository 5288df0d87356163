// Sessions over Streamable HTTP: spec 2025-11-25, basic/transports, Session Management.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/outcomes.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/entropy.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/transports/http_ways.h"
#include "conformance/wire/header_names.h"

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

Task<Finding> wants_the_id(Probe& probe) {
  if (!has_sessions(probe)) co_return not_for_it(kNoSessions);
  Client client = probe.client();
  const wire::HttpHeaders without = {{kSessionHeader, ""}};
  const Reply reply = co_await ask_harmlessly(client, without);
  if (reply.result() != nullptr) co_return not_for_it("it does without the session id");
  if (reply.status == 400) co_return passes();
  co_return broken("without " + std::string(kSessionHeader) + " it answered " + reply.describe() +
                   ", expected status 400");
}

// end_session returns the status of DELETE.
Task<int> end_session(Client& client) {
  wire::HttpRequest request = bare_request(client, "DELETE");
  const Reply reply = co_await client.http(std::move(request));
  co_return reply.status;
}

Task<Finding> forgets_ended_sessions(Probe& probe) {
  if (!has_sessions(probe)) co_return not_for_it(kNoSessions);
  Client client = co_await open_quietly(probe);
  if (!client.session().usable()) co_return undecided("it could not be opened again");
  const int ended = co_await end_session(client);
  if (ended < 200 || ended >= 300) co_return not_for_it("DELETE does not end its sessions");
  const Reply reply = co_await ask_harmlessly(client, wire::HttpHeaders());
  if (reply.status == 404) co_return passes();
  co_return about(broken("a request of a session that DELETE ended got " + reply.describe() +
                         ", expected status 404"),
                  reply);
}

Task<Finding> ends_sessions_or_says_405(Probe& probe) {
  if (!has_sessions(probe)) co_return not_for_it(kNoSessions);
  Client client = co_await open_quietly(probe);
  if (!client.session().usable()) co_return undecided("it could not be opened again");
  const int status = co_await end_session(client);
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

constexpr ServerCheck kHttpSessionsChecks[] = {
    {"http.session-id-visible-ascii", Eras::kStateful, SessionUse::kOpens, gives_visible_ids},
    {"http.session-id-unguessable", Eras::kStateful, SessionUse::kOpens, gives_ids_nobody_guesses},
    {"http.session-id-missing-400", Eras::kStateful, SessionUse::kShared, wants_the_id},
    {"http.session-ended-404", Eras::kStateful, SessionUse::kOpens, forgets_ended_sessions},
    {"http.session-delete-accepted-or-405", Eras::kStateful, SessionUse::kOpens,
     ends_sessions_or_says_405},
};

}  // namespace

ServerChecks http_sessions_checks() { return kHttpSessionsChecks; }

}  // namespace plumbline::conformance
