// GatewayCheck is one check of what stands between clients and servers: what goes in at one side
// has to come out at the other, whole, once, in order and at the right peer.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/catalogue/finding.h"
#include "conformance/catalogue/requirement.h"
#include "conformance/checks/gateway/exchanges.h"
#include "conformance/checks/gateway/mirror_server.h"
#include "conformance/peer/client.h"
#include "core/base/task.h"

namespace plumbline::conformance {

struct GatewayCheck;

// What of a server clients ask for beside calls, and the exchange that shows that it goes through.
inline constexpr std::pair<std::string_view, Ask> kOtherMethods[] = {
    {"prompts/get", Ask::kPrompt},
    {"resources/read", Ask::kText},
};

// Why a check of what the server gets is undecided.
inline constexpr const char* kNeverReached = "the call never reached the server";

// What no server has calls a tool or a prompt.
inline constexpr const char* kNobodysName = "plumbline_of_nobody";

// GatewayProbe is what a check may use: the mirror behind the gateway, clients before it.
class GatewayProbe {
 public:
  // Everything must outlive the probe. `revision` is spoken on both sides; `rule` is what is put to
  // the test, as the check of this number.
  GatewayProbe(Subject& subject, MirrorServer& mirror, Exchanges& exchanges, std::string revision,
               const GatewayCheck* rule, std::uint32_t check)
      : subject_(subject),
        mirror_(mirror),
        exchanges_(exchanges),
        revision_(std::move(revision)),
        rule_(rule),
        check_(check) {}
  GatewayProbe(const GatewayProbe&) = delete;
  GatewayProbe& operator=(const GatewayProbe&) = delete;

  // enter opens one more client session; it is given up at the end of the check. Null: it could not
  // be opened; why() says why. `revision` is asked for; empty: the probe's. `capabilities` are
  // declared; null: all that there are. `listens`: it asks for a stream by GET, where there is one.
  Task<Session*> enter(std::string revision = "", Json capabilities = nullptr, bool listens = true);
  const std::string& why() const { return why_; }
  // refused_opening returns whether initialize was answered by an error.
  bool refused_opening() const { return refused_opening_; }
  // misnamed returns the id of what came for initialize or server/discover in place of a response
  // with its id; empty: nothing did.
  const std::string& misnamed() const { return misnamed_; }
  // offered_amiss returns whether it was answered with a revision that no initialize opens.
  bool offered_amiss() const { return offered_amiss_; }

  // call calls a tool of the mirror through `session`, with a progress token when `token` is not
  // null.
  Task<Reply> call(Session& session, std::string tool, Json arguments, Json token = nullptr);

  // begin_call only sends it.
  Client::Begun begin_call(Session& session, std::string tool, Json arguments,
                           Json token = nullptr);

  // begin_other sends one of kOtherMethods, likewise.
  Client::Begun begin_other(Session& session, std::string_view method, Json token = nullptr);

  // heard returns what of the mirror's messages has `mark` in its arguments and the method
  // tools/call.
  std::vector<MirrorServer::Heard> heard(std::string_view mark) const;

  // reached waits until the mirror holds the call of hold with `mark`, and returns whether it does.
  Task<bool> reached(std::string mark);

  // stands_between finds out whether the gateway speaks for itself with the server, in sessions or
  // requests of its own; else it hands on those of its clients, and is no peer of either. Nothing:
  // no call goes through.
  Task<std::optional<bool>> stands_between(Session* session);

  // marked returns the arguments of a call with `mark`.
  static Json marked(std::string mark, std::string how = "");

  // heard_of_a_call calls echo and returns what of that came to the server; empty: nothing. `reply`
  // is given what the client got, if it is not null.
  Task<std::vector<MirrorServer::Heard>> heard_of_a_call(Session* session, Reply* reply = nullptr);

  // serves_others returns whether an ordinary call of a new client comes to its result.
  Task<bool> serves_others();

