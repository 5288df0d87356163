#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

namespace {

bool is_error(const Json& message, std::int64_t code) {
  const Json* const wrong = find(message, "error");
  return wrong != nullptr && int_or(*wrong, "code", 0) == code;
}

const Deviation kJsonrpcDeviations[] = {
    {"jsonrpc.method-not-found-code", "2025-11-25", Transport::kStdio,
     "answers an unknown method with an empty result",
     [](Hands& hands, Json message) {
       if (is_error(message, -32601) && hands.method_asked(message) == "plumbline/no-such-method") {
         message.erase("error");
         message["result"] = Json::object();
       }
       hands.say(message);
     }},
    {"jsonrpc.parse-error-code", "2025-11-25", Transport::kStdio, "ignores what is no JSON",
     [](Hands& hands, Json message) {
       if (!is_error(message, -32700)) hands.say(message);
     }},
    {"jsonrpc.invalid-request-code", "2025-11-25", Transport::kStdio,
     "calls an invalid request an internal error",
     [](Hands& hands, Json message) {
       if (is_error(message, -32600)) message["error"]["code"] = -32603;
       hands.say(message);
     }},
    {"jsonrpc.response-id-matches", "2025-11-25", Transport::kStdio,
     "answers ids that are strings with other ones",
     [](Hands& hands, Json message) {
       if (const auto id = find_string(message, "id")) message["id"] = *id + "x";
       hands.say(message);
     }},
    {"jsonrpc.notification-no-response", "2025-11-25", Transport::kStdio,
     "answers unknown notifications with an error", nullptr,
     [](Hands& hands, std::string text) {
       const Result<Json> message = parse_json(text);
       if (message.ok() && string_or(message.value(), "method", "").ends_with("-unknown")) {
         Json error(Json::value_t::object);
         error["jsonrpc"] = "2.0";
         error["id"] = nullptr;
         error["error"]["code"] = -32601;
         error["error"]["message"] = "Method not found";
         hands.say(error);
       }
       hands.pass_text(std::move(text));
     }},
    {"jsonrpc.version-is-2.0", "2025-11-25", Transport::kStdio, "says version 1.0 in its errors",
     [](Hands& hands, Json message) {
       if (find(message, "error")) message["jsonrpc"] = "1.0";
       hands.say(message);
     }},
};

}  // namespace

Deviations jsonrpc_deviations() { return kJsonrpcDeviations; }

}  // namespace plumbline::conformance
