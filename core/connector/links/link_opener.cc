#include "core/connector/links/link_opener.h"

#include <utility>

#include "core/base/wait.h"

namespace plumbline::connector {

namespace {

using mcp::Failure;
using mcp::Reply;
using LinkUse = ServerLink::Use;

constexpr Duration kLastWordsWait = std::chrono::milliseconds(10);
constexpr Duration kEndMax = std::chrono::seconds(1);  // Of one whose streams have ended.

}  // namespace

// An older server may end at a probe that it does not know: it is then started once more, for
// initialize. How a server opened is remembered, until that no longer works.
//
// Spec 2026-07-28, basic/versioning, Backward Compatibility (SHOULD remember the era).
Task<Reply<LinkUse>> LinkOpener::open(std::string agent, LinkPlace& place, Opening opening,
                                      bool& older) {
  const std::optional<mcp::Revision> initialized = mcp::newest_stateful(opening.client);
  const bool probes = mcp::is_stateless(opening.client.preferred) && !older;
  if (!probes && initialized) opening.client.preferred = *initialized;
  Opening first = opening;
  Reply<LinkUse> opened = co_await connect(agent, place, std::move(first));
  const bool ended = probes && !opened.ok() && opened.error().kind == Failure::Kind::kDisconnected;
  const bool reached = place.link != nullptr;
  if (ended && reached && initialized) {
    opening.client.preferred = *initialized;
    opened = co_await connect(agent, place, std::move(opening));
  }
  older = opened.ok() && !mcp::is_stateless(opened.value()->session().server().revision);
  co_return opened;
}

// connect starts the server and opens the conversation, within the connect timeout. The diagnosis
// of a server that died is part of the failure.
Task<Reply<LinkUse>> LinkOpener::connect(std::string agent, LinkPlace& place, Opening opening) {
  if (place.link != nullptr) {  // There is one at a time.
    const LinkUse last(*place.link);
    co_await last->close("another one takes its place");
  }
  place.leave();
  const Instant deadline = after(loop_.now(), opening.connect_timeout);
  Task<Result<std::unique_ptr<transport::Connection>>> connecting = opening.door->connect(agent);
  Result<Result<std::unique_ptr<transport::Connection>>> in_time =
      co_await with_deadline(loop_, deadline, "connecting to " + agent, std::move(connecting));
  if (!in_time.ok()) co_return Failure(Failure::Kind::kTimeout, in_time.error().message);
  Result<std::unique_ptr<transport::Connection>> connected = std::move(in_time).value();
  if (!connected.ok()) {
    co_return Failure(Failure::Kind::kDisconnected, redactor_.redact(connected.error().message));
  }
  std::unique_ptr<transport::Connection> connection = std::move(connected).value();
  connection = std::make_unique<PacedConnection>(std::move(connection), *opening.pacer);
  place.link = std::make_unique<ServerLink>(loop_, agent, std::move(connection),
                                            std::move(opening.client), events_);
  const LinkUse link(*place.link);
  Reply<mcp::ServerInfo> initialized = co_await link->session().initialize(deadline);
  if (!initialized.ok()) {
    Failure failure = std::move(initialized).error();
    co_return co_await explained(std::move(failure), link, place);
  }
  co_return link;
}

// What a process said last comes a moment after its streams have ended, and how it ended some time
// after that on a busy machine.
Task<Failure> LinkOpener::explained(Failure failure, LinkUse link, LinkPlace& place) {
  const bool lost = failure.kind == Failure::Kind::kDisconnected;
  if (lost) {
    co_await Sleep(loop_, loop_.now() + kLastWordsWait);
    co_await link->ended(after(loop_.now(), kEndMax));
  }
  const bool silent = failure.kind == Failure::Kind::kTimeout;
  const std::string diagnosis = lost || silent ? link->diagnosis() : std::string();
  if (!diagnosis.empty()) failure.message += " (" + diagnosis + ")";
  if (silent && link->session().violations() > 0) {
    failure.message += "; it broke the protocol: " + link->session().last_violation();
  }
  if (silent && co_await retire_if_deaf(link, place)) {
    failure.message += "; nothing is heard of it any more, and its connection is given up";
  }
  redact(failure);
  co_return failure;
}

Task<bool> LinkOpener::retire_if_deaf(LinkUse link, LinkPlace& place) {
  const bool deaf = co_await link->is_deaf();
  if (!deaf) co_return false;
  if (link.is(place.link.get())) {
    place.openings.silenced(loop_.now(), link->silence(), "it was started and answered nothing");
  }
  co_await link->close("nothing is heard any more");
  co_return true;
}

void LinkOpener::redact(Failure& failure) const {
  failure.message = redactor_.redact(std::move(failure.message));
  redactor_.contain(failure.data);
}

}  // namespace plumbline::connector
