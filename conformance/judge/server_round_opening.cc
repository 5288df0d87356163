// How a ServerRound opens the subject, and which rules one breaks that cannot be opened.

#include <algorithm>
#include <string>
#include <utility>

#include "conformance/checks/server/judgements.h"
#include "conformance/judge/refused_opening.h"
#include "conformance/judge/server_round.h"
#include "conformance/peer/client.h"
#include "conformance/peer/opening.h"
#include "conformance/wire/http_status.h"
#include "core/base/errors/errors.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kOpeningEntries = 3;  // initialize, its answer, notifications/initialized.

constexpr std::string_view kFromHeader = "auth.token-from-header";

constexpr int kSlowStarts = 5;  // That take so much of the time for one.

constexpr std::size_t kDiscoveryEntries = 4;  // server/discover and tools/list, answered.

// is_of_every_era returns whether a rule is about what messages are made of: it binds a server that
// does not know the stateless revision, too.
bool is_of_every_era(const Requirement& rule) {
  return rule.area == "jsonrpc" || rule.area == "stdio" || rule.area == "http" ||
         rule.id == "base.utf8-encoding";
}

// wrong_id says what is wrong with the id of a response to the opening request, which has a number.
std::string wrong_id(const std::string& method, const Json* id) {
  const std::string response = "the response to " + method;
  if (id == nullptr) return response + " has no id, expected that of the request";
  const auto* const text = id->get_ptr<const std::string*>();
  const bool digits = text != nullptr && !text->empty() &&
                      text->find_first_not_of("0123456789") == std::string::npos;
  if (!digits) return response + " has the id " + dump_json(*id) + ", which nobody asked";
  return response + " came to nobody: its id is " + dump_json(*id) +
         ", expected a number, as the id of the request is";
}

// is_shut_out returns whether `opening` refuses a session to whoever comes second, and not for now
// or for want of a token. That it was asked at the right place the first one has shown.
bool is_shut_out(const Reply& opening) {
  const bool by_door = opening.status == 401 || opening.status == 403;
  const bool for_now = opening.status == kTooManyRequests || opening.status == 503;
  const bool refused = opening.error() != nullptr || opening.status >= 400;
  return refused && !by_door && !for_now;
}

}  // namespace

Task<void> ServerRound::open_shared() {
  co_await sessions_.open_shared();
  refused_ = sessions_.refused();
  note_opening();
}

// note_opening remembers how initialize was answered: rules on versions need not ask again.
void ServerRound::note_opening() {
  const Session* const shared = sessions_.shared();
  if (shared == nullptr || is_stateless(revision_)) return;
  openings_.note(
      revision_,
      Opening{
          shared->opening(), {}, log_.evidence_of(0, kOpeningEntries, shared->opening().places)});
}

void ServerRound::start_ahead() {
  if (subject_.spec().transport != Transport::kStdio) return;
  const bool few = subject_.starts().max > 0 || !options_.selection.only.empty();
  if (!few) sessions_.open_ahead(options_.starts_ahead);
}

Task<void> ServerRound::ask() {
  co_await open_shared();
  Session* const shared = sessions_.shared();
  if (shared == nullptr) co_return;
  sessions_.note_start(*shared);
  agreed_ = shared->usable() && shared->disagreement().empty() && shared->revision() == revision_;
  if (!agreed_ && refused_.message.empty()) refused_.message = shared->disagreement();
  if (!is_stateless(revision_) && is_stateless(shared->revision())) {
    refused_.message = "initialize was answered with " + shared->revision();
  }
  if (is_stateless(revision_)) agreed_ = co_await is_supported();
  // It may know nothing of server/discover and say nothing: no reason to start it again, unless
  // others take long to start as well.
  if (!agreed_ && is_stateless(revision_) && may_be_lost(*shared) &&
      kSlowStarts * subject_.starts().first_answer > subject_.pace().opening()) {
    co_await sessions_.open_shared_anew();
    agreed_ = sessions_.shared() != nullptr && co_await is_supported();
  }
  if (agreed_ || sessions_.shared() == nullptr) co_return;
  co_await sessions_.drop_ahead();
  co_await sessions_.shared()->close();
}

Task<void> ServerRound::insist() {
  co_await open_shared();
  Session* const shared = sessions_.shared();
  if (shared == nullptr || !refused_.message.empty()) co_return;
  if (!is_stateless(revision_) && shared->disagreement().empty() &&
      shared->revision() != revision_) {
    refuse("initialize was answered with " + shared->revision());
  }
}

void ServerRound::refuse(const std::string& why) {
  refused_ = the_error_as(ErrorCode::kUnsupported, "server.other-revision", revision_, why);
}

