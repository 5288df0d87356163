#include <string>

#include "conformance/broken/deviation.h"
#include "conformance/broken/message_edits.h"
#include "conformance/catalogue/meta_keys.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kProof = "test_input_required_result_tampered_state";

bool asks(const Json& message) {
  const Json* const result = find(message, "result");
  return result != nullptr && string_or(*result, "resultType", "") == "input_required";
}

const Json* responses_in(const Json& message) {
  return at_pointer(message, "/params/inputResponses");
}

// responded returns the inputResponses of the request that `message` answers; null for none.
Json responded(Interceptor& interceptor, const Json& message) {
  const Json asked = interceptor.asked(message);
  const Json* const responses = responses_in(asked);
  return responses == nullptr ? Json() : *responses;
}

std::string tool_of(const Json& request) {
  const Json* const params = find(request, "params");
  return params == nullptr ? "" : string_or(*params, "name", "");
}

// keep_state remembers the last state of each tool in the memory of `interceptor`.
void keep_state(Interceptor& interceptor, const Json& message) {
  const Json* const state = at_pointer(message, "/result/requestState");
  const std::string tool = tool_of(interceptor.asked(message));
  if (state != nullptr && !tool.empty()) interceptor.memory[tool] = *state;
}

const Deviation kMrtrDeviations[] = {
    {.id = "mrtr.input-via-input-required-result",
     .revision = "2026-07-28",
     .what = "asks by a request of its own as well",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (asks(message)) {
             Json request = Json::object();
             request["jsonrpc"] = "2.0";
             request["id"] = "bent";
             request["method"] = "roots/list";
             interceptor.say(request);
           }
           interceptor.say(message);
         },
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = edit::read(text);
           const Json* const id = find(message, "id");
           if (id == nullptr || *id != Json("bent")) interceptor.pass_text(std::move(text));
         },
     .also = {"roots.server-checks-capability", "mrtr.no-undeclared-input-requests",
              "jsonrpc.server-sends-no-requests", "base.transport-delivers-patterns"}},
    {.id = "mrtr.unsupported-methods",
     .revision = "2026-07-28",
     .what = "asks before it lists",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const result = edit::result_of(interceptor, message, "prompts/list")) {
             (*result)["resultType"] = "input_required";
             (*result)["requestState"] = "first";
           }
           interceptor.say(message);
         },
     .also = {"caching.no-hints-on-input-required"}},
    {.id = "mrtr.input-request-keys-unique",
     .revision = "2026-07-28",
     .what = "asks twice under one key",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           std::string text = dump_json(message);
           const std::string before = "\"inputRequests\":{";
           const std::size_t at = text.find(before);
           if (asks(message) && at != std::string::npos) {
             const std::size_t begin = at + before.size();
             const std::string key = text.substr(begin, text.find(':', begin) - begin);
             text.insert(begin, key + ":{\"method\":\"roots/list\",\"params\":{}},");
           }
           interceptor.say_text(text);
         }},
    {.id = "mrtr.input-request-types",
     .revision = "2026-07-28",
     .what = "asks for what nobody knows",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (asks(message)) {
             for (auto& [key, request] : message["result"]["inputRequests"].items()) {
               if (edit::is_method(request, "roots/list")) request["method"] = "roots/read";
             }
           }
           interceptor.say(message);
         }},
    {.id = "mrtr.input-required-has-content",
     .revision = "2026-07-28",
     .what = "asks for nothing",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const bool about =
               edit::is_of(interceptor, message, "test_input_required_result_list_roots");
           if (about && asks(message)) {
             message["result"].erase("inputRequests");
             message["result"].erase("requestState");
           }
           interceptor.say(message);
         }},
    {.id = "mrtr.no-undeclared-input-requests",
     .revision = "2026-07-28",
     .what = "asks every client's model",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           Json message = edit::read(text);
           if (tool_of(message) == "test_sampling" && message["params"].contains("_meta")) {
             message["params"]["_meta"][kMetaCapabilities]["sampling"] = Json::object();
             return interceptor.pass(message);
           }
           interceptor.pass_text(std::move(text));
         },
     .also = {"lifecycle.missing-client-capability-error",
              "lifecycle.no-undeclared-client-capability"}},
    {.id = "mrtr.request-state-untrusted",
     .revision = "2026-07-28",
     .what = "falls silent on a long state",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = edit::read(text);
           const Json* const state = at_pointer(message, "/params/requestState");
           const bool huge = state != nullptr && dump_json(*state).size() > 10'000;
           if (!huge) interceptor.pass_text(std::move(text));
         }},
    {.id = "mrtr.request-state-invalid-rejected",
     .revision = "2026-07-28",
     .what = "takes any state for its own",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           keep_state(interceptor, message);
           interceptor.say(message);
         },
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           Json message = edit::read(text);
           if (tool_of(message) == kProof && message["params"].contains("requestState")) {
             message["params"]["requestState"] = interceptor.memory[kProof];
             return interceptor.pass(message);
           }
           interceptor.pass_text(std::move(text));
         },
     .also = {"mrtr.request-state-bound-to-request"}},
    {.id = "mrtr.request-state-bound-to-request",
     .revision = "2026-07-28",
     .what = "takes the state of one tool for that of another",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           keep_state(interceptor, message);
           interceptor.say(message);
         },
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           Json message = edit::read(text);
           const Json* const state = at_pointer(message, "/params/requestState");
           const std::string tool = tool_of(message);
           if (state == nullptr || !interceptor.memory.contains(tool)) {
             return interceptor.pass_text(std::move(text));
           }
           for (const auto& [other, kept] : interceptor.memory.items()) {
             if (other == tool || kept != *state) continue;
             message["params"]["requestState"] = interceptor.memory[tool];
             return interceptor.pass(message);
           }
           interceptor.pass_text(std::move(text));
         }},
    {.id = "mrtr.request-state-bound-to-request",
     .revision = "2026-07-28",
     .what = "goes by the arguments of the first call, whatever the retry has",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const state = at_pointer(message, "/result/requestState");
           const Json request = interceptor.asked(message);
           const Json* const given = at_pointer(request, "/params/arguments");
           if (state != nullptr && given != nullptr) interceptor.memory[dump_json(*state)] = *given;
           interceptor.say(message);
         },
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           Json message = edit::read(text);
           const Json* const state = at_pointer(message, "/params/requestState");
           const std::string key = state == nullptr ? "" : dump_json(*state);
           if (!interceptor.memory.contains(key)) return interceptor.pass_text(std::move(text));
           message["params"]["arguments"] = interceptor.memory[key];
           interceptor.pass(message);
         }},
    {.id = "mrtr.no-fulfilment-assumed",
     .revision = "2026-07-28",
     .what = "refuses to ask again and again",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const bool retried = !responded(interceptor, message).is_null();
           if (asks(message) && !retried && edit::is_of(interceptor, message, "test_sampling") &&
               ++interceptor.count > 10) {
             interceptor.count = 0;
             edit::refuse_instead(message, -32603);
           }
           interceptor.say(message);
         }},
    {.id = "mrtr.input-responses-validated",
     .revision = "2026-07-28",
     .what = "takes a list for answers",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (responded(interceptor, message).is_array()) {
             edit::answer_instead(message, edit::text_result("fine"));
           }
           interceptor.say(message);
         }},
    {.id = "mrtr.protocol-errors-as-jsonrpc",
     .revision = "2026-07-28",
     .what = "takes malformed answers for a tool that fails",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (responded(interceptor, message).is_string()) {
             edit::answer_instead(message, edit::text_result("no answers"));
             message["result"]["isError"] = true;
           }
           interceptor.say(message);
         }},
    {.id = "mrtr.unknown-input-responses-ignored",
     .revision = "2026-07-28",
     .what = "refuses one answer too many",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (responded(interceptor, message).contains("plumbline_unasked")) {
             edit::refuse_instead(message, -32602);
           }
           interceptor.say(message);
         }},
    {.id = "mrtr.missing-inputs-rerequested",
     .revision = "2026-07-28",
     .what = "gives up when an answer is missing",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (responded(interceptor, message) == Json::object() && asks(message)) {
             edit::refuse_instead(message, -32602);
           }
           interceptor.say(message);
         }},
};

}  // namespace

Deviations mrtr_deviations() { return kMrtrDeviations; }

}  // namespace plumbline::conformance
