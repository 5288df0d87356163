// Clients that want an answer no longer: they say so, or close its stream, or are gone.

#include <algorithm>
#include <string>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/gateway/check.h"
#include "conformance/peer/opening.h"

namespace plumbline::conformance {

namespace {

// is_cancelled returns whether the server was told that `held` is not wanted any longer: by a
// notification, or where there are no sessions by the end of its stream.
bool is_cancelled(const MirrorServer& mirror, const MirrorServer::Request& held) {
  if (held.stateless) return !mirror.knows(held.session);
  return std::ranges::any_of(mirror.heard(), [&](const MirrorServer::Heard& one) {
    const Json* const id = at_pointer(one.message, "/params/requestId");
    return string_or(one.message, "method", "") == "notifications/cancelled" &&
           one.session == held.session && id != nullptr && *id == held.id;
  });
}

// gives_up gives up a request that the mirror holds by `mark`, and judges whether it learns of it.
//
// Spec 2026-07-28, basic/patterns/cancellation: over Streamable HTTP the client closes the stream.
Task<Finding> gives_up(GatewayProbe* probe, Session* session, Client::Begun begun,
                       std::string mark) {
  if (!co_await probe->reached(mark)) co_return undecided(kNeverReached);
  Client client(*session, probe->check());
  const bool closes = is_stateless(probe->revision());
  const MirrorServer::Request held = *probe->mirror().held(mark);
  if (closes) {
    Inbox& inbox = session->wire().inbox();
    const auto opened = [&] { return inbox.exchanges[begun.exchange].status != 0; };
    const Instant deadline = after(probe->loop().now(), probe->pace().answer());
    if (!co_await inbox.wait(deadline, opened)) {
      probe->mirror().release(mark);
      co_return undecided("no stream was opened for an answer that takes long");
    }
    session->wire().drop(begun.exchange);
  } else {
    Json params(Json::value_t::object);
    params["requestId"] = begun.id;
    co_await client.notify("notifications/cancelled", std::move(params));
  }
  const auto cancelled = [&] { return is_cancelled(probe->mirror(), held); };
  const Instant deadline = after(probe->loop().now(), probe->pace().answer());
  const bool told = co_await probe->mirror().changes().wait(deadline, cancelled);
  probe->mirror().release(mark);
  if (told) co_return passes();
  if (!closes) {
    co_return broken("notifications/cancelled did not reach the server with the id of its request");
  }
  co_return broken("a client closed the stream of its " + held.method +
                   ", and the server was left at work on it");
}

Task<Finding> passes_cancellation(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  if (is_stateless(probe.revision()) && !session->wire().http()) {
    co_return not_for_it("only over Streamable HTTP a stream can be closed");
  }
  const std::string mark = probe.new_mark();
  Client::Begun call =
      probe.begin_call(*session, "hold", GatewayProbe::marked(mark), "token-" + mark);
  Finding finding = co_await gives_up(&probe, session, std::move(call), mark);
  if (finding.verdict != Verdict::kPass) co_return finding;
  for (const auto& [method, ask] : kOtherMethods) {
    const Exchanged* const known = co_await probe.exchanges().of(ask, probe.check());
    if (!known->reached) continue;
    const std::string other = probe.new_mark();
    probe.mirror().do_next(method, {MirrorServer::Next::What::kHold, other});
    Client::Begun begun = probe.begin_other(*session, method, "token-" + other);
    finding = co_await gives_up(&probe, session, std::move(begun), other);
    if (finding.verdict == Verdict::kInconclusive) continue;  // It may have kept an answer.
    if (finding.verdict == Verdict::kPass) continue;
    finding.message =
        "of " + std::string(method) + ", though not of tools/call: " + finding.message;
    co_return finding;
  }
  co_return passes();
}

Task<Finding> survives_a_client_that_leaves(GatewayProbe& probe) {
  Session* const one = co_await probe.enter();
  Session* const other = co_await probe.enter();
  if (one == nullptr || other == nullptr) co_return undecided(probe.why());
  if (!one->wire().http()) co_return not_for_it("only over Streamable HTTP one can leave a call");
  const std::string mark = probe.new_mark();
  const Client::Begun begun = probe.begin_call(*one, "hold", GatewayProbe::marked(mark));
  if (!co_await probe.reached(mark)) co_return undecided(kNeverReached);
  one->wire().drop(begun.exchange);
  const Reply reply = co_await probe.call(*other, "echo", GatewayProbe::marked(probe.new_mark()));
  probe.mirror().release(mark);
  if (reply.result() != nullptr) co_return passes();
  co_return broken("after one client went away in the middle of a call, another got " +
                   reply.describe());
}

// closes_a_stream opens one more stream for what the server says by itself, and closes it again.
Task<Finding> closes_a_stream(GatewayProbe* probe, Session* session, std::size_t behind) {
  MirrorServer& mirror = probe->mirror();
  const std::ptrdiff_t before = mirror.streams_asked();
  const std::size_t number = ask_for_stream(*session, probe->check());
  const auto open = [&] { return mirror.streams_asked() > before && mirror.hears(behind); };
  const Instant open_by = after(probe->loop().now(), probe->pace().answer());
  if (!co_await mirror.changes().wait(open_by, open)) {
    co_return not_for_it("a stream of its client is none to the server");
  }
  session->wire().drop(number);
  const Instant closed_by = after(probe->loop().now(), probe->pace().answer());
  const auto closed = [&] { return !mirror.hears(behind); };
  if (co_await mirror.changes().wait(closed_by, closed)) co_return passes();
  co_return risky(
      "a client closed its stream, and the gateway keeps that to the server open: what the server "
      "says there reaches nobody, and streams of clients that are gone add up");
}

Task<Finding> lets_streams_go(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  if (!session->wire().http()) co_return not_for_it("only over Streamable HTTP streams are opened");
  const std::optional<bool> between = co_await probe.stands_between(session);
  if (!between) co_return undecided(kNeverReached);
  if (*between) co_return not_for_it("its streams to the server are its own");
  const std::vector<MirrorServer::Heard> heard = co_await probe.heard_of_a_call(session);
  if (heard.empty()) co_return undecided(kNeverReached);
  if (!heard.front().streamable) co_return not_for_it("it speaks HTTP+SSE with the server");
  co_return co_await closes_a_stream(&probe, session, heard.front().session);
}

constexpr GatewayCheck kLeavingChecks[] = {
    // First: a client that cancels leaves as well, where there are no sessions.
    {"gateway.survives-leaving", survives_a_client_that_leaves},
    {"gateway.passes-cancellation", passes_cancellation},
    {"gateway.lets-streams-go", lets_streams_go},
};

}  // namespace

GatewayChecks leaving_checks() { return kLeavingChecks; }

}  // namespace plumbline::conformance
