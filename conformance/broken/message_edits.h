// What many deviations do to a message: look at which request it answers, and change it.

#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "conformance/broken/deviation.h"
#include "conformance/catalogue/meta_keys.h"

namespace plumbline::conformance::edit {

// result_of returns the result with which `message` answers a request of `method`; nullptr for
// anything else.
inline Json* result_of(Interceptor& interceptor, Json& message, std::string_view method) {
  const bool answer = message.is_object() && message.contains("result");
  return answer && interceptor.method_asked(message) == method ? &message["result"] : nullptr;
}

// params_asked returns the params of the request that `message` answers.
inline Json params_asked(Interceptor& interceptor, const Json& message) {
  const Json asked = interceptor.asked(message);
  const Json* const params = find(asked, "params");
  return params == nullptr ? Json::object() : *params;
}

// is_of returns whether `message` answers a request about `target`: a tool or prompt by its name, a
// resource by its URI.
inline bool is_of(Interceptor& interceptor, const Json& message, std::string_view target) {
  const Json params = params_asked(interceptor, message);
  return string_or(params, "name", "") == target || string_or(params, "uri", "") == target;
}

// result_about is result_of() for one target.
inline Json* result_about(Interceptor& interceptor, Json& message, std::string_view target) {
  const bool answer = message.is_object() && message.contains("result");
  return answer && is_of(interceptor, message, target) ? &message["result"] : nullptr;
}

// in_list returns the item of the list in `result` that has this name or URI; nullptr for none.
inline Json* in_list(Json* result, const char* key, std::string_view name) {
  if (result == nullptr || !result->contains(key)) return nullptr;
  for (Json& item : (*result)[key]) {
    if (string_or(item, "name", "") == name || string_or(item, "uri", "") == name) return &item;
  }
  return nullptr;
}

// answer_instead turns `message` into a response with this result, which names the server.
inline void answer_instead(Json& message, Json result) {
  Json& server = result["_meta"][kMetaServerInfo];
  server["name"] = "bent";
  server["version"] = "1";
  message.erase("error");
  message["result"] = std::move(result);
}

inline void refuse_instead(Json& message, std::int64_t code) {
  message.erase("result");
  message["error"] = Json::object();
  message["error"]["code"] = code;
  message["error"]["message"] = "bent";
}

// text_result is what a tool answers; complete in every revision.
inline Json text_result(std::string text) {
  Json block = Json::object();
  block["type"] = "text";
  block["text"] = std::move(text);
  Json result = Json::object();
  result["resultType"] = "complete";
  result["content"] = Json::array();
  result["content"].push_back(std::move(block));
  return result;
}

inline std::int64_t code_of(const Json& message) {
  const Json* const wrong = find(message, "error");
  return wrong == nullptr ? 0 : int_or(*wrong, "code", 0);
}

inline bool is_method(const Json& message, std::string_view method) {
  return string_or(message, "method", "") == method;
}

// undeclare removes a capability from the answer to initialize or server/discover.
inline void undeclare(Interceptor& interceptor, Json& message, const char* capability) {
  for (const char* const method : {"initialize", "server/discover"}) {
    if (Json* const result = result_of(interceptor, message, method)) {
      (*result)["capabilities"].erase(capability);
    }
  }
}

// read returns what the judge sent; null when it is no JSON.
inline Json read(const std::string& text) {
  Result<Json> message = parse_json(text);
  return message.ok() ? std::move(message).value() : Json();
}

// erase_at removes what `path` names, where there is such; "*" in it is each item of a list.
inline void erase_at(Json& value, std::string_view path) {
  const std::size_t end = std::min(path.find('/', 1), path.size());
  const std::string_view step = path.substr(1, end - 1);
  const std::string_view rest = path.substr(end);
  if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (step == "*" || step == std::to_string(i)) erase_at(value[i], rest);
    }
    return;
  }
  for (auto member = value.is_object() ? value.begin() : value.end(); member != value.end();
       ++member) {
    if (pointer_token(member.key()) != step) continue;
    if (!rest.empty()) return erase_at(member.value(), rest);
    value.erase(member);
    return;
  }
}

}  // namespace plumbline::conformance::edit
