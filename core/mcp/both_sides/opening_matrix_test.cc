// Every kind of client meets every kind of server, over every kind of channel: the outcome is what
// the specification's table of compatibility lists.
//
// Spec 2026-07-28, basic/versioning, Compatibility Matrix.

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/mcp/both_sides/value_link_fixture.h"
#include "core/mcp/client/client_session.h"
#include "core/mcp/protocol/test_values.h"
#include "core/mcp/server/server_session.h"

namespace plumbline::mcp {
namespace {

using std::chrono::seconds;

// How the way to a server that does not know a request treats it.
enum class Way {
  kAnswers,  // As it is: the server answers with its error.
  kSilent,   // A server that says nothing before initialize.
  kRefuses,  // HTTP: 400 without a JSON-RPC body.
};

// Gate is the client's end of a link, with the manners of a `Way`.
class Gate final : public transport::MessageChannel {
 public:
  Gate(Loop& loop, ValueLink::End& end, Way way)
      : loop_(loop), end_(end), way_(way), refuse_([this] { tell(); }) {}

  void start(transport::MessageReceiver& receiver) override {
    receiver_ = &receiver;
    end_.start(receiver);
  }
  void send(Json message) override {
    if (way_ == Way::kAnswers || string_or(message, "method", "") != "server/discover") {
      return end_.send(std::move(message));
    }
    if (way_ == Way::kSilent) return;
    refused_ = rpc::RpcId(int_or(message, "id", 0));
    loop_.arm(refuse_, loop_.now());
  }
  void close_send() override { end_.close_send(); }
  void close() override { end_.close(); }

 private:
  void tell() { receiver_->on_lost(refused_, Error{ErrorCode::kUnsupported, "status 400"}); }

  Loop& loop_;
  ValueLink::End& end_;
  Way way_;
  transport::MessageReceiver* receiver_ = nullptr;
  rpc::RpcId refused_;
  Alarm refuse_;
};

using Revisions = std::vector<Revision>;

bool has_kind(const Revisions& revisions, bool stateless) {
  return std::any_of(revisions.begin(), revisions.end(),
                     [stateless](Revision r) { return is_stateless(r) == stateless; });
}

// Meeting is one client and one server that try to agree.
struct Meeting {
  // meet returns the revision that both go on with, or why not. `theirs` must not be empty.
  std::string meet(const Revisions& ours, const Revisions& theirs, Way way) {
    TinyLoop loop;
    ValueLink link(loop, &judge);
    // A server that speaks the stateless revision knows server/discover, whatever the way.
    Gate gate(loop, link.client, has_kind(theirs, true) ? Way::kAnswers : way);
    ServerCommons commons;
    commons.options.declare_tools = true;
    commons.options.supported = theirs;
    ClientOptions wanted;
    wanted.supported = ours;
    wanted.preferred = *std::max_element(ours.begin(), ours.end());
    ServerSession server(loop, link.server, commons, "server", nullptr);
    ClientSession client(loop, gate, wanted, "client", nullptr);
    Task<Reply<ServerInfo>> opened = client.initialize(Instant(seconds(30)));
    opened.start();
    loop.run_until(Instant(seconds(40)));
    check(opened.done(), "the opening did not end");
    if (!opened.result().ok()) return client.open() ? "open without an opening" : "fails";
    Task<Reply<std::vector<Json>>> listed = client.list_tools(Instant(seconds(50)));
    listed.start();
    loop.run_until(Instant(seconds(60)));
    if (!listed.done() || !listed.result().ok()) return "opens, but lists nothing";
    // One that does not speak what it is asked for first says so.
    const bool answers = way == Way::kAnswers || has_kind(theirs, true);
    if (client.violations() + server.violations() > (answers ? 1 : 0)) {
      return "violations: " + client.last_violation() + server.last_violation();
    }
    return std::string(name_of(client.server().revision));
  }

  WireJudge judge;
};

TEST(OpeningMatrixTest, TheOutcomeIsTheOneOfTheTable) {
  const Revisions modern = {kLatest};
  const Revisions legacy = {Revision::k2025_06_18, kLatestStateful};
  const Revisions dual = {Revision::k2025_06_18, kLatestStateful, kLatest};
  const std::string_view newest = name_of(kLatest);
  const std::string_view old = name_of(kLatestStateful);
  struct Row {
    const Revisions& client;
    const Revisions& server;
    std::string_view outcome;
  };
  const Row rows[] = {
      {modern, modern, newest},  {modern, dual, newest}, {modern, legacy, "fails"},
      {dual, modern, newest},    {dual, dual, newest},   {dual, legacy, old},
      {legacy, modern, "fails"}, {legacy, dual, old},    {legacy, legacy, old},
  };
  for (const Way way : {Way::kAnswers, Way::kSilent, Way::kRefuses}) {
    for (const Row& row : rows) {
      Meeting meeting;
      EXPECT_EQ(meeting.meet(row.client, row.server, way), row.outcome)
          << "row " << &row - rows << ", way " << static_cast<int>(way);
      EXPECT_EQ(meeting.judge.problems(), Lines());
    }
  }
}

Revisions random_revisions() {
  Revisions out;
  while (out.empty()) {
    for (const Revision revision : all_revisions()) {
      if (*rc::gen::arbitrary<bool>()) out.push_back(revision);
    }
  }
  return out;
}

// expected returns what must come of it: the newest common stateless revision; else what initialize
// leads to, if both know that and the client takes the server's offer.
std::string expected(const Revisions& ours, const Revisions& theirs) {
  const auto speaks = [](const Revisions& list, Revision revision) {
    return std::find(list.begin(), list.end(), revision) != list.end();
  };
  std::optional<Revision> common;
  std::optional<Revision> asked;
  std::optional<Revision> newest;
  for (const Revision revision : all_revisions()) {
    if (is_stateless(revision)) {
      if (speaks(ours, revision) && speaks(theirs, revision)) common = revision;
      continue;
    }
    if (speaks(ours, revision)) asked = revision;
    if (speaks(theirs, revision)) newest = revision;
  }
  if (common) return std::string(name_of(*common));
  if (!asked || !newest) return "fails";
  const Revision agreed = speaks(theirs, *asked) ? *asked : *newest;
  return speaks(ours, agreed) ? std::string(name_of(agreed)) : "fails";
}

RC_GTEST_PROP(OpeningMatrixTest, AnyTwoReachWhatTheyHaveInCommon, ()) {
  const Revisions ours = random_revisions();
  const Revisions theirs = random_revisions();
  const Way way = *rc::gen::element(Way::kAnswers, Way::kSilent, Way::kRefuses);
  Meeting meeting;
  RC_ASSERT(meeting.meet(ours, theirs, way) == expected(ours, theirs));
}

}  // namespace
}  // namespace plumbline::mcp
