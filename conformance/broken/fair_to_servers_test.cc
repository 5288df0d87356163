// No server is blamed for what is not its fault: it is slow, it has died, it reads differently what
// can be read so, or it was not there for what it was asked for.

#include <algorithm>
#include <chrono>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "conformance/broken/deviant_world.h"
#include "conformance/broken/message_edits.h"
#include "conformance/broken/replies.h"
#include "conformance/catalogue/requirement.h"

namespace plumbline::conformance {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

Judgement judged_by(DeviantWorld& world, std::string_view revision, int concurrency = 32) {
  JudgeOptions options;
  options.revision = std::string(revision);
  options.concurrency = concurrency;
  return world.judge(std::move(options));
}

const CheckResult* told_about(const Judgement& judgement, std::string_view id) {
  const auto found = std::ranges::find(judgement.results, id, &CheckResult::id);
  return found == judgement.results.end() ? nullptr : &*found;
}

bool blames(const CheckResult& row) {
  return row.verdict == Verdict::kFail || row.verdict == Verdict::kWarn;
}

int count_of(const Judgement& judgement, Verdict verdict) {
  return static_cast<int>(std::ranges::count(judgement.results, verdict, &CheckResult::verdict));
}

class VerySlowServer : public testing::TestWithParam<std::tuple<Transport, std::string_view>> {};

// It takes longer for each answer than a dead one is waited for.
TEST_P(VerySlowServer, IsWaitedForAndPasses) {
  const auto [transport, revision] = GetParam();
  DeviantWorld world(transport, nullptr, milliseconds(1'500));  // One way.
  const Judgement judgement = judged_by(world, revision);
  EXPECT_EQ(judgement.unreachable.message, "");
  for (const CheckResult& row : judgement.results) {
    EXPECT_FALSE(blames(row)) << row.id << ": " << row.message;
  }
  EXPECT_GT(count_of(judgement, Verdict::kPass), 40);
  EXPECT_LE(count_of(judgement, Verdict::kInconclusive), 3);
  EXPECT_LT(world.took(), minutes(10));
}

INSTANTIATE_TEST_SUITE_P(BothEras, VerySlowServer,
                         testing::Combine(testing::Values(Transport::kStdio, Transport::kHttp),
                                          testing::Values(kNewestStateful, kNewestStateless)));

// Each POST takes 300 ms of one of two processors, as where a process is started for each.
const Deviation kBusy = {.id = "busy",
                         .revision = kNewestStateful,
                         .transport = Transport::kHttp,
                         .what = "starts a process for each request",
                         .work = milliseconds(300)};

TEST(BusyServer, IsAskedOnlyAsMuchAsItBears) {
  DeviantWorld world(Transport::kHttp, &kBusy);
  const Judgement judgement = judged_by(world, kNewestStateful);
  for (const CheckResult& row : judgement.results) {
    EXPECT_FALSE(blames(row)) << row.id << ": " << row.message;
    EXPECT_NE(row.verdict, Verdict::kInconclusive) << row.id << ": " << row.message;
  }
}

// One tool takes nearly as long as it may.
const Deviation kLaborious = {
    .id = "laborious",
    .revision = kNewestStateful,
    .what = "takes 8 s for each greeting",
    .from_server =
        [](Interceptor& interceptor, Json message) {
          const Json asked = interceptor.asked(message);
          if (value_at(asked, "/params/name") != Json("greet")) return interceptor.say(message);
          interceptor.say_later(seconds(8), std::move(message));
        },
};

TEST(LaboriousServer, IsGivenTheTimeThatItsToolsTake) {
  DeviantWorld world(Transport::kStdio, &kLaborious);
  const Judgement judgement = judged_by(world, kNewestStateful);
  for (const CheckResult& row : judgement.results) {
    // It answers what was cancelled as well.
    const bool told = row.id == "cancellation.no-response-after";
    EXPECT_TRUE(told || !blames(row)) << row.id << ": " << row.message;
    EXPECT_EQ(row.message.find("took too long"), std::string::npos) << row.message;
  }
}

bool is_cut_off(const std::string& text) { return read(text).is_null() && !text.empty(); }

void die_of_what_is_no_json(Interceptor& interceptor, std::string text) {
  if (is_cut_off(text)) return interceptor.die();
  interceptor.pass_text(std::move(text));
}

const Deviation kMortal = {.id = "mortal",
                           .revision = kNewestStateful,
                           .transport = Transport::kHttp,
                           .what = "ends when it gets what is no JSON",
                           .from_client = die_of_what_is_no_json};

TEST(DyingServer, IsToldGoneWithWhatItWasSentLastAndBlamedForNothing) {
  DeviantWorld world(Transport::kHttp, &kMortal);
  const Judgement judgement = judged_by(world, kNewestStateful, 1);
  EXPECT_NE(judgement.gone.find("ms into the run"), std::string::npos) << judgement.gone;
  EXPECT_NE(judgement.gone.find("POST {\"jsonrpc\":\"2.0\""), std::string::npos) << judgement.gone;
  for (const CheckResult& row : judgement.results) {
    EXPECT_FALSE(blames(row)) << row.id << ": " << row.message;
  }
  const CheckResult* const row = told_about(judgement, "ping.empty-result");
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->message, judgement.gone);
  EXPECT_LT(world.took(), seconds(30));
}

const Deviation kRisen = {.id = "risen",
                          .revision = kNewestStateful,
                          .transport = Transport::kHttp,
                          .what = "ends when it gets what is no JSON, and can be started again",
                          .from_client = die_of_what_is_no_json,
                          .starts_again = true};

TEST(DyingServer, IsJudgedToTheEndWhereItCanBeStartedAgain) {
  DeviantWorld world(Transport::kHttp, &kRisen);
  const Judgement judgement = judged_by(world, kNewestStateful);
  EXPECT_EQ(judgement.gone, "");
  for (const CheckResult& row : judgement.results) {
    // Of these each sends something that is cut off, or nested too deeply to be read.
    const bool deadly = row.id == "jsonrpc.parse-error-code" ||
                        row.id == "jsonrpc.error-without-id-when-unreadable" ||
                        row.id == "http.notification-rejected-error-status" ||
                        row.id == "security.deep-input-survived";
    EXPECT_TRUE(deadly || !blames(row)) << row.id << ": " << row.message;
  }
  const CheckResult* const cause = told_about(judgement, "jsonrpc.parse-error-code");
  ASSERT_NE(cause, nullptr);
  EXPECT_EQ(cause->verdict, Verdict::kFail) << cause->message;
  EXPECT_NE(cause->message.find("was started again"), std::string::npos) << cause->message;
  const CheckResult* const ping = told_about(judgement, "ping.empty-result");
  ASSERT_NE(ping, nullptr);
  EXPECT_EQ(ping->verdict, Verdict::kPass) << ping->message;
}

// Knows sessions alone: what has the version in _meta it takes for a request before initialize.
void refuse_stateless(Interceptor& interceptor, std::string text) {
  const Json message = read(text);
  if (value_at(message, "/params/_meta/io.modelcontextprotocol~1protocolVersion").is_null()) {
    return interceptor.pass_text(std::move(text));
  }
  refuse(interceptor, id_of(message), -32601);
}

const Deviation kOldOnly = {.id = "old",
                            .revision = kNewestStateless,
                            .what = "knows sessions alone",
                            .from_client = refuse_stateless};

TEST(UnansweredRevision, IsOneLine) {
  DeviantWorld world(Transport::kStdio, &kOldOnly);
  const Judgement judgement = judged_by(world, kNewestStateless);
  EXPECT_TRUE(judgement.results.empty());
  const std::string refusal = "does not answer to revision " + std::string(kNewestStateless);
  EXPECT_NE(judgement.unreachable.message.find(refusal), std::string::npos)
      << judgement.unreachable.message;
}

TEST(UnansweredRevision, LeavesOthersOfASpan) {
  DeviantWorld world(Transport::kStdio, &kOldOnly);
  const Judgement judgement = judged_by(world, "2025-06-18..");
  EXPECT_EQ(judgement.revisions, (std::vector<std::string>{"2025-06-18", "2025-11-25"}));
}

struct Arguable {
  Deviation server;            // Not wrong, but not what the reference server does either.
  Verdict expected;            // On the rule `server.id`.
  std::string_view says = {};  // In its message.
};

bool lacks_version(const Json& message) {
  return method_of(message) == "server/discover" &&
         value_at(message, "/params/_meta/io.modelcontextprotocol~1protocolVersion").is_null();
}

constexpr const char* kText = "test://static-text";
constexpr const char* kTool = "test_simple_text";
const Arguable kArguable[] = {
    {{.id = "lifecycle.missing-meta-rejected",
      .revision = kNewestStateless,
      .what = "takes a request without a version for one of the older revisions",
      .from_client =
          [](Interceptor& interceptor, std::string text) {
            const Json message = read(text);
            if (!lacks_version(message)) return interceptor.pass_text(std::move(text));
            refuse(interceptor, id_of(message), -32601);
          }},
     Verdict::kPass},
    {{.id = "lifecycle.missing-meta-rejected",
      .revision = kNewestStateless,
      .transport = Transport::kHttp,
      .what = "says that the header names a version and the body none",
      .from_client =
          [](Interceptor& interceptor, std::string text) {
            const Json message = read(text);
            if (!lacks_version(message)) return interceptor.pass_text(std::move(text));
            refuse(interceptor, id_of(message), -32020);
          }},
     Verdict::kPass},
    {{.id = "http.missing-version-header-rejected",
      .revision = kNewestStateless,
      .transport = Transport::kHttp,
      .what = "does without the header, names no revision without it, and agrees to one",
      .from_server =
          [](Interceptor& interceptor, Json message) {
            if (Json* const result = edit::result_of(interceptor, message, "server/discover")) {
              (*result)["supportedVersions"] = Json::array({kNewestStateless});
            }
            interceptor.say(message);
          },
      .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
        const bool stateless = request.body.find(kNewestStateless) != std::string::npos;
        if (stateless && request.headers.count("MCP-Protocol-Version") == 0) {
          request.headers.set("MCP-Protocol-Version", std::string(kNewestStateless));
        }
        return std::nullopt;
      }},
     Verdict::kWarn,
     "arguable"},
    {{.id = "http.origin-validated",
      .revision = kNewestStateful,
      .transport = Transport::kHttp,
      .what = "looks at the Host instead of the Origin",
      .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
        request.headers.erase("Origin");
        const std::string host(request.headers.get("Host").value_or(""));
        if (host.find("example") == std::string::npos) return std::nullopt;
        return wire::HttpResponse{403, {}, ""};
      }},
     Verdict::kWarn,
     "arguable"},
    {{.id = "jsonrpc.parse-error-code",
      .revision = kNewestStateful,
      .transport = Transport::kHttp,
      .what = "answers what is no JSON with status 500 and a page",
      .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
        if (!is_cut_off(request.body)) return std::nullopt;
        return wire::HttpResponse{500, {{"Content-Type", "text/html"}}, "<h1>Oops</h1>"};
      }},
     Verdict::kWarn,
     "4xx"},
    {{.id = "jsonrpc.parse-error-code",
      .revision = kNewestStateful,
      .transport = Transport::kHttp,
      .what = "never answers what is no JSON, and lives on",
      .from_client =
          [](Interceptor& interceptor, std::string text) {
            if (!is_cut_off(text)) interceptor.pass_text(std::move(text));
          }},
     Verdict::kFail,
     "the server answers other requests"},
    {{.id = "jsonrpc.invalid-params-code",
      .revision = kNewestStateful,
      .what = "refuses a call without params as its tools refuse",
      .from_client =
          [](Interceptor& interceptor, std::string text) {
            Json message = read(text);
            if (method_of(message) != "tools/call" || message.contains("params")) {
              return interceptor.pass_text(std::move(text));
            }
            message["result"] = edit::text_result("cannot call without params");
            message["result"]["isError"] = true;
            message.erase("method");
            interceptor.say(message);
          }},
     Verdict::kWarn,
     "arguable"},
    {{.id = "completion.capability-declared",
      .revision = kNewestStateful,
      .what = "answers completions that it does not declare with nothing",
      .from_server =
          [](Interceptor& interceptor, Json message) {
            edit::undeclare(interceptor, message, "completions");
            if (Json* const result = edit::result_of(interceptor, message, "completion/complete")) {
              *result = Json::object();
            }
            interceptor.say(message);
          }},
     Verdict::kWarn,
     "arguable"},
    {{.id = "tools.inputs-validated",
      .revision = kNewestStateful,
      .what = "cannot reach the network",
      .from_server =
          [](Interceptor& interceptor, Json message) {
            if (interceptor.method_asked(message) == "tools/call") {
              edit::answer_instead(message, edit::text_result("getaddrinfo EAI_AGAIN api.example"));
              message["result"]["isError"] = true;
            }
            interceptor.say(message);
          }},
     Verdict::kSkip,
     "EAI_AGAIN"},
    {{.id = "tools.inputs-validated",
      .revision = kNewestStateful,
      .what = "wants a key for everything",
      .from_server =
          [](Interceptor& interceptor, Json message) {
            if (interceptor.method_asked(message) == "tools/call") {
              edit::answer_instead(message, edit::text_result("set API_KEY first"));
              message["result"]["isError"] = true;
            }
            interceptor.say(message);
          }},
     Verdict::kSkip,
     "API_KEY"},
    {{.id = "jsonrpc.error-message-concise",
      .revision = kNewestStateful,
      .what = "repeats in its errors what it was asked for",
      .from_server =
          [](Interceptor& interceptor, Json message) {
            if (edit::code_of(message) != 0) {
              const Json params = edit::params_asked(interceptor, message);
              message["error"]["message"] = "not known: " + string_or(params, "name", "") +
                                            string_or(params, "uri", "") +
                                            string_or(params, "cursor", "");
            }
            interceptor.say(message);
          }},
     Verdict::kPass},
    {{.id = "pagination.invalid-cursor-error",
      .revision = kNewestStateful,
      .what = "has no pages, and looks at no cursor",
      .from_server =
          [](Interceptor& interceptor, Json message) {
            if (Json* const result = edit::result_of(interceptor, message, "tools/list")) {
              result->erase("nextCursor");
            }
            for (const char* const method :
                 {"resources/list", "resources/templates/list", "prompts/list"}) {
              if (Json* const result = edit::result_of(interceptor, message, method)) {
                result->erase("nextCursor");
              }
            }
            interceptor.say(message);
          },
      .from_client =
          [](Interceptor& interceptor, std::string text) {
            Json message = read(text);
            if (value_at(message, "/params/cursor").is_null()) return interceptor.pass_text(text);
            message["params"].erase("cursor");
            interceptor.pass(message);
          }},
     Verdict::kSkip},
    {{.id = "http.change-told-on-one-stream",
      .revision = kNewestStateful,
      .transport = Transport::kHttp,
      .what = "tells the newest of its GET streams of a change",
      .from_server =
          [](Interceptor& interceptor, Json message) {
            if (!method_of(message).ends_with("/list_changed")) return interceptor.say(message);
            interceptor.say_on_stream(message);
          },
      .joins_gets = true},
     Verdict::kPass},
    {{.id = "resources.size-in-bytes",
      .revision = kNewestStateful,
      .what = "has a text in an encoding of a byte for each character",
      .from_server =
          [](Interceptor& interceptor, Json message) {
            Json* const list = edit::result_of(interceptor, message, "resources/list");
            if (Json* const item = edit::in_list(list, "resources", kText)) (*item)["size"] = 21;
            if (Json* const result = edit::result_about(interceptor, message, kText))
              (*result)["contents"][0]["text"] = "“Où est l’été ?” – là";
            interceptor.say(message);
          }},
     Verdict::kPass},
    {{.id = "tools.repeats-as-declared",
      .revision = kNewestStateful,
      .what = "gives each call an id of its own, and does nothing more",
      .from_server =
          [](Interceptor& interceptor, Json message) {
            Json* const list = edit::result_of(interceptor, message, "tools/list");
            if (Json* const tool = edit::in_list(list, "tools", kTool)) {
              (*tool)["annotations"] = {{"idempotentHint", true}};
            }
            const std::string told = R"({"id": )" + std::to_string(++interceptor.count) + "}";
            if (edit::result_about(interceptor, message, kTool) != nullptr)
              edit::answer_instead(message, edit::text_result(told));
            interceptor.say(message);
          }},
     Verdict::kPass},
};

void PrintTo(const Arguable& arguable, std::ostream* out) { *out << arguable.server.what; }

class ArguableServer : public testing::TestWithParam<Arguable> {};

TEST_P(ArguableServer, IsNotBlamedForIt) {
  const Arguable& arguable = GetParam();
  DeviantWorld world(arguable.server.transport, &arguable.server);
  const Judgement judgement = judged_by(world, arguable.server.revision);
  const CheckResult* const row = told_about(judgement, arguable.server.id);
  ASSERT_NE(row, nullptr) << judgement.unreachable.message;
  EXPECT_EQ(row->verdict, arguable.expected)
      << arguable.server.what << ": " << name_of(row->verdict) << ": " << row->message;
  EXPECT_NE(row->message.find(arguable.says), std::string::npos) << row->message;
}

INSTANTIATE_TEST_SUITE_P(All, ArguableServer, testing::ValuesIn(kArguable));

}  // namespace
}  // namespace plumbline::conformance
