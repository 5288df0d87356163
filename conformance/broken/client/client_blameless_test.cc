// No correct client is blamed: what others read differently, or need not know, is a warning or
// nothing at all.

#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "conformance/broken/client/client_edits.h"
#include "conformance/broken/client/client_program.h"
#include "conformance/broken/client/client_world.h"
#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {
namespace {

struct Blameless {
  ClientDeviation client;  // Not wrong, but not what the reference client does either.
  Verdict expected;        // On the rule `client.id`.
};

const Blameless kBlameless[] = {
    {{.id = "http.param-header-included-when-value",
      .revision = "2026-07-28",
      .transport = Transport::kHttp,
      .what = "puts an empty text into base64",
      .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
        if (request.headers.count("Mcp-Param-Empty")) {
          request.headers.set("Mcp-Param-Empty",
                              "=?base64?"
                              "?=");
        }
        return std::nullopt;
      }},
     Verdict::kPass},
    {{.id = "http.param-header-support",
      .revision = "2026-07-28",
      .transport = Transport::kHttp,
      .what = "puts everything into base64",
      .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
        if (request.headers.count("Mcp-Param-Region")) {
          request.headers.set("Mcp-Param-Region", "=?base64?dXMtd2VzdDE=?=");
        }
        return std::nullopt;
      }},
     Verdict::kPass},
    // The schema speaks of servers of earlier revisions: one of this revision may be refused.
    {{.id = "base.result-type-absent-is-complete",
      .revision = "2026-07-28",
      .what = "wants a type of results",
      .from_server =
          [](Interceptor& interceptor, Json message) {
            if (answers_with(message, "tools") && !answers_with(message, "resultType")) {
              message["result"]["tools"] = Json::array();
            }
            interceptor.say(message);
          }},
     Verdict::kWarn},
    {{.id = "tasks.tool-required-augmented",
      .revision = "2025-11-25",
      .what = "knows no tasks",
      .from_client =
          [](Interceptor& interceptor, Json message) {
            if (is_call(message)) message["params"].erase("task");
            interceptor.pass(message);
          },
      .from_server =
          [](Interceptor& interceptor, Json message) {
            if (answers_with(message, "task")) message["result"] = edit::text_result("done");
            interceptor.say(message);
          }},
     Verdict::kWarn},
};

// open_twice opens a session without capabilities first, and only then the one that it uses.
void open_twice(Interceptor& interceptor, Json message) {
  if (!method_is(message, "initialize")) return interceptor.pass(message);
  interceptor.memory = message;
  Json probe = message;
  probe["id"] = "probe";
  probe["params"]["capabilities"] = Json::object();
  interceptor.pass(probe);
}

void after_the_first(Interceptor& interceptor, Json message) {
  const Json* const id = find(message, "id");
  if (id == nullptr || *id != "probe") return interceptor.say(message);
  interceptor.pass(interceptor.memory);
}

void cancel_questions(Interceptor& interceptor, Json message) {
  if (method_is(message, "initialize")) {
    message["params"]["capabilities"].erase("elicitation");
  } else if (message.contains("result") && message["id"] == interceptor.memory) {
    message["result"] = Json{{"action", "cancel"}};
  }
  interceptor.pass(message);
}

const Blameless kSeenInTheField[] = {
    {{.id = "sampling.capability-declared",
      .revision = "2025-11-25",
      .what = "tries a first session, with nothing declared",
      .from_client = open_twice,
      .from_server = after_the_first},
     Verdict::kPass},
    {{.id = "http.get-accept-event-stream",
      .revision = "2025-11-25",
      .transport = Transport::kHttp,
      .what = "asks for a document of another path",
      .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
        if (request.method == "GET" && request.headers.count("Last-Event-ID") == 0) {
          request.target = "/.well-known/oauth-authorization-server/mcp";
          request.headers.set("Accept", "application/json");
        }
        return std::nullopt;
      }},
     Verdict::kPass},
    {{.id = "http.protocol-version-header",
      .revision = "2025-11-25",
      .transport = Transport::kHttp,
      .what = "tries HTTP+SSE when it does not know the version of the answer",
      .from_server =
          [](Interceptor& interceptor, Json message) {
            const Json* const version = at_pointer(message, "/result/protocolVersion");
            if (version != nullptr && *version == "1999-12-31") interceptor.memory = kItsServer;
            interceptor.say(message);
          }},
     Verdict::kPass},
    {{.id = "cancellation.cancel-on-timeout",
      .revision = "2025-11-25",
      .what = "takes its time to cancel, and ends when it has what it wants",
      .from_client =
          [](Interceptor& interceptor, Json message) {
            if (is_cancel(message)) {
              interceptor.memory = message;
            } else {
              interceptor.pass(message);
            }
          },
      .cancels_late = true},
     Verdict::kPass},
    {{.id = "sampling.capability-declared",
      .revision = "2025-11-25",
      .what = "declares sampling and does not know its method",
      .from_client =
          [](Interceptor& interceptor, Json message) {
            const Json* const id = find(message, "id");
            if (id != nullptr && !method_is(message, "tools/call") && *id == interceptor.memory &&
                find(message, "method") == nullptr) {
              message.erase("result");
              message["error"] = error_object(-32601);
            }
            interceptor.pass(message);
          },
      .from_server =
          [](Interceptor& interceptor, Json message) {
            if (method_is(message, "sampling/createMessage")) interceptor.memory = message["id"];
            interceptor.say(message);
          }},
     Verdict::kWarn},
    {{.id = "elicitation.capability-declared",
      .revision = "2025-11-25",
      .what = "does not declare elicitation, and cancels what it is asked",
      .from_client = cancel_questions,
      .from_server =
          [](Interceptor& interceptor, Json message) {
            if (method_is(message, "elicitation/create")) interceptor.memory = message["id"];
            interceptor.say(message);
          }},
     Verdict::kWarn},
    {{.id = "cancellation.stdio-cancelled-notification",
      .revision = "2026-07-28",
      .what = "gives a call up without a word",
      .from_client =
          [](Interceptor& interceptor, Json message) {
            if (!is_cancel(message)) interceptor.pass(message);
          }},
     Verdict::kWarn},
};

void PrintTo(const Blameless& blameless, std::ostream* out) { *out << blameless.client.what; }

class BlamelessClient : public testing::TestWithParam<Blameless> {};

TEST_P(BlamelessClient, FailsNothing) {
  const ClientDeviation& client = GetParam().client;
  ClientWorld world(client.transport, &client);
  ClientJudgeOptions options;
  options.revision = std::string(client.revision);
  options.selection.skip = {"hostile.huge-message", "hostile.deep-json", "hostile.flood",
                            "hostile.endless-pages"};
  const Judgement judgement = world.judge(std::move(options));
  bool seen = false;
  for (const CheckResult& row : judgement.results) {
    EXPECT_NE(name_of(row.verdict), "fail") << client.what << "\n" << row.id << ": " << row.message;
    if (row.id != client.id) continue;
    seen = true;
    EXPECT_EQ(name_of(row.verdict), name_of(GetParam().expected)) << row.message;
  }
  EXPECT_TRUE(seen);
}

std::string number_of(const testing::TestParamInfo<Blameless>& info) {
  return "Number" + std::to_string(info.index);
}

INSTANTIATE_TEST_SUITE_P(Field, BlamelessClient, testing::ValuesIn(kSeenInTheField), number_of);
INSTANTIATE_TEST_SUITE_P(All, BlamelessClient, testing::ValuesIn(kBlameless), number_of);

}  // namespace
}  // namespace plumbline::conformance
