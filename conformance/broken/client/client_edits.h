// What many deviations of clients do alike.

#pragma once

#include "conformance/broken/client/client_deviation.h"

namespace plumbline::conformance {

inline bool method_is(const Json& message, std::string_view method) {
  return string_or(message, "method", "") == method;
}
inline bool is_call(const Json& message) { return method_is(message, "tools/call"); }
// tool_named_in returns the tool that a call names; empty: it is no call, or names none.
inline std::string tool_named_in(const Json& message) {
  const Json* const params = find(message, "params");
  return is_call(message) && params != nullptr ? string_or(*params, "name", "") : "";
}

inline bool is_cancel(const Json& message) { return method_is(message, "notifications/cancelled"); }
inline bool is_result(const Json& message) { return find(message, "result") != nullptr; }

inline Json error_object(std::int64_t code) {
  Json error(Json::value_t::object);
  error["code"] = code;
  error["message"] = "wrong";
  return error;
}

// knows_no_such_tool answers a call in place of the server, as if it did not have the tool.
inline void knows_no_such_tool(Interceptor& interceptor, const Json& call) {
  Json refusal(Json::value_t::object);
  refusal["jsonrpc"] = "2.0";
  refusal["id"] = call["id"];
  refusal["error"] = error_object(-32602);
  interceptor.say(refusal);
}

inline Json notice_of(const char* method) {
  Json notice(Json::value_t::object);
  notice["jsonrpc"] = "2.0";
  notice["method"] = method;
  return notice;
}

// in_array passes each call on as an array of one.
inline void in_array(Interceptor& interceptor, Json message) {
  if (!is_call(message)) return interceptor.pass(message);
  Json batch = Json::array();
  batch.push_back(std::move(message));
  interceptor.pass(batch);
}

// answer_everything answers each request of the server with an empty result.
inline void answer_everything(Interceptor& interceptor, Json message) {
  if (find(message, "method") != nullptr && find(message, "id") != nullptr) {
    Json answer(Json::value_t::object);
    answer["jsonrpc"] = "2.0";
    answer["id"] = *find(message, "id");
    answer["result"] = Json::object();
    interceptor.pass(answer);
  }
  interceptor.say(message);
}

// results_of says whether `message` answers with a member `member`.
inline bool answers_with(const Json& message, std::string_view member) {
  const Json* const result = find(message, "result");
  return result != nullptr && find(*result, member) != nullptr;
}

}  // namespace plumbline::conformance
