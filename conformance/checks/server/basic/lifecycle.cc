// How a session begins and ends: spec, basic/lifecycle.

#include <algorithm>
#include <string>
#include <utility>

#include "conformance/checks/server/basic/initialize.h"
#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/shapes.h"

namespace plumbline::conformance {

namespace {

Task<Finding> answers_initialize(Probe& probe) {
  const Json* const result = probe.survey().opening.result();
  for (const char* const member : {"protocolVersion", "capabilities", "serverInfo"}) {
    if (result == nullptr || find(*result, member) == nullptr) {
      co_return about(broken("the result of initialize has no " + std::string(member)),
                      probe.survey().opening);
    }
  }
  const Json& version = *find(*result, "protocolVersion");
  if (!version.is_string()) {
    co_return about(broken("the result of initialize has the protocolVersion " +
                           shortened(dump_json(version)) + ", expected a string"),
                    probe.survey().opening);
  }
  for (const char* const member : {"capabilities", "serverInfo"}) {
    const Json& value = *find(*result, member);
    if (value.is_object()) continue;
    co_return about(broken("the result of initialize has the " + std::string(member) + " " +
                           shortened(dump_json(value)) + ", expected an object"),
                    probe.survey().opening);
  }
  co_return passes();
}

Task<Finding> names_itself(Probe& probe) {
  for (const char* const member : {"name", "version"}) {
    if (!find_string(probe.survey().server_info, member)) {
      co_return about(broken("serverInfo has no " + std::string(member) + " that is a string"),
                      probe.survey().opening);
    }
  }
  co_return passes();
}

Task<Reply> list_early(Probe&, Client& client) {
  Reply reply = co_await client.request("tools/list");
  co_return reply;
}

Task<Finding> wants_initialize_first(Probe& probe) {
  SessionOptions options = probe.usual();
  options.handshake = false;
  std::string name(Openings::kUninitialized);
  const Opening early = co_await probe.open_once(std::move(name), std::move(options), list_early);
  if (early.then.result() == nullptr || early.then.error() != nullptr) co_return passes();
  if (probe.over_http()) co_return not_for_it("over HTTP it answers requests of no session");
  // The rule is addressed to clients; nothing says in so many words that servers have to refuse.
  Finding finding = risky("got a result to tools/list before initialize, expected an error");
  finding.reason = early.then.outcome();
  finding.evidence = early.evidence;
  if (!finding.evidence.empty()) finding.evidence.back().judged = true;
  co_return std::move(finding);
}

// open_oddly opens a session that declares what nobody knows and says all that clients may, and
// pings early: three rules look at it, and where a stranger may do all of that, at that. What fails
// may do so for any of it.
Task<Opening> open_oddly(Probe& probe) {
  Opening strange = co_await open_as_stranger(probe);
  if (strange.reply.result() != nullptr && strange.then.result() != nullptr) co_return strange;
  std::string name = "unknown capabilities in " + probe.revision();
  SessionOptions options = with_all_said(with_strange_capabilities(probe.usual()));
  co_return co_await probe.open_once(std::move(name), std::move(options), ping_early);
}

Task<Finding> answers_ping_before_initialized(Probe& probe) {
  const Opening odd = co_await open_oddly(probe);
  if (odd.reply.result() != nullptr && odd.then.result() != nullptr) co_return passes();
  SessionOptions options = probe.usual();
  options.initialized = false;
  Client client = co_await probe.open(std::move(options));
  const Reply reply = co_await ping_early(probe, client);
  if (reply.result() != nullptr) co_return passes();
  co_return broken("ping before notifications/initialized got " + reply.describe() +
                   ", expected a result");
}

Task<Finding> tolerates_unknown_capabilities(Probe& probe) {
  const Opening odd = co_await open_oddly(probe);
  if (odd.reply.result() != nullptr) co_return passes();
  Client client = co_await probe.open(with_strange_capabilities(probe.usual()));
  const Reply& opening = client.session().opening();
  if (opening.result() != nullptr) co_return passes();
  co_return about(broken("initialize with capabilities it cannot know got " + opening.describe() +
                         ", expected a result"),
                  opening);
}

// takes_what_clients_may_say looks at what the judge itself had to leave out first.
Task<Finding> takes_what_clients_may_say(Probe& probe) {
  const Withheld& withheld = probe.subject().withheld();
  if (!withheld.capabilities.empty()) {
    Finding finding = broken("initialize got " + withheld.refusal + ", and a result without " +
                             withheld.names() + " in the capabilities");
    finding.evidence = withheld.evidence;
    co_return std::move(finding);
  }
  const Opening odd = co_await open_oddly(probe);
  if (odd.reply.result() != nullptr) co_return passes();
  const std::vector<MaySay> all = may_say(probe.revision());
  for (const MaySay& one : all) {
    SessionOptions options = probe.usual();
    options.more = one.params;
    options.initialized = false;
    Client client = co_await probe.open(std::move(options));
    const Reply& opening = client.session().opening();
    if (opening.result() != nullptr || !opening.answered()) continue;
    co_return about(broken("initialize with " + one.what + " got " + opening.describe() +
                           ", and a result without it"),
                    opening);
  }
  co_return passes();
}

// greets_without_capabilities returns whether the server opens to a client that declares nothing,
// and answers it afterwards. `shown`: an exercise has shown it already.
Task<Finding> greets_without_capabilities(Probe& probe, bool shown) {
  if (shown) co_return passes();
  SessionOptions options = probe.usual();
  options.capabilities = Json::object();
  Client client = co_await probe.open(std::move(options));
  if (client.session().opening().result() == nullptr) {
    const Reply& opening = client.session().opening();
    co_return about(
        broken("initialize without capabilities got " + opening.describe() + ", expected a result"),
        opening);
  }
  const bool alive = co_await client.alive();
  co_return alive ? passes() : broken("it does not answer a client without capabilities");
}

// A tool that wants something of its client, or any: what it does is for the oracles to judge.
Task<Finding> copes_without_capabilities(Probe& probe) {
  const Exercise& bare = *co_await probe.exercise(Declared::kNothing);
  const auto answered = [](const Call& call) { return call.reply.answered(); };
  const bool shown = bare.greeted || std::ranges::any_of(bare.calls, answered);
  const Finding greeted = co_await greets_without_capabilities(probe, shown);
  if (greeted.verdict != Verdict::kPass) co_return greeted;
  Tally tally;
  // One that asks of itself, and not while it works on a call, has shown what it does by now.
  const Exercise& all = *co_await probe.exercise();
  if (!all.asked.empty()) tally.saw();
  for (const Call& call : bare.calls) {
    tally.saw();
    if (call.reply.answered()) continue;
    tally.wrong(call.method + " of \"" + shortened(string_or(call.params, "name", "")) + "\" got " +
                    call.reply.describe() +
                    " from a client without capabilities, expected an error",
                call.evidence);
  }
  Finding none = needs(Shows::kNeedsCapability);
  Finding finding = tally.finding(none.message);
  if (finding.verdict == Verdict::kSkip) co_return none;
  co_return finding;
}

constexpr ServerCheck kLifecycleChecks[] = {
    {"lifecycle.server-answers-initialize", Eras::kStateful, SessionUse::kOpens,
     answers_initialize},
    {"lifecycle.implementation-name-and-version", Eras::kStateful, SessionUse::kOpens,
     names_itself},
    {"lifecycle.initialize-first", Eras::kStateful, SessionUse::kOpens, wants_initialize_first},
    {"lifecycle.ping-during-init-answered", Eras::kStateful, SessionUse::kOpens,
     answers_ping_before_initialized},
    {"lifecycle.unknown-capabilities-tolerated", Eras::kStateful, SessionUse::kOpens,
     tolerates_unknown_capabilities},
    {"lifecycle.client-may-say-more", Eras::kStateful, SessionUse::kOpens,
     takes_what_clients_may_say},
    {"lifecycle.capability-failure-handled", Eras::kStateful, SessionUse::kOpens,
     copes_without_capabilities},
};

}  // namespace

ServerChecks lifecycle_checks() { return kLifecycleChecks; }

}  // namespace plumbline::conformance