  // unlike_others says of `what`, which came to `reply` and not to its result, that it is broken
  // where an ordinary call of a new client comes to its own; undecided where that fails as well.
  Task<Finding> unlike_others(Reply reply, std::string what);

  // new_mark returns a text that nothing else has said.
  std::string new_mark();

  // close gives up every session.
  Task<void> close();

  MirrorServer& mirror() { return mirror_; }
  const MirrorServer& mirror() const { return mirror_; }
  Exchanges& exchanges() { return exchanges_; }
  const GatewayCheck& rule() const { return *rule_; }
  Loop& loop() { return subject_.loop(); }
  Pace& pace() { return subject_.pace(); }
  const WireLog& log() { return subject_.log(); }
  const std::string& revision() const { return revision_; }
  std::uint32_t check() const { return check_; }

 private:
  Subject& subject_;
  MirrorServer& mirror_;
  Exchanges& exchanges_;
  std::string revision_;
  const GatewayCheck* rule_;
  std::uint32_t check_;
  int marks_ = 0;
  std::string why_;
  bool refused_opening_ = false;
  bool offered_amiss_ = false;
  std::string misnamed_;
  std::vector<std::unique_ptr<Session>> sessions_;
};

struct GatewayCheck {
  std::string_view id;  // Of a rule in conformance/rules/gateway.rules.
  Task<Finding> (*run)(GatewayProbe& probe) = nullptr;
  // Of those that compare: what is asked, and which members of what comes of it the rule is about.
  Ask ask = Ask::kOpening;
  std::string_view members = "";
  Ask second = Ask::kOpening;  // Compared after it; kOpening: nothing.

  // rule_in returns the rule as it stands in `revision`; nullptr: it does not hold there.
  const Requirement* rule_in(std::string_view revision) const;

  // rule returns it as it stands in the first revision that has it.
  const Requirement& rule() const;
};

using GatewayChecks = std::span<const GatewayCheck>;

// The rule that a gateway breaks that answers no client of a revision it does not know.
inline constexpr std::string_view kOffersRevision = "gateway.offers-a-revision";

// all_gateway_checks returns every one, page by page.
GatewayChecks all_gateway_checks();

// The pages.
GatewayChecks passing_checks();     // Calls, and what is said about them.
GatewayChecks size_checks();        // Messages and letters at the borders of buffers.
GatewayChecks one_call_checks();    // Whose an answer is, and progress.
GatewayChecks definition_checks();  // Lists and what stands in them.
GatewayChecks result_checks();      // Results, errors and requests.
GatewayChecks session_id_checks();  // Session ids, and the end of sessions.
GatewayChecks session_checks();     // Streams of their own, lists that change.
GatewayChecks apart_checks();       // Of clients from each other.
GatewayChecks asking_checks();      // What a server asks the client of a call.
GatewayChecks header_checks();      // What must not travel.
GatewayChecks form_checks();        // Ids, texts and lines of every form; what goes back.
GatewayChecks version_checks();     // Other revisions at either side.
GatewayChecks stream_checks();      // Resumption, subscriptions/listen, input_required.
GatewayChecks both_ends_checks();   // A client of the server, and a server of its clients.
GatewayChecks trouble_checks();     // Servers that fail, hang, or end their streams.
GatewayChecks repeated_checks();    // What is done twice, and what must not be.
GatewayChecks kept_checks();        // What is kept of earlier requests, and of other clients.
GatewayChecks leaving_checks();     // Clients that want an answer no longer.
GatewayChecks odd_checks();         // What is out of the common.
GatewayChecks variant_checks();     // Servers of another make, and what comes after trouble.
GatewayChecks reach_checks();       // Servers that are elsewhere, pack what they say, or have much.
GatewayChecks unknown_checks();     // Names that there are not.
GatewayChecks last_checks();        // What a gateway may not get over.

}  // namespace plumbline::conformance
