// Each check of a gateway bites: a plain proxy passes them all, and each wrong gateway fails the
// check of its id, for the reason that the record names, and no unrelated one.

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "conformance/broken/gateway_world.h"
#include "conformance/broken/kill_matrix_fixture.h"
#include "conformance/broken/message_edits.h"
#include "conformance/catalogue/records.h"
#include "fakes/sample_size.h"

namespace plumbline::conformance {
namespace {

// What a proxy that hands on the requests of its clients cannot do wrong, or one that no page may
// read.
const std::set<std::string> kOfPeersAlone = {
    "gateway.keeps-tokens-back", "gateway.renames-throughout", "gateway.answers-preflights",
    "gateway.reads-compressed", "gateway.names-tools-rightly"};

TEST(Gateway, APlainProxyPassesEverythingInBothEras) {
  const std::vector<CheckResult> rows = GatewayWorld(nullptr).judge();
  for (const CheckResult& row : rows) {
    const Verdict due = kOfPeersAlone.contains(row.id) ? Verdict::kSkip : Verdict::kPass;
    EXPECT_EQ(row.verdict, due) << row.id << " " << row.revision << ": " << row.message;
  }
  EXPECT_EQ(rows.size(), gateway_rules().size());
}

// A right gateway with sessions of its own: what its clients send as their token stays with it.
const Deviation kHasOwnSessions = {
    .id = "gateway.keeps-tokens-back",
    .revision = kNewestStateful,
    .transport = Transport::kHttp,
    .what = "gives its clients session ids of its own",
    .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
      const std::string id(request.headers.get("Mcp-Session-Id").value_or(""));
      if (id.starts_with("own-")) request.headers.set("Mcp-Session-Id", id.substr(4));
      request.headers.erase("Authorization");
      return std::nullopt;
    },
    .response =
        [](const wire::HttpRequest&, int&, wire::HttpHeaders& headers) {
          const auto id = headers.get("Mcp-Session-Id");
          if (id) headers.set("Mcp-Session-Id", "own-" + std::string(*id));
        },
};

TEST(Gateway, IsNotBlamedForTokensThatItKeepsBack) {
  for (const CheckResult& row : GatewayWorld(&kHasOwnSessions).judge()) {
    EXPECT_TRUE(row.verdict == Verdict::kPass || row.verdict == Verdict::kSkip)
        << row.id << ": " << row.message;
    if (row.id != kHasOwnSessions.id || row.revision != kNewestStateful) continue;
    EXPECT_EQ(row.verdict, Verdict::kPass) << row.message;
  }
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
    .request = kHasOwnSessions.request,
    .response = kHasOwnSessions.response,
};

// Likewise: it speaks an older revision with the server than with its clients.
constexpr std::string_view kOlder[] = {"2024-11-05", "2025-03-26", "2025-06-18"};

template <std::size_t which>
Deviation speaks_older() {
  Deviation right;
  right.id = "gateway.passes-headers";
  right.revision = kNewestStateful;
  right.transport = Transport::kHttp;
  right.what = "speaks an older revision with the server";
  right.from_server = [](Interceptor& interceptor, Json message) {
    const Json* const version = at_pointer(message, "/result/protocolVersion");
    if (version != nullptr && *version == Json(std::string(kOlder[which]))) {
      message["result"]["protocolVersion"] = kNewestStateful;
    }
    interceptor.say(message);
  };
  right.request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
    const std::string older(kOlder[which]);
    if (request.headers.get("MCP-Protocol-Version") == kNewestStateful) {
      request.headers.set("MCP-Protocol-Version", older);
    }
    const std::size_t at = request.body.find("\"2025-11-25\"");
    if (request.body.find("\"initialize\"") != std::string::npos && at != std::string::npos) {
      request.body.replace(at, 12, "\"" + older + "\"");
    }
    return std::nullopt;
  };
  return right;
}

