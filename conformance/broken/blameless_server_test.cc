// No correct server is blamed: those of the field that once were, each for the rule that blamed it.

#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "conformance/broken/message_edits.h"
#include "conformance/broken/right_subject_fixture.h"

namespace plumbline::conformance {
namespace {

constexpr const char* kVersionOfRequest = "/params/_meta/io.modelcontextprotocol~1protocolVersion";

// Refused for its params first, then for what is not declared: the order is the server's.
void looks_at_params_first(Interceptor& interceptor, Json message) {
  if (!edit::is_method(message, "completion/complete")) return interceptor.pass(message);
  const bool whole = message["params"].contains("ref") && message["params"].contains("argument");
  Json refusal(Json::value_t::object);
  refusal["jsonrpc"] = "2.0";
  refusal["id"] = message["id"];
  edit::refuse_instead(refusal, whole ? -32601 : -32602);
  interceptor.say(refusal);
}

bool names_no_version(const Json& message) {
  return edit::is_method(message, "tools/list") &&
         at_pointer(message, kVersionOfRequest) == nullptr;
}

// Our own server refuses such a request, and so is told a version.
void name_the_version(Interceptor& interceptor, std::string text) {
  Json message = edit::read(text);
  if (!names_no_version(message)) return interceptor.pass_text(std::move(text));
  Json& meta = message["params"]["_meta"];
  meta["io.modelcontextprotocol/protocolVersion"] = "2026-07-28";
  meta["io.modelcontextprotocol/clientCapabilities"] = Json::object();
  interceptor.pass(message);
}

void forget_result_type(Interceptor& interceptor, Json message) {
  if (names_no_version(interceptor.asked(message))) message["result"].erase("resultType");
  interceptor.say(message);
}

// asks_by_url makes a question by URL of each form.
void asks_by_url(Interceptor& interceptor, Json message) {
  if (edit::is_method(message, "elicitation/create")) {
    message["params"] = Json::object();
    message["params"]["mode"] = "url";
    message["params"]["message"] = "Please sign in";
    message["params"]["elicitationId"] = "sign-in-" + std::to_string(++interceptor.count);
    message["params"]["url"] = "https://example.com/sign-in";
  }
  interceptor.say(message);
}

// goes_on_once refuses a state that it has seen.
void goes_on_once(Interceptor& interceptor, Json message) {
  const Json* const state = at_pointer(message, "/params/requestState");
  if (state == nullptr || interceptor.memory != *state) {
    if (state != nullptr) interceptor.memory = *state;
    return interceptor.pass(message);
  }
  Json refusal(Json::value_t::object);
  refusal["jsonrpc"] = "2.0";
  refusal["id"] = message["id"];
  edit::refuse_instead(refusal, -32602);
  interceptor.say(refusal);
}

// lists_in_pages cuts the list of tasks after five, and says that there are more.
void lists_in_pages(Interceptor& interceptor, Json message) {
  Json* const list = edit::result_of(interceptor, message, "tasks/list");
  if (list != nullptr && (*list)["tasks"].size() > 5) (*list)["nextCursor"] = "more";
  interceptor.say(message);
}

const RightSubject kFieldServers[] = {
    {{.id = "elicitation.sensitive-via-url",
      .revision = "2025-11-25",
      .what = "asks for a secret by URL",
      .from_server = asks_by_url,
      .hints = R"({"tools": {"test_elicitation": {"shows": ["secret"]}}})"},
     Verdict::kPass},
    {{.id = "mrtr.request-state-single-use",
      .revision = "2026-07-28",
      .what = "goes on with each state once",
      .from_client_message = goes_on_once,
      .hints = R"({"tools": {"test_input_required_result_request_state": {"shows": ["once"]}}})"},
     Verdict::kPass},
    {{.id = "tasks.list-next-cursor",
      .revision = "2025-11-25",
      .what = "lists its tasks in pages",
      .from_server = lists_in_pages,
      .hints = R"({"tools": {"slow_compute": {"call": true}}})"},
     Verdict::kPass},
    {{.id = "lifecycle.unadvertised-method-not-found",
      .revision = "2026-07-28",
      .what = "looks at params before it looks at what it declares",
      .from_server =
          [](Interceptor& interceptor, Json message) {
            edit::undeclare(interceptor, message, "completions");
            interceptor.say(message);
          },
      .from_client_message = looks_at_params_first},
     Verdict::kPass},
    // That versions are refused otherwise than by -32022 is told by another rule.
    {{.id = "discover.supported-versions-truthful",
      .revision = "2026-07-28",
      .what = "takes an unknown version for one of the older era",
      .from_server =
          [](Interceptor& interceptor, Json message) {
            const Json asked = interceptor.asked(message);
            const Json* const version = at_pointer(asked, kVersionOfRequest);
            if (version != nullptr && *version == "1900-01-01") {
              edit::refuse_instead(message, -32601);
            }
            interceptor.say(message);
          }},
     Verdict::kSkip},
    {{.id = "jsonrpc.invalid-request-code",
      .revision = "2025-11-25",
      .transport = Transport::kHttp,
      .what = "takes what has an id and no method for a response",
      .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
        const Json message = edit::read(request.body);
        const bool response = message.is_object() && message.contains("id");
        if (!response || message.contains("method")) return std::nullopt;
        return wire::HttpResponse{.status = 202, .headers = {}, .body = ""};
      }},
     Verdict::kPass},
    // That an unknown method is answered without a message is told by
    // jsonrpc.method-not-found-code.
    {{.id = "jsonrpc.response-id-matches",
      .revision = "2025-11-25",
      .transport = Transport::kHttp,
      .what = "has a page of text for a method that it does not know",
      .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
        if (request.body.find("no-such-method") == std::string::npos) return std::nullopt;
        return wire::HttpResponse{400, {{"Content-Type", "text/plain"}}, "not handled"};
      }},
     Verdict::kPass},
    {{.id = "lifecycle.missing-meta-rejected",
      .revision = "2026-07-28",
      .what = "lists its tools by the older rules where no version is named",
      .from_server = forget_result_type,
      .from_client = name_the_version},
     Verdict::kWarn},
    {{.id = "base.result-type-required",
      .revision = "2026-07-28",
      .what = "lists its tools by the older rules where no version is named",
      .from_server = forget_result_type,
      .from_client = name_the_version},
     Verdict::kPass,
     "lifecycle.missing-meta-rejected"},
    {{.id = "versioning.server-counter-offers",
      .revision = "2025-11-25",
      .what = "refuses a version that is no date",
      .from_server =
          [](Interceptor& interceptor, Json message) {
            const Json asked = interceptor.asked(message);
            const Json* const version = at_pointer(asked, "/params/protocolVersion");
            if (version != nullptr && *version == "plumbline") {
              edit::refuse_instead(message, -32602);
            }
            interceptor.say(message);
          }},
     Verdict::kWarn},
};

class BlamelessServer : public testing::TestWithParam<RightSubject> {};

TEST_P(BlamelessServer, IsNotBlamed) { expect_not_blamed(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, BlamelessServer, testing::ValuesIn(kFieldServers),
                         [](const auto& named) { return "Number" + std::to_string(named.index); });

}  // namespace
}  // namespace plumbline::conformance
