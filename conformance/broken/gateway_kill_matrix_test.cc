// Each check of a gateway bites: a plain proxy passes them all, and each wrong gateway fails the
// check of its id and no unrelated one.

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "conformance/broken/gateway_world.h"
#include "conformance/broken/sample_size.h"

namespace plumbline::conformance {
namespace {

TEST(Gateway, APlainProxyPassesEverythingInBothEras) {
  const std::vector<CheckResult> rows = GatewayWorld(nullptr).judge();
  for (const CheckResult& row : rows) {
    EXPECT_EQ(row.verdict, Verdict::kPass) << row.id << " " << row.revision << ": " << row.message;
  }
  EXPECT_EQ(rows.size(), 2 * all_gateway_checks().size() - 3);
}

TEST(Gateway, APlainProxyPassesEverythingOverTheOlderTransport) {
  const std::vector<CheckResult> rows = GatewayWorld(nullptr, Transport::kSse).judge();
  int passed = 0;
  for (const CheckResult& row : rows) {
    EXPECT_TRUE(row.verdict == Verdict::kPass || row.verdict == Verdict::kSkip)
        << row.id << ": " << row.message;
    passed += row.verdict == Verdict::kPass ? 1 : 0;
  }
  EXPECT_GE(passed, 10);
}

// A gateway that ends sessions: it asks for nothing in the name of its clients.
const Deviation kEndsSessions = {
    .id = "gateway.asks-the-right-client",
    .revision = kNewestStateful,
    .transport = Transport::kHttp,
    .what = "declares nothing to the server",
    .from_client =
        [](Interceptor& interceptor, std::string text) {
          Result<Json> message = parse_json(text);
          if (!message.ok() || string_or(message.value(), "method", "") != "initialize") {
            return interceptor.pass_text(std::move(text));
          }
          message.value()["params"]["capabilities"] = Json::object();
          interceptor.pass(message.value());
        },
};

// Likewise: it speaks an older revision with the server than with its clients.
const Deviation kSpeaksOlder = {
    .id = "gateway.passes-headers",
    .revision = kNewestStateful,
    .transport = Transport::kHttp,
    .what = "speaks 2025-06-18 with the server",
    .from_server =
        [](Interceptor& interceptor, Json message) {
          if (at_pointer(message, "/result/protocolVersion") != nullptr) {
            message["result"]["protocolVersion"] = kNewestStateful;
          }
          interceptor.say(message);
        },
    .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
      if (request.headers.get("MCP-Protocol-Version") == kNewestStateful) {
        request.headers.set("MCP-Protocol-Version", "2025-06-18");
      }
      const std::size_t at = request.body.find("\"2025-11-25\"");
      if (request.body.find("\"initialize\"") != std::string::npos && at != std::string::npos) {
        request.body.replace(at, 12, "\"2025-06-18\"");
      }
      return std::nullopt;
    },
};

// Likewise: it has no stream for what nobody asked for.
const Deviation kHasNoStream = {
    .id = "gateway.tells-one-client-alone",
    .revision = kNewestStateful,
    .transport = Transport::kHttp,
    .what = "answers GET with 405",
    .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
      if (request.method != "GET") return std::nullopt;
      return wire::HttpResponse{405, {}, ""};
    },
};

// Likewise: it has one session for all.
std::string first_session;
const Deviation kHasOneSession = {
    .id = "gateway.tells-one-client-alone",
    .revision = kNewestStateful,
    .transport = Transport::kHttp,
    .what = "has one session with the server for all its clients",
    .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
      if (first_session.empty() || request.headers.count("Mcp-Session-Id") == 0) {
        return std::nullopt;
      }
      if (request.method == "GET") return wire::HttpResponse{405, {}, ""};
      if (request.method == "DELETE") return wire::HttpResponse{200, {}, ""};
      request.headers.set("Mcp-Session-Id", first_session);
      return std::nullopt;
    },
    .response =
        [](const wire::HttpRequest&, int&, wire::HttpHeaders& headers) {
          if (first_session.empty()) {
            first_session = std::string(headers.get("Mcp-Session-Id").value_or(""));
          }
        },
};