// stateless_refusal says why the subject knows nothing of the stateless revision; empty: it does,
// well or badly.
Task<std::string> ServerRound::stateless_refusal() {
  const Reply& discovered = survey_.opening;
  if (discovered.result() != nullptr) co_return std::string();
  Client client(*sessions_.shared(), 0);
  for (const char* const method : {"tools/list", "resources/list", "prompts/list"}) {
    const Reply reply = co_await client.request(method);
    const Json* const result = reply.result();
    if (result != nullptr && find(*result, "resultType") != nullptr) co_return std::string();
  }
  co_return "server/discover got " + discovered.describe() + way_in(discovered);
}

// is_supported asks a stateless server whether it speaks the revision.
Task<bool> ServerRound::is_supported() {
  Client client(*sessions_.shared(), 0);
  Client::Begun begun = client.begin(client.request_of("server/discover", Json::object()));
  const Duration patience = subject_.pace().opening();
  const Reply reply = co_await client.finish(std::move(begun), patience);
  if (reply.error() != nullptr) co_await list_early();
  const Json* const result = reply.result();
  const Json* const versions = result ? find(*result, "supportedVersions") : nullptr;
  co_return versions&& std::ranges::find(*versions, Json(revision_)) != versions->end();
}

// list_early asks a process that has refused server/discover what the older revisions want to know
// of one that nobody has initialized, so that none has to start for it.
Task<void> ServerRound::list_early() {
  Session& session = *sessions_.shared();
  if (session.wire().http() || !session.usable()) co_return;
  Json message(Json::value_t::object);
  message["jsonrpc"] = "2.0";
  message["id"] = session.next_id();
  message["method"] = "tools/list";
  Opening early;
  early.then = co_await Client(session, 0).exchange(std::move(message));
  if (!early.then.answered()) co_return;
  early.evidence = log_.evidence_of(0, kDiscoveryEntries);
  openings_.note(std::string(Openings::kUninitialized), std::move(early));
}

// judge_endpoint tells of an endpoint of HTTP+SSE to which nothing is sent: no check can.
void ServerRound::judge_endpoint() {
  for (Row& row : rows_) {
    if (row.rule->id == "sse-legacy.endpoint-event")
      write_row(row, broken(refused_.message), 0, {});
  }
}

// judge_opening tells by which rules the subject could not be opened, where what it said breaks
// any.
Task<void> ServerRound::judge_opening(Reply opening) {
  if (astray()) co_return;
  co_await sessions_.shared()->close();
  co_await consult_oracles();
  const std::string method = is_stateless(revision_) ? "server/discover" : "initialize";
  for (Row& row : rows_) {
    const bool holds = !is_stateless(revision_) || is_of_every_era(*row.rule);
    if (row.result.verdict != Verdict::kFail || !holds) row.result = {};
    const bool second = subject_.served_once() && is_shut_out(opening);
    if (second && row.rule->id == "http.sessions-side-by-side") {
      write_row(row, shuts_out("when one session had been opened and ended", opening), 0, {});
    }
    if (row.rule->id != "jsonrpc.response-id-matches" || opening.answered()) continue;
    for (const KeptJson& along : opening.along) {
      if (find(*along, "result") == nullptr) continue;
      write_row(row, broken(wrong_id(method, find(*along, "id"))), 0, {});
    }
  }
  if (is_stateless(revision_)) co_return;
  // Who is shut out has been told, and so has an answer that cannot be read as one.
  const bool shut = subject_.served_once() && is_shut_out(opening);
  if (shut || (told() && !opening.answered())) co_return;
  const SessionOptions& options = sessions_.shared()->options();
  const OpeningFault fault =
      co_await opening_fault(subject_, options, std::move(opening), is_one(options_.revision));
  for (Row& row : rows_) {
    if (row.rule->id == fault.rule) write_row(row, fault.finding, 0, {});
  }
}

// judge_door puts those rules to the test that say how somebody without a token is refused. Who
// refuses the user's own in another way is asked about that alone.
Task<void> ServerRound::judge_door(int status) {
  const bool forbids =
      (status == 400 || status == 403) && subject_.spec().headers.count("Authorization") > 0;
  if (status != 401 && !forbids) co_return;
  shut_out_ = shut_out_ || status == 401;
  survey_.revision = revision_;
  for (std::size_t place = 0; place < rows_.size(); ++place) {
    const Row& row = rows_[place];
    const bool asked = forbids ? row.rule->id == kFromHeader : row.rule->area == "auth";
    if (!asked || row.check == nullptr || row.check->session != SessionUse::kOpens) continue;
    co_await judge_row(place);
    if (!forbids) continue;
    const bool fails = rows_[place].result.verdict == Verdict::kFail;
    if (!fails) rows_[place].result = {};
    shut_out_ = shut_out_ || fails;
  }
}

}  // namespace plumbline::conformance
