// Revisions, where clients and servers do not speak the same.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/gateway/check.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/opening.h"
#include "conformance/wire/header_names.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kFarAhead = "2999-01-01";  // No revision,
constexpr std::string_view kLongAgo = "1999-01-01";   // nor is this.
constexpr std::string_view kOlder = "2025-06-18";     // The oldest that requests name in a header.

// call_named calls echo, and compares the header of the call with what the server has agreed on.
Task<Finding> call_named(GatewayProbe* probe, Session* session, std::string with,
                         std::string* agreed) {
  const std::string mark = probe->new_mark();
  const Reply reply = co_await probe->call(*session, "echo", GatewayProbe::marked(mark));
  if (reply.result() == nullptr) {
    co_return about(broken(with + " a call came to " + reply.describe()), reply);
  }
  const std::vector<MirrorServer::Heard> heard = probe->heard(mark);
  if (heard.empty()) co_return undecided(kNeverReached);
  const MirrorServer::Heard& call = heard.front();
  *agreed = call.revision;
  const auto named = call.headers.get(kVersionHeader);
  const bool due = call.streamable && has_version_header(call.revision);
  if (!due || named == call.revision) co_return passes();
  co_return about(broken(with + " the server agreed on " + call.revision +
                         ", and a call came to it with MCP-Protocol-Version: " +
                         (named ? std::string(*named) : "nothing")),
                  reply);
}

Task<Finding> speaks_with_older_servers(GatewayProbe& probe) {
  probe.mirror().speak_at_most(kOlder);
  Session* const session = co_await probe.enter();
  if (session == nullptr) {
    co_return broken("the server speaks 2025-06-18 at most, and " + probe.why());
  }
  std::string agreed;
  const Finding called =
      co_await call_named(&probe, session, "with a server of 2025-06-18", &agreed);
  if (called.verdict == Verdict::kPass && agreed != kOlder) {
    co_return not_for_it("it had agreed on another revision with the server before");
  }
  co_return called;
}

Task<Finding> serves_older_clients(GatewayProbe& probe) {
  for (const char* const revision : {"2025-06-18", "2025-03-26"}) {
    const std::string with = "for a client of " + std::string(revision);
    Session* const session = co_await probe.enter(revision);
    if (session == nullptr) co_return broken(with + " " + probe.why());
    if (!session->disagreement().empty()) co_return broken(with + " " + session->disagreement());
    std::string agreed;
    const Finding called = co_await call_named(&probe, session, with, &agreed);
    if (called.verdict != Verdict::kPass) co_return called;
  }
  co_return passes();
}

// lists_versions returns whether `error` says which revisions are spoken, as its client needs it.
bool lists_versions(const Json* error) {
  const Json* const supported = error == nullptr ? nullptr : at_pointer(*error, "/data/supported");
  return supported != nullptr && supported->is_array() && !supported->empty() &&
         int_or(*error, "code", 0) == -32022;
}

Finding judge_refusal(const Reply& reply, std::string_view era) {
  if (reply.result() != nullptr || lists_versions(reply.error())) return passes();
  return about(broken("the server refused what is of " + std::string(era) +
                      " by error -32022 with what it supports, and the client got " +
                      reply.describe() + ": it cannot tell what to speak"),
               reply);
}

// opened_in returns what initialize comes to in one more session like `known`.
Task<Result<Reply>> opened_in(GatewayProbe* probe, Session* known, std::string revision) {
  SessionOptions options;
  options.revision = std::move(revision);
  options.capabilities = all_capabilities(probe->revision());
  Result<std::unique_ptr<Session>> opened =
      co_await open_session(known->subject(), std::move(options), probe->check());
  if (!opened.ok()) co_return opened.error();
  const Reply opening = opened.value()->opening();
  co_await opened.value()->close();
  co_return opening;
}

Task<Finding> passes_version_errors(GatewayProbe& probe) {
  using Era = MirrorServer::Era;
  const bool stateless = is_stateless(probe.revision());
  Session* const known = co_await probe.enter();
  if (known == nullptr) co_return undecided(probe.why());
  probe.mirror().refuse_era(stateless ? Era::kStateless : Era::kStateful);
  if (stateless) {
    Client client(*known, probe.check());
    const Reply reply = co_await client.request("server/discover");
    co_return judge_refusal(reply, "2026-07-28");
  }
  const Result<Reply> opening = co_await opened_in(&probe, known, probe.revision());
  if (!opening.ok())
    co_return broken("the server refused initialize, and " + opening.error().message);
  co_return judge_refusal(opening.value(), "initialize");
}

// Spec 2025-11-25, basic/lifecycle, Version Negotiation: a server that does not speak what it is
// asked for says what it speaks.
Task<Finding> offers_a_revision(GatewayProbe& probe) {
  Session* const known = co_await probe.enter();
  if (known == nullptr) co_return undecided(probe.why());
  const Result<Reply> opened = co_await opened_in(&probe, known, std::string(kFarAhead));
  if (!opened.ok()) co_return undecided(opened.error().message);
  const Reply& opening = opened.value();
  const std::string with = "initialize with " + std::string(kFarAhead) + " got ";
  constexpr const char* kDue =
      ", expected a result with a revision that it speaks: clients that are newer than "
      "the gateway cannot go on";
  if (opening.result() == nullptr)
    co_return about(broken(with + opening.describe() + kDue), opening);
  const std::string offered = string_or(*opening.result(), "protocolVersion", "");
  if (std::ranges::find(kRevisions, offered) != kRevisions.end()) co_return passes();
  co_return about(
      broken(with + "a result with the protocolVersion \"" + clipped(offered) + "\"" + kDue),
      opening);
}

// Spec 2025-11-25, basic/transports, Protocol Version Header.
Task<Finding> refuses_unknown_versions(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  if (!session->wire().http()) co_return not_for_it("its clients send no headers");
  if (!has_version_header(session->revision())) co_return not_for_it("it agreed on an older one");
  Client client(*session, probe.check());
  Json params(Json::value_t::object);
  params["name"] = probe.exchanges().tool("echo");
  const std::string mark = probe.new_mark();
  params["arguments"] = GatewayProbe::marked(mark);
  Json message = client.request_of("tools/call", std::move(params));
  wire::HttpHeaders headers;
  headers.set(kVersionHeader, std::string(kLongAgo));
  const Reply reply = co_await client.exchange(std::move(message), std::move(headers));
  const bool served = reply.result() != nullptr || !probe.heard(mark).empty();
  if (!served || reply.status / 100 != 2) co_return passes();
  co_return about(
      broken("a call with MCP-Protocol-Version: " + std::string(kLongAgo) +
             ", which is no revision, got " + reply.describe() + ", expected status 400"),
      reply);
}

constexpr GatewayCheck kVersionChecks[] = {
    {"gateway.speaks-with-older-servers", speaks_with_older_servers},
    {"gateway.serves-older-clients", serves_older_clients},
    {"gateway.passes-version-errors", passes_version_errors},
    {kOffersRevision, offers_a_revision},
    {"gateway.refuses-unknown-versions", refuses_unknown_versions},
};

}  // namespace

GatewayChecks version_checks() { return kVersionChecks; }

}  // namespace plumbline::conformance
