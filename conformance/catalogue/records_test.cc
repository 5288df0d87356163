#include "conformance/catalogue/records.h"

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "conformance/checks/gateway/check.h"
#include "conformance/judge/coverage.h"

namespace plumbline::conformance {
namespace {

constexpr std::string_view kTwoEras = R"(# The rules of ping.

ping.prompt
  level      MUST
  role       both
  summary    The receiver answers a ping soon.
  why        Who waits hangs up.
  mend       Answer it at once.
  cause      jsonrpc.answers
  wrong      says pong => ping got a result with *, expected none
  unjudged   both unmeasured: no time is given
  2024-11-05..2025-03-26
    page       basic/utilities/ping#top
  2026-07-28..
    page       basic/patterns/ping#top
    transport  http
    observable no

ping.old
  level      SHOULD
  role       client
  summary    A client pings.
  page       basic/utilities/ping
  2025-06-18
)";

Result<Records> read(std::string_view text,
                     std::string_view path = "conformance/rules/ping.rules") {
  const EmbeddedFile file = {path, text};
  return read_records(std::span(&file, 1));
}

TEST(RecordsTest, ARecordSaysOnceWhatIsTheSame) {
  const Result<Records> found = read(kTwoEras);
  ASSERT_TRUE(found.ok()) << found.error().message;
  const Records& all = found.value();
  ASSERT_EQ(all.all.size(), 2U);
  EXPECT_EQ(all.all[1].id, "ping.prompt");
  EXPECT_EQ(all.all[1].why, "Who waits hangs up.");
  EXPECT_EQ(all.all[1].mend, "Answer it at once.");
  EXPECT_EQ(all.all[1].cause, "jsonrpc.answers");
  EXPECT_EQ(all.all[0].why, "");

  ASSERT_EQ(all.requirements.size(), 3U);
  const Requirement& first = all.requirements[0];
  EXPECT_EQ(first.id, "ping.prompt");
  EXPECT_EQ(first.area, "ping");
  EXPECT_EQ(first.level, "MUST");
  EXPECT_EQ(first.role, "both");
  EXPECT_EQ(first.transport, "any");
  EXPECT_EQ(first.since, "2024-11-05");
  EXPECT_EQ(first.until, "2025-03-26");
  EXPECT_EQ(first.summary, "The receiver answers a ping soon.");
  EXPECT_EQ(first.page, "basic/utilities/ping#top");
  EXPECT_TRUE(first.observable);
  const Requirement& alone = all.requirements[1];
  EXPECT_EQ(alone.id, "ping.old") << "what opens with initialize comes first";
  EXPECT_EQ(alone.since, "2025-06-18");
  EXPECT_EQ(alone.until, "2025-06-18");
  const Requirement& last = all.requirements[2];
  EXPECT_EQ(last.summary, first.summary);
  EXPECT_EQ(last.until, "");
  EXPECT_EQ(last.page, "basic/patterns/ping#top");
  EXPECT_EQ(last.transport, "http");
  EXPECT_FALSE(last.observable);
}

TEST(RecordsTest, WhatIsNotJudgedIsSaidOfEachSideAndEra) {
  const Result<Records> found = read(kTwoEras);
  ASSERT_TRUE(found.ok());
  const std::vector<Unjudged>& rows = found.value().unjudged;
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].id, "ping.prompt");
  EXPECT_EQ(rows[0].role, "server");
  EXPECT_EQ(rows[0].era, "stateful");
  EXPECT_EQ(rows[0].kind, "unmeasured");
  EXPECT_EQ(rows[0].why, "no time is given");
  EXPECT_EQ(rows[3].role, "client");
  EXPECT_EQ(rows[3].era, "stateless");
}

TEST(RecordsTest, AWrongPeerIsNamedWithTheReasonThatCatchesIt) {
  const Result<Records> found = read(kTwoEras);
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found.value().wrong_peers.size(), 1U);
  const WrongPeer& peer = found.value().wrong_peers[0];
  EXPECT_EQ(peer.id, "ping.prompt");
  EXPECT_EQ(peer.what, "says pong");
  EXPECT_EQ(peer.reason, "ping got a result with *, expected none");
}

TEST(RecordsTest, ARuleOfGatewaysIsNoneOfTheSpecification) {
  const Result<Records> found = read(
      "gateway.some\n  level      MUST\n  role       gateway\n  summary    It does.\n"
      "  page       basic\n  2024-11-05..\n",
      "conformance/rules/gateway.rules");
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_TRUE(found.value().requirements.empty());
  ASSERT_EQ(found.value().of_gateways.size(), 1U);
  EXPECT_EQ(found.value().of_gateways[0].area, "gateway");
}

