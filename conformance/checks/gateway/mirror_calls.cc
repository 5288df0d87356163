// What becomes of the calls of a mirror's tools, and what it says and asks meanwhile.

#include <algorithm>
#include <charconv>
#include <utility>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/catalogue/requirement.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/checks/gateway/mirror_server.h"

namespace plumbline::conformance {

namespace {

constexpr int kProgressCount = 20;
constexpr int kErrorCode = -32050;
constexpr std::size_t kFirstQuestion = 5'000;  // No id of a request of clients is as high.

Json echoed(const Json& arguments, const Json* meta) {
  Json result(Json::value_t::object);
  Json& text = result["content"][0];
  text["type"] = "text";
  text["text"] = dump_json(arguments);
  result["structuredContent"] = arguments;
  result["plumblineExtra"]["kept"] = Json::array({1, nullptr, "two"});
  if (meta != nullptr) result["_meta"]["plumbline.dev/saw"] = *meta;
  return result;
}

// listens_for returns whether a subscriptions/listen with these params asks for such changes.
bool listens_for(const Json& params, const MirrorNotice& notice) {
  const Json* const asked = find(params, "notifications");
  const Json* const wish = asked == nullptr ? nullptr : find(*asked, notice.wish);
  if (wish == nullptr) return false;
  if (notice.wish != kWishForResources) return *wish == Json(true);
  return std::ranges::find(*wish, Json(kMirrorText)) != wish->end();
}

std::string elicitation_of(const std::string& mark) { return "elicitation of " + mark; }

// question_key returns by what a question is known that has this id.
std::string question_key(const Json& id) {
  if (id.is_string()) return id.get<std::string>();
  return id.is_number() ? "number " + std::to_string(id.get<std::int64_t>()) : std::string();
}

}  // namespace

void MirrorServer::on_call(const Request& request) {
  const std::string name = string_or(request.params, "name", "");
  const Json* const given = find(request.params, "arguments");
  const Json arguments = given == nullptr ? Json::object() : *given;
  const std::string mark = string_or(arguments, "mark", "");
  const bool waits = name == "hold" || name == "ask";
  if (waits && waiting_.size() == kMirrorHeldMax) return fail(request, kErrorCode, "too many wait");
  if (name == "echo" || name.starts_with(kMirrorRows)) {
    if (string_or(arguments, "how", "") == "streamed") report_progress(request, 1);
    return answer(request, echoed(arguments, find(request.params, "_meta")));
  }
  if (name == "fail") return fail_somehow(request, arguments);
  if (name == "ask" && request.stateless) return ask_by_result(request, mark);
  if (name == "ask") return ask(request, mark);
  if (name == "log") return log(request, mark);
  if (name == "hold") {
    report_progress(request, 1);
    waiting_[mark] = request;
    return;
  }
  Json known = mirror_answer(request.method, request.params, request.revision);
  if (name == "stream") return stream(request, std::move(known), string_or(arguments, "how", ""));
  if (!known.is_null()) return answer(request, std::move(known));
  if (name != "count") return fail(request, -32602, "Unknown tool: " + name);
  for (int progress = 1; progress <= kProgressCount; ++progress) report_progress(request, progress);
  answer(request, echoed(Json::object(), nullptr));
}

void MirrorServer::fail_somehow(const Request& request, const Json& arguments) {
  const std::string how = string_or(arguments, "how", "");
  constexpr std::string_view kStatus = "status ";
  if (how == "cut") return http_.cut(request.session, request.id);
  if (!how.starts_with(kStatus)) {
    return fail(request, kErrorCode, "as it was asked to", arguments);
  }
  wire::HttpHeaders headers;
  int status = 500;
  std::from_chars(how.data() + kStatus.size(), how.data() + how.size(), status);
  const std::string challenge = kMirrorChallenge;
  if (status == 401) headers.set("WWW-Authenticate", challenge);
  if (status == 403) {
    headers.set("WWW-Authenticate", challenge + ", " + kMirrorScopeError + ", " + kMirrorScope);
  }
  if (status == 429) headers.set("Retry-After", kMirrorRetryAfter);
  http_.refuse(request.session, request.id, status, headers);
}

void MirrorServer::stream(const Request& request, Json result, std::string_view how) {
  if (how != "broken off") {
    const AnswerForm form = how == "crlf" ? AnswerForm::kCrlf : AnswerForm::kOdd;
    return answer(request, std::move(result), form);
  }
  http_.break_off(request.session, request.id, response_of(request, std::move(result)));
}

void MirrorServer::on_listen(const Request& request) {
  if (listeners_.size() == kMirrorHeldMax) listeners_.erase(listeners_.begin());
  listeners_.push_back(request);
  Json message = mirror_notification("notifications/subscriptions/acknowledged");
  const Json* const asked = find(request.params, "notifications");
  message["params"]["notifications"] = asked == nullptr ? Json::object() : *asked;
  message["params"]["_meta"][kMetaSubscription] = request.id;
  send(request.session, request.id, message);
}

void MirrorServer::tell_listeners(const MirrorNotice& notice) {
  for (const Request& one : listeners_) {
    if (!http_.knows(one.session) || !listens_for(one.params, notice)) continue;
    Json message = mirror_notification(std::string(notice.method));
    message["params"]["_meta"][kMetaSubscription] = one.id;
    if (notice.wish == kWishForResources) message["params"]["uri"] = kMirrorText;
    send(one.session, one.id, message);
  }
}

std::size_t MirrorServer::listeners_for(const MirrorNotice& notice) const {
  return static_cast<std::size_t>(std::ranges::count_if(listeners_, [&](const Request& one) {
    return http_.knows(one.session) && listens_for(one.params, notice);
  }));
}

// ask_by_result asks for input, and returns what came of it when the call is made again.
//
// Spec 2026-07-28, basic/patterns/mrtr.
void MirrorServer::ask_by_result(const Request& request, const std::string& mark) {
  const std::string method = "elicitation/create";
  const Json* const capabilities =
      at_pointer(request.params, "/_meta/io.modelcontextprotocol~1clientCapabilities");
  if (capabilities == nullptr || find(*capabilities, "elicitation") == nullptr) {
    Json undeclared(Json::value_t::object);
    undeclared["undeclared"] = true;
    return answer(request, echoed(undeclared, nullptr));
  }
  const Json* const responses = find(request.params, "inputResponses");
  const Json* const state = find(request.params, "requestState");
  if (responses != nullptr || state != nullptr) {
    Json back(Json::value_t::object);
    back["inputResponses"] = responses == nullptr ? Json() : *responses;
    back["requestState"] = state == nullptr ? Json() : *state;
    return answer(request, echoed(back, nullptr));
  }
  Json result(Json::value_t::object);
  result["resultType"] = "input_required";
  Json asked = question(method, mark);
  asked.erase("jsonrpc");
  result["inputRequests"]["word – ü"] = std::move(asked);
  result["requestState"] = state_of(mark);
  answer(request, std::move(result));
}

std::string MirrorServer::state_of(const std::string& mark) {
  return "state of " + mark + " – ü/+=";
}

Json MirrorServer::log_message(const std::string& mark) {
  Json message = mirror_notification("notifications/message");
  message["params"]["level"] = "warning";
  message["params"]["logger"] = "mirror – ü";
  message["params"]["data"]["mark"] = mark;
  message["params"]["data"]["kept"] = Json::array({1, nullptr, "two\nlines"});
  return message;
}

void MirrorServer::log(const Request& request, const std::string& mark) {
  send(request.session, request.id, log_message(mark));
  answer(request, echoed(Json::object(), nullptr));
}

Json MirrorServer::question(const std::string& method, const std::string& mark,
                            std::string_view mode) {
  Json asked(Json::value_t::object);
  asked["jsonrpc"] = "2.0";
  asked["method"] = method;
  Json& params = asked["params"] = Json::object();
  if (method == "elicitation/create" && mode == "url") {
    params["mode"] = mode;
    params["message"] = mark;
    params["url"] = "https://mirror.example/grant?for=" + mark + "&lang=de#now";
    params["elicitationId"] = elicitation_of(mark);
  } else if (method == "elicitation/create") {
    params["message"] = mark;
    params["requestedSchema"]["type"] = "object";
    params["requestedSchema"]["properties"]["word"]["type"] = "string";
    params["requestedSchema"]["properties"]["word"]["title"] = "A word – ü";
  } else if (method == "sampling/createMessage") {
    params["maxTokens"] = 10;
    params["messages"][0]["role"] = "user";
    params["messages"][0]["content"]["type"] = "text";
    params["messages"][0]["content"]["text"] = mark;
  }
  return asked;
}

// may_ask returns whether the client of a call has declared that it can be asked so.
bool MirrorServer::may_ask(const Request& request, const std::string& method,
                           std::string_view mode) const {
  if (method == "ping") return true;
  const auto session = opened_.find(request.session);
  if (session == opened_.end()) return false;
  const Json* const declared =
      find(session->second.capabilities, method.substr(0, method.find('/')));
  if (declared == nullptr || mode.empty()) return declared != nullptr;
  return knows_url_elicitation(request.revision) && find(*declared, mode) != nullptr;
}

void MirrorServer::ask(const Request& request, const std::string& mark) {
  const Json* const given = find(request.params, "arguments");
  const std::string method =
      given == nullptr ? "" : string_or(*given, "method", "sampling/createMessage");
  const std::string mode = given == nullptr ? "" : string_or(*given, "mode", "");
  if (!may_ask(request, method, mode)) {
    Json undeclared(Json::value_t::object);
    undeclared["undeclared"] = true;
    return answer(request, echoed(undeclared, nullptr));
  }
  ++questions_;
  Json asked = question(method, mark, mode);
  asked["id"] = "mirror-" + std::to_string(questions_);
  if (given != nullptr && string_or(*given, "how", "") == "numbered") {
    asked["id"] = kFirstQuestion + questions_;
  }
  waiting_[question_key(asked["id"])] = request;
  send(request.session, request.id, asked);
}

void MirrorServer::release(std::string_view mark) {
  const auto found = waiting_.find(mark);
  if (found == waiting_.end()) return;
  const Request request = std::move(found->second);
  waiting_.erase(found);
  Json result = mirror_answer(request.method, request.params, request.revision);
  if (result.is_null()) {
    const Json* const arguments = find(request.params, "arguments");
    result = echoed(arguments == nullptr ? Json::object() : *arguments, nullptr);
  }
  answer(request, std::move(result));
}

// on_answer ends the call for which the client was asked.
void MirrorServer::on_answer(const Json& response) {
  const auto asked = waiting_.find(question_key(*find(response, "id")));
  if (asked == waiting_.end()) return;
  const Request request = std::move(asked->second);
  waiting_.erase(asked);
  const Json* const result = find(response, "result");
  const Json* const error = find(response, "error");
  Json told(Json::value_t::object);
  if (result != nullptr) told = *result;
  if (error != nullptr) told["error"] = *error;
  const Json* const given = find(request.params, "arguments");
  if (given != nullptr && string_or(*given, "mode", "") == "url") {
    Json complete = mirror_notification("notifications/elicitation/complete");
    complete["params"]["elicitationId"] = elicitation_of(string_or(*given, "mark", ""));
    send(request.session, request.id, complete);
  }
  answer(request, echoed(told, nullptr));
}

void MirrorServer::report_progress(const Request& request, int progress) {
  const Json* const token = at_pointer(request.params, "/_meta/progressToken");
  if (token == nullptr) return;
  Json message = mirror_notification("notifications/progress");
  message["params"]["progressToken"] = *token;
  message["params"]["progress"] = progress;
  message["params"]["total"] = kProgressCount;
  const Json* const mark = at_pointer(request.params, "/arguments/mark");
  if (mark != nullptr && request.revision >= since::kStreamableHttp) {
    message["params"]["message"] = *mark;
  }
  send(request.session, request.id, message);
}

}  // namespace plumbline::conformance
