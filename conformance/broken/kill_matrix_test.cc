// Each check bites: the reference server passes them all, and each Deviation of it fails the check
// of its id, for the reason that the record names, and no unrelated one.

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/broken/deviant_world.h"
#include "conformance/broken/kill_matrix_fixture.h"
#include "conformance/catalogue/requirement.h"
#include "conformance/checks/server/check.h"
#include "conformance/oracles/oracle.h"
#include "fakes/sample_size.h"

namespace plumbline::conformance {
namespace {

// Nearly everything that is wrong with a message breaks these, too.
bool is_umbrella(std::string_view id) {
  return id == "schema.messages-validate" || id == "jsonrpc.conforms-to-2-0";
}

bool complains(const CheckResult& row) {
  return row.verdict != Verdict::kPass && row.verdict != Verdict::kSkip;
}

Judgement judge_in(DeviantWorld& world, std::string revision) {
  JudgeOptions options;
  options.revision = std::move(revision);
  options.probe.allow_writes = true;
  return world.judge(std::move(options));
}

Judgement judged(Transport transport, const Deviation* deviation, std::string revision) {
  DeviantWorld world(transport, deviation);
  return judge_in(world, std::move(revision));
}

// shows_what_is_wrong returns whether the evidence that a row is about holds a message that the
// deviation has changed, added or kept back, or the request of one: its own, that stands before it.
bool shows_what_is_wrong(const CheckResult& row, const Altered& altered) {
  const Json* asked = nullptr;
  for (const Evidence& line : row.evidence) {
    if (line.direction == "->" || find(line.message, "http") != nullptr) asked = &line.message;
    if (!line.judged) continue;
    if (altered.holds(line.message) || (asked != nullptr && altered.holds(*asked))) return true;
  }
  return false;
}

// Elsewhere are wrong servers whose fault is in no message that the finding could show.
struct Elsewhere {
  std::string_view why;
  std::vector<std::string_view> ids;
};

const std::vector<Elsewhere>& faults_elsewhere() {
  static const std::vector<Elsewhere> all = {
      {"it was promised or declared before, and shown is where that does not hold",
       {"lifecycle.unadvertised-method-not-found", "discover.supported-versions-truthful",
        "tools.embedded-resource-capability", "logging.level-respected",
        "elicitation.no-unsupported-mode", "elicitation.sensitive-via-url",
        "roots.server-checks-capability", "mrtr.request-state-single-use", "http.get-delete-405",
        "security.all-inbound-requests-verified", "http.authenticate-connections",
        "http.session-id-unguessable", "security.session-ids-non-deterministic",
        "versioning.server-counter-offers-latest", "resources.subscribe-declared",
        "base.listed-is-served", "prompts.optional-arguments-optional",
        "versioning.accepted-is-served", "logging.level-declared"}},
      {"the server forgets who asks, or what belongs together, and no message is another one",
       {"security.sessions-not-authentication", "tasks.authorization-checked",
        "mrtr.request-state-bound-to-principal", "elicitation.bound-to-client-and-user",
        "elicitation.state-bound-to-user", "tools.access-control", "caching.access-control-applied",
        "security.proxy-consent-page", "security.proxy-consent-cookie",
        "security.proxy-redirect-uri-exact", "security.proxy-state-checked",
        "auth.third-party-token-mapping", "auth.no-token-passthrough",
        "elicitation.url-no-sensitive-info", "elicitation.complete-to-initiator-only",
        "http.protocol-version-mismatch-rejected", "http.replay-own-stream-only"}},
      {"nothing comes of what was sent, and shown is what should have brought it about",
       {"tools.list-changed-notification", "resources.list-changed-notification",
        "prompts.list-changed-notification", "resources.updated-after-subscribe",
        "subscriptions.multiple-concurrent", "subscriptions.resource-updated-delivered",
        "roots.server-handles-change", "sampling.content-validated", "http.sse-response-delivered",
        "http.event-id-encodes-stream", "http.sse-terminates-after-response",
        "cancellation.http-close-cancels", "cancellation.stops-work",
        "security.deep-input-survived", "sse-legacy.two-endpoints"}},
      {"nothing that was asked is waited for, or it is the end of a stream",
       {"cancellation.race-handled", "stdio.exit-on-stdin-eof"}},
      {"the message shown is the wrong one, and evidence cuts it or reads it as one value",
       {"pagination.invalid-cursor-graceful", "mrtr.request-state-untrusted",
        "mrtr.input-request-keys-unique", "stdio.no-embedded-newlines", "tools.name-unique",
        "base.split-letters-read", "stdio.long-lines-read"}}};
  return all;
}

bool is_elsewhere(std::string_view id) {
  return std::ranges::any_of(faults_elsewhere(), [id](const Elsewhere& some) {
    return std::ranges::find(some.ids, id) != some.ids.end();
  });
}

std::string shown(const CheckResult& row) {
  std::string text = row.id + ": " + std::string(name_of(row.verdict)) + ": " + row.message;
  for (const Evidence& line : row.evidence) {
    text += (line.judged ? "\n  * " : "\n    ") + line.direction + " " +
            dump_json(line.message).substr(0, 300);
  }
  return text;
}

class GoodServer : public testing::TestWithParam<std::tuple<Transport, std::string_view>> {};

TEST_P(GoodServer, PassesEverything) {
  const auto [transport, revision] = GetParam();
  const Judgement judgement = judged(transport, nullptr, std::string(revision));
  EXPECT_EQ(judgement.unreachable.message, "");
  int passed = 0;
  for (const CheckResult& row : judgement.results) {
    EXPECT_FALSE(complains(row)) << shown(row);
    passed += row.verdict == Verdict::kPass ? 1 : 0;
  }
  EXPECT_GT(passed, 3);
}

INSTANTIATE_TEST_SUITE_P(AllRevisions, GoodServer,
                         testing::Combine(testing::Values(Transport::kStdio, Transport::kHttp),
                                          testing::ValuesIn(kRevisions)));

INSTANTIATE_TEST_SUITE_P(OtherTransports, GoodServer,
                         testing::Combine(testing::Values(Transport::kSse, Transport::kWebSocket),
                                          testing::Values("2024-11-05", "2025-03-26", "2025-06-18",
                                                          "2025-11-25")));

class TwoUsers : public testing::TestWithParam<std::string_view> {};

TEST_P(TwoUsers, AreKeptApartByAServerThatIsRight) {
  const Judgement judgement =
      judged(Transport::kHttp, &users_kept_apart(), std::string(GetParam()));
  int passed = 0;
  for (const CheckResult& row : judgement.results) {
    EXPECT_FALSE(complains(row)) << shown(row);
    const bool of_two = std::ranges::any_of(
        two_users_checks(), [&](const ServerCheck& check) { return check.id == row.id; });
    passed += of_two && row.verdict == Verdict::kPass ? 1 : 0;
  }
  EXPECT_GE(passed, GetParam() == "2026-07-28" ? 10 : 6);
}

INSTANTIATE_TEST_SUITE_P(BothEras, TwoUsers, testing::Values("2025-11-25", "2026-07-28"));

// passed_of returns how many of `ids` a server that is right passes, and complains of anything
// else.
int passed_of(const Deviation& right, std::string_view revision,
              const std::set<std::string_view>& ids) {
  int passed = 0;
  for (const CheckResult& row : judged(right.transport, &right, std::string(revision)).results) {
    EXPECT_FALSE(complains(row)) << shown(row);
    const bool counts = ids.contains(row.id);
    passed += counts && row.verdict == Verdict::kPass ? 1 : 0;
    if (counts && row.verdict == Verdict::kSkip) ADD_FAILURE() << shown(row);
  }
  return passed;
}

TEST(RightProxies, AreRightInEachRevisionThatJudgesThem) {
  const std::set<std::string_view> ids = {
      "auth.proxy-consent-per-client",     "security.proxy-consent-registry",
      "security.proxy-consent-page",       "security.proxy-consent-cookie",
      "security.proxy-redirect-uri-exact", "security.proxy-state-after-consent",
      "security.proxy-state-checked",      "auth.no-token-passthrough",
      "auth.third-party-flow-hardening",   "auth.third-party-token-mapping"};
  EXPECT_EQ(passed_of(right_proxy(), "2025-03-26", ids), 2);
  EXPECT_EQ(passed_of(right_proxy(), "2025-06-18", ids), 8);
  EXPECT_EQ(passed_of(right_proxy(), "2025-11-25", ids), 8);
  EXPECT_EQ(passed_of(right_proxy(), "2026-07-28", ids), 2);
}

TEST(RightPages, AreRightInBothEras) {
  const std::set<std::string_view> ids = {"elicitation.url-opener-verified",
                                          "elicitation.url-identity-tamper-resistant",
                                          "elicitation.url-no-sensitive-info",
                                          "elicitation.url-not-preauthenticated",
                                          "elicitation.url-not-for-own-authorization",
                                          "elicitation.complete-to-initiator-only",
                                          "elicitation.no-client-token-for-third-party",
                                          "elicitation.third-party-credentials-not-via-client",
                                          "elicitation.user-authorizes-server-directly",
                                          "elicitation.client-claimed-identity-not-trusted"};
  EXPECT_EQ(passed_of(right_pages(), "2025-11-25", ids), 9);
  EXPECT_EQ(passed_of(right_pages(), "2026-07-28", ids), 9);
}

TEST(TasksThatFailInside, MayBeSaidToInBothEras) {
  const std::set<std::string_view> ids = {"tasks.internal-error-code"};
  EXPECT_EQ(passed_of(tasks_that_fail_inside(), "2025-11-25", ids), 1);
  EXPECT_EQ(passed_of(tasks_that_fail_inside(), "2026-07-28", ids), 1);
}

// is_several returns whether what the deviation does is more than one mistake.
bool is_several(const Deviation& deviation) {
  constexpr std::string_view kSeveral[] = {
      "asks by a URL without an id",                // And those who declare no mode.
      "sends those to a page who cannot go there",  // And does not say to which.
      "counts its tasks",                           // And forgets those that it counted before.
  };
  return std::ranges::find(kSeveral, deviation.what) != std::end(kSeveral);
}

class BrokenServer : public testing::TestWithParam<std::size_t> {};

TEST_P(BrokenServer, FailsItsCheckAndNoUnrelatedOne) {
  const Deviation& deviation = all_deviations()[GetParam()];
  DeviantWorld world(deviation.transport, &deviation);
  const Judgement judgement = judge_in(world, std::string(deviation.revision));
  bool caught = false;
  for (const CheckResult& row : judgement.results) {
    if (row.id == deviation.id) {
      const bool here = row.verdict == Verdict::kFail || row.verdict == Verdict::kWarn;
      caught = caught || here;
      // Of several revisions one may be served as it should.
      EXPECT_TRUE(here || deviation.revision == "auto") << deviation.what << "\n" << shown(row);
      if (here) expect_reason(row, deviation.what);
      EXPECT_TRUE(!here || is_elsewhere(row.id) || shows_what_is_wrong(row, world.altered()))
          << "the exchange shown is another one: " << deviation.what << "\n"
          << shown(row);
    } else if (!is_umbrella(row.id) &&
               std::ranges::find(deviation.also, row.id) == deviation.also.end()) {
      EXPECT_FALSE(complains(row)) << deviation.what << "\n" << shown(row);
    }
  }
  EXPECT_TRUE(caught) << "no row for " << deviation.id << " " << judgement.unreachable.message;
  if (!is_several(deviation)) expect_told_once(judgement.results, deviation.what);
}

std::string name_of_deviation(const testing::TestParamInfo<std::size_t>& info) {
  std::string name;
  for (const char c : all_deviations()[info.param].id) {
    name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  }
  return name + "_" + std::to_string(info.param);
}

INSTANTIATE_TEST_SUITE_P(All, BrokenServer,
                         testing::Range(std::size_t{0}, all_deviations().size(),
                                        std::size_t{kEachNth}),
                         name_of_deviation);

TEST(ServerChecks, EachHasADeviation) {
  std::set<std::string_view> caught;
  for (const Deviation& deviation : all_deviations()) caught.insert(deviation.id);
  for (const ServerCheck& check : all_server_checks()) {
    EXPECT_TRUE(caught.contains(check.id)) << check.id;
  }
}

TEST(ServerChecks, EachOracleOfHttpHasADeviation) {
  std::set<std::string_view> caught;
  for (const Deviation& deviation : all_deviations()) caught.insert(deviation.id);
  for (const Oracle& oracle : all_oracles()) {
    if (!oracle.id.starts_with("http.")) continue;
    EXPECT_TRUE(caught.contains(oracle.id)) << oracle.id;
  }
}

TEST(ServerChecks, EachIsARuleOfTheCatalogueThatBindsServers) {
  for (const ServerCheck& check : all_server_checks()) {
    const bool known = std::ranges::any_of(requirements(), [&](const Requirement& rule) {
      return rule.id == check.id && rule.binds("server") &&
             (check.eras == Eras::kBoth ||
              is_stateless(rule.since) == (check.eras == Eras::kStateless));
    });
    EXPECT_TRUE(known) << check.id;
  }
}

}  // namespace
}  // namespace plumbline::conformance