// error_of puts `now` in the place of `was` in a record that can be read, and returns what is said.
std::string error_of(std::string_view was, std::string_view now) {
  std::string text(kTwoEras);
  const std::size_t at = text.find(was);
  if (at == std::string::npos) return "nothing to replace";
  text.replace(at, was.size(), now);
  const Result<Records> found = read(text);
  return found.ok() ? "" : found.error().message;
}

TEST(RecordsTest, WhereARuleIsDisputedIsALink) {
  const Result<Records> found = read(
      "ping.prompt\n  level      MUST\n  role       both\n  summary    It does.\n"
      "  page       basic\n  contested  https://a.example/1\n  2024-11-05..\n");
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_EQ(found.value().requirements[0].contested, "https://a.example/1");
  EXPECT_NE(error_of("  2024-11-05", "  contested  by many\n  2024-11-05"), "");
}

TEST(RecordsTest, WhatIsWrongIsSaidInOneLineWithItsPlace) {
  struct Wrong {
    std::string_view was;
    std::string_view now;
    std::string_view said;
  };
  const Wrong all[] = {
      {"  why ", "  whi ",
       "7: expected one of level, role, transport, observable, summary, page, contested, unjudged, "
       "why, mend, "
       "cause, wrong, got \"whi\""},
      {"    transport  http", "    why        Not here.",
       "16: expected one of level, role, transport, observable, summary, page, contested, "
       "unjudged, got "
       "\"why\""},
      {"MUST", "MAST", "4: level is one of MUST, MUST_NOT, SHOULD, SHOULD_NOT, MAY, not \"MAST\""},
      {"role       both", "role       host",
       "5: role is one of server, client, both, authorization-server, gateway, not \"host\""},
      {"role       both", "role       gateway",
       "12: rules of gateways stand in gateway.rules, and no others"},
      {"  mend       Answer it at once.", "  mend", "8: mend says nothing"},
      {"  mend       Answer it", "  why        Answer it", "8: why is said twice"},
      {"    transport  http", "    level      MUST", "16: level is said of all revisions already"},
      {"  summary    The receiver", "# The receiver", "12: ping.prompt has no summary"},
      {"ping.old", "ping.prompt", "19: ping.prompt has a record already"},
      {"ping.old", "pong.old", "19: expected an id such as ping.some-words, got \"pong.old\""},
      {"ping.old", "ping.old rule",
       "19: expected an id such as ping.some-words, got \"ping.old rule\""},
      {"2025-06-18", "2025-06-19..",
       "24: expected revisions such as 2025-06-18.., got \"2025-06-19..\"; there are 2024-11-05, "
       "2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28"},
      {"2024-11-05..2025-03-26", "2025-03-26..2024-11-05",
       "12: expected revisions such as 2025-06-18.., got \"2025-03-26..2024-11-05\"; there are "
       "2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28"},
      {"2024-11-05..2025-03-26", "2024-11-05..2026-07-28",
       "12: revisions with sessions and without are told apart: \"2024-11-05..2026-07-28\""},
      {"2026-07-28..", "2025-11-25..",
       "14: a rule has one span of revisions with sessions, and one of those without"},
      {"  2025-06-18\n", "",
       "19: ping.old says in no line such as 2025-06-18.. in which revisions it holds"},
      {"both unmeasured: no", "both unsure: no",
       "11: expected SIDE KIND: WHY of what is not judged, got \"both unsure: no time is given\"; "
       "a side is one of server, client, both, a kind of other-side, unseen, unmeasured, parts, "
       "needs, not-built"},
      {"pong => ping", "pong: ping",
       "10: expected WHAT IS WRONG WITH A PEER => WHAT THE CHECK SAYS, got \"says pong: ping got a "
       "result with *, expected none\""},
      {"ping.prompt\n", "", "3: a line of a rule stands below the id of the rule"},
      {"    page       basic/u", "   page       basic/u",
       "13: expected 2 spaces before what holds in all revisions, 4 below some of them"},
      {"    page       basic/u", "  page       basic/u",
       "13: what holds in all revisions stands before the first of them"},
      {"at once.\n", "at once. \n", "8: a line has no tab, and no space at its end"}};
  for (const Wrong& wrong : all) {
    EXPECT_EQ(error_of(wrong.was, wrong.now),
              "conformance/rules/ping.rules:" + std::string(wrong.said))
        << wrong.now;
  }
}