TEST(Gateway, IsNotBlamedForHavingOneSessionForAll) {
  first_session.clear();
  for (const CheckResult& row : GatewayWorld(&kHasOneSession).judge()) {
    if (row.id != kHasOneSession.id) continue;
    EXPECT_EQ(row.verdict, Verdict::kSkip) << row.message;
    EXPECT_NE(row.message.find("one session"), std::string::npos) << row.message;
  }
}

TEST(Gateway, IsNotBlamedForHavingSessionsOfItsOwn) {
  for (const Deviation* const right : {&kEndsSessions, &kSpeaksOlder, &kHasNoStream}) {
    bool judged = false;
    for (const CheckResult& row : GatewayWorld(right).judge()) {
      judged = judged || row.id == right->id;
      EXPECT_TRUE(row.verdict == Verdict::kPass || row.verdict == Verdict::kSkip)
          << right->what << ": " << row.id << ": " << row.message;
    }
    EXPECT_TRUE(judged) << right->what;
  }
}

// The mirror itself keeps to the specification: who has declared no sampling is not asked.
TEST(Gateway, IsNotAskedForWhatItDidNotDeclare) {
  const std::vector<CheckResult> rows = GatewayWorld(&kEndsSessions).judge();
  const auto row = std::ranges::find(rows, "gateway.asks-the-right-client", &CheckResult::id);
  ASSERT_NE(row, rows.end());
  EXPECT_EQ(row->verdict, Verdict::kSkip);
  EXPECT_NE(row->message.find("declares no sampling"), std::string::npos) << row->message;
}

TEST(Gateway, ShowsBothSidesOfItInTheEvidence) {
  const Deviation& wrong =
      *std::ranges::find(gateway_deviations(), "gateway.keeps-values", &Deviation::id);
  const std::vector<CheckResult> rows = GatewayWorld(&wrong).judge();
  const auto row = std::ranges::find(rows, "gateway.keeps-values", &CheckResult::id);
  ASSERT_NE(row, rows.end());
  const auto has = [&](const char* side) {
    return std::ranges::any_of(
        row->evidence, [&](const Evidence& line) { return find(line.message, side) != nullptr; });
  };
  EXPECT_TRUE(has("server got"));
  EXPECT_TRUE(has("server sent"));
  EXPECT_TRUE(std::ranges::any_of(row->evidence,
                                  [](const Evidence& line) { return line.direction == "->"; }));
}

class BrokenGateway : public testing::TestWithParam<std::size_t> {};

TEST_P(BrokenGateway, FailsItsCheckAndNoUnrelatedOne) {
  const Deviation& deviation = gateway_deviations()[GetParam()];
  bool caught = false;
  for (const CheckResult& row : GatewayWorld(&deviation).judge()) {
    const bool failed = row.verdict == Verdict::kFail || row.verdict == Verdict::kWarn;
    if (row.id == deviation.id) {
      caught = caught || failed;
    } else if (std::ranges::find(deviation.also, row.id) == deviation.also.end()) {
      EXPECT_FALSE(failed) << deviation.what << ": " << row.id << ": " << row.message;
    }
  }
  EXPECT_TRUE(caught) << deviation.id << ": " << deviation.what;
}

INSTANTIATE_TEST_SUITE_P(All, BrokenGateway,
                         testing::Range(std::size_t{0}, gateway_deviations().size(), kEachNth));

TEST(Gateway, EachCheckHasAWrongGateway) {
  std::set<std::string_view> caught;
  for (const Deviation& deviation : gateway_deviations()) caught.insert(deviation.id);
  for (const GatewayCheck& check : all_gateway_checks()) {
    EXPECT_TRUE(caught.contains(check.id)) << check.id;
  }
}

}  // namespace
}  // namespace plumbline::conformance