// Likewise: what the server wants back comes to its clients in an envelope.
constexpr std::string_view kEnvelope = "sealed: ";
const Deviation kSealsStates = {
    .id = "gateway.passes-input-requests",
    .revision = kNewestStateless,
    .transport = Transport::kHttp,
    .what = "seals each requestState",
    .from_server =
        [](Interceptor& interceptor, Json message) {
          if (const Json* const state = at_pointer(message, "/result/requestState")) {
            message["result"]["requestState"] = std::string(kEnvelope) + state->get<std::string>();
          }
          interceptor.say(message);
        },
    .from_client_message =
        [](Interceptor& interceptor, Json message) {
          const Json* const state = at_pointer(message, "/params/requestState");
          if (state != nullptr && state->is_string()) {
            message["params"]["requestState"] = state->get<std::string>().substr(kEnvelope.size());
          }
          interceptor.pass(message);
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
      request.headers.set("MCP-Protocol-Version", std::string(kNewestStateful));
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

// Once the server has ended the one session of all, nothing goes through any longer: that is blamed
// once.
TEST(Gateway, IsBlamedOnceForASessionThatItDoesNotOpenAnew) {
  first_session.clear();
  std::set<std::string> failed;
  for (const CheckResult& row : GatewayWorld(&kHasOneSession).judge()) {
    if (row.verdict == Verdict::kFail) failed.insert(row.id);
  }
  EXPECT_TRUE(failed.contains("gateway.outlives-servers-session"));
  for (const char* const spared :
       {"gateway.does-without-stream", "gateway.speaks-with-older-servers",
        "gateway.serves-older-clients", "gateway.passes-calls-without-arguments"}) {
    EXPECT_FALSE(failed.contains(spared)) << spared;
  }
}

TEST(Gateway, IsNotBlamedForHavingSessionsOfItsOwn) {
  const Deviation older[] = {speaks_older<0>(), speaks_older<1>(), speaks_older<2>()};
  for (const Deviation* const right :
       {&kEndsSessions, &older[0], &older[1], &older[2], &kHasNoStream, &kSealsStates}) {
    bool judged = false;
    for (const CheckResult& row : GatewayWorld(right).judge()) {
      judged = judged || row.id == right->id;
      EXPECT_TRUE(row.verdict == Verdict::kPass || row.verdict == Verdict::kSkip)
          << right->what << ": " << row.id << ": " << row.message;
    }
    EXPECT_TRUE(judged) << right->what;
  }
}

// Likewise: it puts the same before each name.
constexpr std::string_view kPrefix = "weather_";

void prefix_names(Interceptor& interceptor, Json message) {
  for (const char* const list : {"tools", "prompts"}) {
    const bool lists = interceptor.method_asked(message) == std::string(list) + "/list";
    if (!lists || !message.contains("result")) continue;
    for (Json& item : message["result"][list]) {
      item["name"] = std::string(kPrefix) + item["name"].get<std::string>();
    }
  }
  interceptor.say(message);
}

void strip_names(Interceptor& interceptor, Json message) {
  for (const char* const at : {"/params/name", "/params/ref/name"}) {
    if (at_pointer(message, at) == nullptr) continue;
    Json& name = message[Json::json_pointer(at)];
    name = name.get<std::string>().substr(kPrefix.size());
  }
  interceptor.pass(message);
}

const Deviation kRenames = {
    .id = "gateway.lists-all-tools",
    .revision = kNewestStateful,
    .transport = Transport::kHttp,
    .what = "puts weather_ before each name",
    .from_server = prefix_names,
    .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
      const std::string name(request.headers.get("Mcp-Name").value_or(""));
      if (name.starts_with(kPrefix)) request.headers.set("Mcp-Name", name.substr(kPrefix.size()));
      return std::nullopt;
    },
    .from_client_message = strip_names,
};

// failures returns what of a gateway does not hold.
std::set<std::string> failures(const Deviation* gateway, GatewayManner manner = {}) {
  std::set<std::string> failed;
  for (const CheckResult& row : GatewayWorld(gateway).judge(std::move(manner))) {
    if (row.verdict != Verdict::kPass && row.verdict != Verdict::kSkip) failed.insert(row.id);
  }
  return failed;
}

TEST(Gateway, MayPutTheSameBeforeEachName) {
  EXPECT_EQ(failures(&kRenames), std::set<std::string>{});
  EXPECT_EQ(failures(&kRenames, {"weather_{name}", false, false}), std::set<std::string>{});
  // Names that it does not have lead nowhere.
  EXPECT_EQ(failures(nullptr, {"weather_{name}", false, false}),
            std::set<std::string>{"gateway.reaches-server"});
}

// A gateway that keeps the session id to itself: its clients are answered initialize, and nothing
// else.
const Deviation kKeepsSessionIds = {
    .id = "gateway.reaches-server",
    .revision = kNewestStateful,
    .transport = Transport::kHttp,
    .what = "drops Mcp-Session-Id",
    .response = [](const wire::HttpRequest&, int&,
                   wire::HttpHeaders& headers) { headers.erase("Mcp-Session-Id"); },
};

TEST(Gateway, IsBlamedForSessionsThatLeadNowhereThoughAnotherEraGoesThrough) {
  const std::vector<CheckResult> rows = GatewayWorld(&kKeepsSessionIds).judge();
  const auto wrong = [](const CheckResult& row) { return row.verdict == Verdict::kFail; };
  const auto row = std::ranges::find_if(rows, wrong);
  ASSERT_NE(row, rows.end());
  EXPECT_EQ(row->id, "gateway.reaches-server");
  EXPECT_NE(row->message.find("status 404"), std::string::npos) << row->message;
  EXPECT_GT(rows.size(), 10U);
}

// Likewise: it serves a tool, and a capability, of its own.
const Deviation kMerges = {
    .id = "gateway.lists-all-tools",
    .revision = kNewestStateful,
    .transport = Transport::kHttp,
    .what = "lists a tool of its own",
    .from_server =
        [](Interceptor& interceptor, Json message) {
          if (at_pointer(message, "/result/nextCursor") && at_pointer(message, "/result/tools")) {
            message["result"]["tools"].push_back({{"name", "own"}});
          }
          if (at_pointer(message, "/result/capabilities")) {
            message["result"]["capabilities"]["tasks"] = Json::object();
          }
          interceptor.say(message);
        },
};

// Likewise: it lists one tool less.
const Deviation kFilters = {
    .id = "gateway.lists-all-tools",
    .revision = kNewestStateful,
    .transport = Transport::kHttp,
    .what = "does not list refuse",
    .from_server =
        [](Interceptor& interceptor, Json message) {
          if (edit::result_of(interceptor, message, "tools/list") != nullptr) {
            Json kept = Json::array();
            for (const Json& tool : message["result"]["tools"]) {
              if (string_or(tool, "name", "") != "refuse") kept.push_back(tool);
            }
            message["result"]["tools"] = std::move(kept);
          }
          interceptor.say(message);
        },
};

TEST(Gateway, MayServeMoreOrLessWhereThatIsDeclared) {
  const std::set<std::string> more = {"gateway.keeps-capabilities", "gateway.lists-all-tools"};
  EXPECT_EQ(failures(&kMerges), more);
  EXPECT_EQ(failures(&kMerges, {"", true, false}), std::set<std::string>{});
  EXPECT_EQ(failures(&kFilters), std::set<std::string>{"gateway.lists-all-tools"});
  EXPECT_EQ(failures(&kFilters, {"", false, true}), std::set<std::string>{});
}

TEST(Gateway, ShowsTheMemberAndBothValues) {
  const Deviation& wrong =
      *std::ranges::find(gateway_deviations(), "gateway.keeps-tool-annotations", &Deviation::id);
  const std::vector<CheckResult> rows = GatewayWorld(&wrong).judge();
  const auto row = std::ranges::find(rows, "gateway.keeps-tool-annotations", &CheckResult::id);
  ASSERT_NE(row, rows.end());
  EXPECT_NE(row->message.find("/tools/ask/annotations: the server sent {\"readOnlyHint\":true}, "
                              "the client got nothing"),
            std::string::npos)
      << row->message;
  EXPECT_TRUE(std::ranges::any_of(row->evidence, [](const Evidence& line) {
    return at_pointer(line.message, "/server sent/result/tools") != nullptr;
  }));
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
  const std::vector<CheckResult> rows = GatewayWorld(&deviation).judge();
  for (const CheckResult& row : rows) {
    const bool failed = row.verdict == Verdict::kFail || row.verdict == Verdict::kWarn;
    if (row.id == deviation.id) {
      caught = caught || failed;
      if (failed) expect_reason(row, deviation.what);
    } else if (std::ranges::find(deviation.also, row.id) == deviation.also.end()) {
      EXPECT_FALSE(failed) << deviation.what << ": " << row.id << ": " << row.message;
    }
  }
  EXPECT_TRUE(caught) << deviation.id << ": " << deviation.what;
  expect_told_once(rows, deviation.what);
}

INSTANTIATE_TEST_SUITE_P(All, BrokenGateway,
                         testing::Range(std::size_t{0}, gateway_deviations().size(),
                                        std::size_t{kEachNth}));

TEST(Gateway, EachCheckHasAWrongGateway) {
  std::set<std::string_view> caught;
  for (const Deviation& deviation : gateway_deviations()) caught.insert(deviation.id);
  for (const GatewayCheck& check : all_gateway_checks()) {
    EXPECT_TRUE(caught.contains(check.id)) << check.id;
  }
}

}  // namespace
}  // namespace plumbline::conformance