TEST(RecordsTest, ThoseOfTheTreeCanBeRead) {
  std::set<std::string_view> ids;
  for (const RuleRecord& record : records().all) ids.insert(record.id);
  EXPECT_EQ(ids.size(), records().all.size());
  EXPECT_GT(requirements().size(), 1300U);
  EXPECT_GT(gateway_rules().size(), 100U);
  for (const Requirement& rule : requirements()) EXPECT_NE(find_record(rule.id), nullptr);
  EXPECT_EQ(find_record("ping"), nullptr);
}

TEST(RecordsTest, EveryRuleOfGatewaysHasACheckAndEveryCheckARule) {
  std::set<std::string_view> checked;
  for (const GatewayCheck& check : all_gateway_checks()) {
    EXPECT_EQ(check.rule().id, check.id);
    checked.insert(check.id);
  }
  for (const Requirement& rule : gateway_rules()) EXPECT_TRUE(checked.contains(rule.id)) << rule.id;
}

TEST(RecordsTest, EveryMustThatCanFailSaysWhyItMatters) {
  for (const Requirement& rule : requirements()) {
    if (!rule.must() || !(is_judged(rule, "server") || is_judged(rule, "client"))) continue;
    EXPECT_NE(why_it_matters(rule.id), "") << rule.id;
  }
  for (const Requirement& rule : gateway_rules()) {
    if (rule.must()) EXPECT_NE(why_it_matters(rule.id), "") << rule.id;
  }
}

TEST(RecordsTest, EveryMustOfAServerThatCanFailSaysHowToMendIt) {
  for (const Requirement& rule : requirements()) {
    if (!rule.must() || !is_judged(rule, "server")) continue;
    EXPECT_NE(mend_of(rule.id), "") << rule.id;
  }
}

// what is said only of some findings must fit one of those that the rule's own wrong peers show.
bool shows(const RuleRecord& record, std::string_view words) {
  return std::ranges::any_of(records().wrong_peers, [&](const WrongPeer& peer) {
    return peer.id == record.id && peer.reason.find(words) != std::string_view::npos;
  });
}

TEST(RecordsTest, WhatIsSaidOfSomeFindingsIsSaidOfOneThatAWrongPeerShows) {
  for (const RuleRecord& record : records().all) {
    for (const WhenSaid& mend : record.mends) {
      EXPECT_TRUE(shows(record, mend.words)) << record.id << ": " << mend.words;
    }
  }
}

TEST(RecordsTest, SomeIsSaidOnlyWhereAMessageHasTheWords) {
  std::string text(kTwoEras);
  const std::string_view cause = "  cause      jsonrpc.answers\n";
  text.insert(
      text.find(cause) + cause.size(),
      "  mend       got a result => Leave it empty.\n  cause      a code => jsonrpc.codes\n");
  const Result<Records> found = read(text);
  ASSERT_TRUE(found.ok()) << found.error().message;
  const RuleRecord& rule = found.value().all[1];
  EXPECT_EQ(rule.mend, "Answer it at once.");
  ASSERT_EQ(rule.mends.size(), 1U);
  EXPECT_EQ(rule.mends[0].words, "got a result");
  EXPECT_EQ(rule.mends[0].text, "Leave it empty.");
  ASSERT_EQ(rule.causes.size(), 1U);
  EXPECT_EQ(rule.causes[0].text, "jsonrpc.codes");
}

TEST(RecordsTest, AMendIsWhatFitsTheMessage) {
  const std::string_view level = "the level is \"warn\", expected one of the eight of RFC 5424";
  EXPECT_NE(mend_of("logging.level-values", level).find("warning (not warn)"),
            std::string_view::npos);
  EXPECT_EQ(mend_of("logging.level-values", level).find("logging/setLevel"),
            std::string_view::npos);
  EXPECT_NE(mend_of("logging.level-values"), "");
}

TEST(RecordsTest, WhyAndMendAreOneShortSentence) {
  for (const RuleRecord& record : records().all) {
    for (const std::string_view text : {record.why, record.mend}) {
      EXPECT_TRUE(text.empty() || text.ends_with('.')) << record.id;
    }
    for (const WhenSaid& mend : record.mends) {
      EXPECT_TRUE(mend.text.ends_with('.')) << record.id;
      EXPECT_LE(mend.text.size(), 120U) << record.id << ": longer than fits two lines";
    }
    EXPECT_EQ(record.why.find(". "), std::string_view::npos) << record.id;
    EXPECT_LE(record.why.size(), 160U) << record.id;
    EXPECT_LE(record.mend.size(), 120U) << record.id << ": longer than fits two lines";
  }
}

}  // namespace
}  // namespace plumbline::conformance
