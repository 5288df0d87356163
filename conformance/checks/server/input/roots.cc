// What servers make of roots: spec, client/roots.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/input/scripted.h"
#include "conformance/checks/server/probe.h"
#include "conformance/peer/answers.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kRootsMethod = "roots/list";
constexpr const char* kAsksForNoRoots = "it never asks for roots";

Json one_root(std::string uri) {
  Json result = Json::object();
  result["roots"] = Json::array();
  if (uri.empty()) return result;
  result["roots"].push_back(Json::object());
  result["roots"].back()["uri"] = std::move(uri);
  result["roots"].back()["name"] = "plumbline";
  return result;
}

Task<Finding> looks_before_it_asks_for_roots(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  if (all.asked_by(kRootsMethod).empty()) co_return not_for_it(kAsksForNoRoots);
  const Exercise& nothing = *co_await probe.exercise(Declared::kNothing);
  const std::vector<const ServerAsked*> asked = nothing.asked_by(kRootsMethod);
  if (asked.empty()) co_return passes();
  Finding finding = broken("it asked for roots of a client that has not declared roots");
  finding.evidence = asked.front()->evidence;
  if (!finding.evidence.empty()) finding.evidence.back().judged = true;
  co_return std::move(finding);
}

// ask_when_told has the server ask for roots by telling it that they have changed, as one may that
// asks for them of itself, and returns whether it goes on after what it is answered.
Task<bool> ask_when_told(Probe& probe, Client& client, Answerer script) {
  Event asked;
  const Answerer counting = [&asked, script = std::move(script)](const Json& request) {
    asked.set();
    return script(request);
  };
  client.session().answer_with(kRootsMethod, counting);
  co_await client.notify("notifications/roots/list_changed");
  co_await asked.wait(probe.loop(), after(probe.loop().now(), probe.pace().quiet()));
  const bool alive = co_await client.alive();
  client.session().forget_answers();
  co_return alive;
}

Task<Finding> does_without_roots(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  const std::vector<const Call*> calls = all.asking(kRootsMethod);
  if (all.asked_by(kRootsMethod).empty()) co_return not_for_it(kAsksForNoRoots);
  Client client = probe.client();
  const std::vector<std::pair<std::string, Json>> answers = {
      {"a root that does not exist", result_answer(one_root("file:///plumbline/no-such-place"))},
      {"no root at all", result_answer(one_root(""))},
      {"an error", error_answer(-32603, "Internal error")}};
  for (const auto& [what, answer] : answers) {
    const Json given = answer;
    const Answerer script = [given](const Json& request) {
      return string_or(request, "method", "") == kRootsMethod ? given
                                                              : result_answer(granted(request));
    };
    if (calls.empty()) {
      const bool alive = co_await ask_when_told(probe, client, script);
      if (alive) continue;
      co_return broken("it no longer answers when roots/list was answered with " + what);
    }
    const Reply reply = co_await call_by_script(client, *calls.front(), script);
    if (reply.answered()) continue;
    co_return broken("got " + reply.describe() + " when roots/list was answered with " + what +
                     ", expected a result or an error");
  }
  co_return passes();
}

// Who asks for roots in one session, and whether it did.
struct AskedForRoots {
  Probe& probe;
  Client& client;
  std::vector<const Call*> calls;  // That the server asks in; none: it asks of itself alone.
  Answerer script = {};
  Event asked = {};
};

// asks waits for what the server asks of itself, calls what it seems to ask in, and waits longer.
// Returns the reply that did not come, if one did not.
Task<std::optional<Reply>> asks(AskedForRoots& at) {
  const Pace& pace = at.probe.pace();
  Loop& loop = at.probe.loop();
  if (!at.calls.empty() && !co_await at.asked.wait(loop, after(loop.now(), pace.quiet()))) {
    Reply reply = co_await call_by_script(at.client, *at.calls.front(), at.script);
    if (!reply.answered()) co_return std::move(reply);
  }
  co_await at.asked.wait(loop, after(loop.now(), pace.answer()));
  co_return std::nullopt;
}

// has_asked returns whether it has asked in this session before.
bool has_asked(const Client& client) {
  const std::vector<Frame>& frames = client.session().wire().inbox().frames;
  return std::ranges::any_of(frames, [](const Frame& frame) {
    return string_or(*frame.message, "method", "") == kRootsMethod;
  });
}

// A server may ask for roots at a time of its own after a session began: it is told of a change
// after that, or the one would be taken for the other.
Task<Finding> asks_again_after_a_change(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  if (all.asked_by(kRootsMethod).empty()) co_return not_for_it(kAsksForNoRoots);
  Client client = probe.client();
  AskedForRoots at{.probe = probe, .client = client, .calls = all.asking(kRootsMethod)};
  at.script = [&at](const Json& request) {
    if (string_or(request, "method", "") == kRootsMethod) at.asked.set();
    return result_answer(one_root("file:///plumbline"));
  };
  client.session().answer_with(kRootsMethod, at.script);
  co_await client.alive();
  if (has_asked(client)) at.asked.set();
  std::optional<Reply> missing = co_await asks(at);
  const bool asked_first = at.asked.is_set();
  at.asked.reset();
  Reaction told;
  if (!missing) told = co_await client.notify("notifications/roots/list_changed");
  const bool refused = probe.over_http() && told.status >= 400;
  if (!missing && !refused) missing = co_await asks(at);
  client.session().forget_answers();
  if (missing) co_return undecided("got " + missing->describe());
  if (refused) co_return broken("got " + told.describe() + " to notifications/roots/list_changed");
  if (at.asked.is_set()) co_return passes();
  if (!asked_first) co_return not_for_it("it does not ask for roots in each session");
  co_return about(broken("it was told that the roots have changed, and did not ask for them again"),
                  told);
}

constexpr ServerCheck kRootsChecks[] = {
    {"roots.server-checks-capability", Eras::kBoth, SessionUse::kOpens,
     looks_before_it_asks_for_roots},
    {"roots.server-handles-unavailable", Eras::kBoth, SessionUse::kAlone, does_without_roots},
    {"roots.server-handles-change", Eras::kStateful, SessionUse::kAlone, asks_again_after_a_change},
};

}  // namespace

ServerChecks roots_checks() { return kRootsChecks; }

}  // namespace plumbline::conformance
