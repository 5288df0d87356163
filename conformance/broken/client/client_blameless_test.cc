// No correct client is blamed: what others read differently, or need not know, is a warning or
// nothing at all.

#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "conformance/broken/client/client_edits.h"
#include "conformance/broken/client/client_program.h"
#include "conformance/broken/client/client_world.h"
#include "conformance/broken/client/right_clients.h"
#include "conformance/broken/client/wire_edits.h"
#include "conformance/broken/message_edits.h"
#include "conformance/checks/client/asking/owned_tasks.h"

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
    // Nobody has told it to: @ai-sdk/mcp and @mastra/mcp, driven so, were blamed for what they
    // keep.
    {{.id = "caching.mrtr-retry-not-cached",
      .revision = "2026-07-28",
      .what = "reads every resource once",
      .from_client =
          [](Interceptor& interceptor, Json message) {
            const bool first_of_all = method_is(message, "resources/read") &&
                                      at_pointer(message, "/params/requestState") == nullptr;
            if (!first_of_all) return interceptor.pass(message);
            Json& read = interceptor.memory[string_or(message["params"], "uri", "")];
            if (read.is_null()) {
              read = true;
              return interceptor.pass(message);
            }
            interceptor.say({{"jsonrpc", "2.0"},
                             {"id", message["id"]},
                             {"error", {{"code", -32000}, {"message", "it was read"}}}});
          }},
     Verdict::kSkip},
};

MoreRequests without_registration(WireNotes&, const wire::HttpRequest& request,
                                  wire::HttpResponse& response) {
  if (!asks_metadata(request)) return std::nullopt;
  Json document = json_of_body(response.body);
  if (!document.is_object()) return std::nullopt;
  document.erase("registration_endpoint");
  response.body = dump_json(document);
  return std::nullopt;
}

MoreRequests gives_up_at_once(WireNotes& notes, const wire::HttpRequest& request,
                              wire::HttpResponse& response) {
  if (asks_token(request)) notes.count = 1;
  if (notes.count == 1 && (response.status == 401 || response.status == 403)) {
    response.status = 400;
  }
  return std::nullopt;
}

MoreRequests knows_no_authorization(WireNotes&, const wire::HttpRequest&,
                                    wire::HttpResponse& response) {
  if (response.status == 401) response.status = 403;
  return std::nullopt;
}

void comes_back_elsewhere(wire::HttpRequest& request, const std::string& uri) {
  if (asks_authorization(request) || asks_token(request)) {
    set_parameter(request, "redirect_uri", uri);
  }
}

void has_another_port(WireNotes&, wire::HttpRequest& request) {
  comes_back_elsewhere(request, "http://127.0.0.1:45123/callback");
}

void has_own_scheme(WireNotes&, wire::HttpRequest& request) {
  comes_back_elsewhere(request, "example.client:/callback");
  if (!asks_to_register(request)) return;
  Json body = json_of_body(request.body);
  body["redirect_uris"] = Json::array({"example.client:/callback"});
  request.body = dump_json(body);
}

Blameless behind(std::string_view id, std::string_view what, Verdict expected, WireEdits edits,
                 void (*sign_in)(auth::SignInOptions& options) = nullptr) {
  Blameless client{wrong_way(id, "2026-07-28", what, edits), expected};
  client.client.sign_in = sign_in;
  return client;
}

const Blameless kBehindAuthorization[] = {
    behind("auth.pkce-used", "has an id that was given to it", Verdict::kPass, {},
           [](auth::SignInOptions& options) { options.client.client_id = "by-hand"; }),
    behind("auth.cimd-hosted-https", "registers nowhere, and has a metadata document",
           Verdict::kPass, {nullptr, without_registration}),
    behind("auth.pkce-used", "registers nowhere, and has no id", Verdict::kSkip,
           {nullptr, without_registration},
           [](auth::SignInOptions& options) { options.client.metadata_url.clear(); }),
    behind("auth.bearer-header", "gives up when its token is not enough", Verdict::kPass,
           {nullptr, gives_up_at_once}),
    behind("auth.client-uses-prm", "asks for no token", Verdict::kSkip,
           {nullptr, knows_no_authorization}),
    behind("auth.redirect-uris-registered", "comes back to another port", Verdict::kPass,
           {has_another_port, nullptr}),
    behind("auth.redirect-uri-localhost-or-https", "comes back to a scheme of its own",
           Verdict::kPass, {has_own_scheme, nullptr}),
    behind("auth.scope-selection-order", "asks for a scope that its user has configured",
           Verdict::kWarn, {}, [](auth::SignInOptions& options) { options.scopes = {"user:own"}; }),
    behind("auth.bearer-header", "acts for itself", Verdict::kPass, {},
           [](auth::SignInOptions& options) {
             options.client.client_id = "by-hand";
             options.client.client_secret = "kept-by-hand";
             options.client.issuer = "http://127.0.0.1:49152";
             options.client.person = false;
           }),
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

TEST(RightClients, PassWhatTheReferenceClientHasNothingFor) {
  for (const ClientDeviation& client : right_clients()) {
    ClientWorld world(client.transport, &client);
    ClientJudgeOptions options;
    options.revision = std::string(client.revision);
    options.selection.skip = {"hostile.huge-message", "hostile.deep-json", "hostile.flood",
                              "hostile.endless-pages"};
    const Judgement judgement = world.judge(std::move(options));
    bool passed = false;
    for (const CheckResult& row : judgement.results) {
      EXPECT_NE(name_of(row.verdict), "fail") << client.what << "\n" << row.id << row.message;
      passed = passed || (row.id == client.id && row.verdict == Verdict::kPass);
    }
    EXPECT_TRUE(passed) << client.what;
  }
}

TEST(ClientWithTasks, PassesEveryRuleOfThem) {
  const ClientDeviation keeper = right_task_keeper();
  ClientWorld world(keeper.transport, &keeper);
  ClientJudgeOptions options;
  options.revision = std::string(keeper.revision);
  options.selection.only.assign(std::begin(kOwnedTaskIds), std::end(kOwnedTaskIds));
  const Judgement judgement = world.judge(std::move(options));
  EXPECT_EQ(judgement.results.size(), std::size(kOwnedTaskIds));
  for (const CheckResult& row : judgement.results) {
    const bool declares = row.id == "tasks.undeclared-augmentation-ignored";
    EXPECT_EQ(name_of(row.verdict), declares ? "skip" : "pass") << row.id << ": " << row.message;
  }
}

std::string number_of(const testing::TestParamInfo<Blameless>& info) {
  return "Number" + std::to_string(info.index);
}

INSTANTIATE_TEST_SUITE_P(Field, BlamelessClient, testing::ValuesIn(kSeenInTheField), number_of);
INSTANTIATE_TEST_SUITE_P(BehindAuthorization, BlamelessClient,
                         testing::ValuesIn(kBehindAuthorization), number_of);
INSTANTIATE_TEST_SUITE_P(All, BlamelessClient, testing::ValuesIn(kBlameless), number_of);

}  // namespace
}  // namespace plumbline::conformance
