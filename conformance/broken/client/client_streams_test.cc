// A client that cannot read what many servers send is told so by one rule, and nothing passes or is
// left out because it came no further.

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "conformance/broken/client/client_world.h"
#include "conformance/checks/client/scenarios.h"

namespace plumbline::conformance {
namespace {

Judgement judged_over_http(const ClientDeviation* client) {
  ClientWorld world(Transport::kHttp, client);
  ClientJudgeOptions options;
  options.revision = "2025-11-25";
  options.selection.skip = {"hostile.huge-message", "hostile.deep-json", "hostile.flood",
                            "hostile.endless-pages"};
  return world.judge(std::move(options));
}

std::set<std::string> with(const Judgement& judgement, Verdict verdict) {
  std::set<std::string> ids;
  for (const CheckResult& row : judgement.results) {
    if (row.verdict == verdict) ids.insert(row.id);
  }
  return ids;
}

// binds_who_resumes returns whether a rule holds for those who come back to a stream that ended, of
// which http.sse-client-reconnects tells.
bool binds_who_resumes(std::string_view id) {
  return id == "http.resume-with-last-event-id" || id == "http.sse-retry-respected";
}

void expect_one_failure(const ClientDeviation& client, const std::string& expected) {
  const Judgement judgement = judged_over_http(&client);
  EXPECT_EQ(with(judgement, Verdict::kFail), std::set<std::string>{expected});
  EXPECT_EQ(with(judgement, Verdict::kWarn), std::set<std::string>{});
  ClientDeviation right = client;  // Behind the same middleman, which gets no tokens.
  right.event = nullptr;
  const std::set<std::string> skipped = with(judged_over_http(&right), Verdict::kSkip);
  const std::set<std::string> skips = with(judgement, Verdict::kSkip);
  for (const ClientScenario& scenario : all_client_scenarios()) {
    for (const std::string_view id : scenario.ids) {
      const bool hidden = skips.contains(std::string(id)) && !skipped.contains(std::string(id));
      EXPECT_FALSE(hidden && !binds_who_resumes(id)) << id << " applies to the right client";
    }
  }
}

TEST(ClientOfStreams, ThatReadsNoEventWithoutANameFailsOneRuleAndSkipsNoMore) {
  ClientDeviation client{
      .id = "http.sse-format", .revision = "2025-11-25", .what = "reads no event without a name"};
  client.transport = Transport::kHttp;
  client.event = [](const wire::HttpRequest&, wire::SseEvent& event) {
    return !event.event.empty();
  };
  expect_one_failure(client, "http.sse-format");
}

TEST(ClientOfStreams, ThatReadsNoEventsFailsOneRuleAndSkipsNoMore) {
  ClientDeviation client{.id = "http.client-supports-both-response-types",
                         .revision = "2025-11-25",
                         .what = "reads no events"};
  client.transport = Transport::kHttp;
  client.event = [](const wire::HttpRequest&, wire::SseEvent&) { return false; };
  expect_one_failure(client, "http.client-supports-both-response-types");
}

}  // namespace
}  // namespace plumbline::conformance
