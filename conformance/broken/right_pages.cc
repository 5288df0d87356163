#include "conformance/broken/right_pages.h"

#include "conformance/broken/message_edits.h"
#include "conformance/catalogue/meta_keys.h"
#include "core/base/sha256.h"
#include "core/json/json.h"

namespace plumbline::conformance {

namespace {

using wire::Form;
using wire::HttpRequest;
using wire::HttpResponse;

constexpr const char* kPageTool = "test_image_content";
constexpr const char* kThirdTool = "test_audio_content";
constexpr const char* kUserTool = "test_multiple_content_types";
constexpr const char* kKey = "weak-door-key";  // With which the door opens, where it is so.

HttpResponse html(int status, const std::string& body) {
  return {status, {{"Content-Type", "text/html"}}, body};
}

HttpResponse respond_to(const Json& message, Json answer) {
  answer["jsonrpc"] = "2.0";
  answer["id"] = *find(message, "id");
  return {200, {{"Content-Type", "application/json"}}, dump_json(answer)};
}

HttpResponse text_to(const Json& message, const std::string& text) {
  Json answer = Json::object();
  edit::answer_instead(answer, edit::text_result(text));
  return respond_to(message, std::move(answer));
}

// name_of returns how the user with a token is called.
std::string name_of(const std::string& token) {
  return token == "first" ? "alice" : token == "second" ? "bob" : "nobody";
}

// session_of returns the session of a request, as the server knows it: those of the second user are
// marked.
std::string session_of(const HttpRequest& request) {
  constexpr std::string_view kMark = "second-";
  std::string session(request.headers.get("Mcp-Session-Id").value_or(""));
  return session.starts_with(kMark) ? session.substr(kMark.size()) : session;
}

bool is_stateless(const HttpRequest& request) { return request.headers.count("Mcp-Method") > 0; }

}  // namespace

OwnResponse RightPages::answer(HttpRequest& request) {
  const std::string path = request.target.substr(0, request.target.find('?'));
  if (path == "/page") return paged(request);
  if (path == "/callback") return called_back(request);
  if (flaws_.has_key_in_address && shown_token(request) == kKey) {
    request.headers.set("Authorization", "Bearer first");
  }
  if (OwnResponse no = keep_door(request)) return no;
  const Result<Json> message = parse_json(request.body);
  if (!message.ok() || string_or(message.value(), "method", "") != "tools/call")
    return std::nullopt;
  return called(request, message.value());
}

void RightPages::answered(const HttpRequest& request, const wire::HttpHeaders& headers) {
  const Result<Json> message = parse_json(request.body);
  if (!message.ok()) return;
  const bool can = at_pointer(message.value(), "/params/capabilities/elicitation/url") != nullptr;
  const std::string session(headers.get("Mcp-Session-Id").value_or(""));
  if (can && !session.empty()) knowing_.insert(session);
}

bool RightPages::asks_by_url(const HttpRequest& request, const Json& message) const {
  if (!is_stateless(request)) {
    return knowing_.contains(session_of(request));
  }
  const Json* const meta = at_pointer(message, "/params/_meta");
  const Json* const declared = meta == nullptr ? nullptr : find(*meta, kMetaCapabilities);
  return declared != nullptr && at_pointer(*declared, "/elicitation/url") != nullptr;
}

OwnResponse RightPages::called(const HttpRequest& request, const Json& message) {
  const Json* const given = find(message, "params");
  if (given == nullptr || !given->is_object() || !find(message, "id")) return std::nullopt;
  const Json& params = *given;
  Question question;
  question.tool = string_or(params, "name", "");
  question.user = shown_token(request);
  question.session = session_of(request);
  if (question.tool == kUserTool) {
    const std::string claimed(request.headers.get("X-User-Id").value_or(""));
    const bool believed = flaws_.believes_claims && !claimed.empty();
    return text_to(message, believed ? claimed : name_of(question.user));
  }
  if (question.tool != kPageTool && question.tool != kThirdTool) return std::nullopt;
  if (!asks_by_url(request, message)) return std::nullopt;
  const Json* const responses = find(params, "inputResponses");
  if (responses != nullptr && !responses->is_object()) return std::nullopt;  // It is refused.
  const std::string by_user = question.session + " " + question.tool;
  const auto done =
      done_.find(is_stateless(request) ? string_or(params, "requestState", "") : by_user);
  if (done == done_.end() || done->second.user != question.user) {
    return asked(request, message, std::move(question));
  }
  const std::string shown = flaws_.shows_credentials ? done->second.shown : "";
  done_.erase(done);
  return text_to(message, "Signed in " + shown);
}

HttpResponse RightPages::asked(const HttpRequest& request, const Json& message, Question question) {
  Sha256 hash;
  hash.update("question " + std::to_string(++names_));
  const std::string id = hash.finish_hex().substr(0, 32);
  Json params = Json::object();
  params["mode"] = "url";
  params["message"] = "Please open this page";
  params["url"] = address_of(request, question, id);
  waiting_[id] = std::move(question);
  Json answer = Json::object();
  if (is_stateless(request)) {
    Json result = Json::object();
    result["resultType"] = "input_required";
    result["requestState"] = id;
    result["inputRequests"]["page"]["method"] = "elicitation/create";
    result["inputRequests"]["page"]["params"] = std::move(params);
    edit::answer_instead(answer, std::move(result));
  } else {
    params["elicitationId"] = id;
    answer["error"]["code"] = -32042;
    answer["error"]["message"] = "This needs a page to be opened";
    answer["error"]["data"]["elicitations"] = Json::array();
    answer["error"]["data"]["elicitations"].push_back(std::move(params));
  }
  return respond_to(message, std::move(answer));
}

std::string RightPages::address_of(const HttpRequest& request, const Question& question,
                                   const std::string& id) const {
  const std::string origin = origin_of(request);
  if (flaws_.signs_in_by_it) {
    const Form form = {{"response_type", "code"}, {"state", id}, {"resource", origin + "/mcp"}};
    return "https://as.example/authorize?" + form.text();
  }
  if (question.tool == kThirdTool) {
    const std::string back =
        flaws_.sends_code_elsewhere ? "http://127.0.0.1:9/mine" : origin + "/callback";
    return behind_.upstream + "/authorize?" +
           Form({{"response_type", "code"},
                 {"client_id", "the-server"},
                 {"state", id},
                 {"redirect_uri", back}})
               .text();
  }
  Form form = {{"elicitation", id}, {"user", name_of(question.user)}};
  if (flaws_.has_token_in_address) form.add("by", question.user);
  if (flaws_.has_key_in_address) form.add("key", kKey);
  return origin + "/page?" + form.text();
}

void RightPages::done_with(const std::string& id) {
  const auto found = waiting_.find(id);
  const Question question = found->second;
  waiting_.erase(found);
  done_[id] = done_[question.session + " " + question.tool] = question;
  if (question.session.empty()) return;
  Json message = Json::object();
  message["jsonrpc"] = "2.0";
  message["method"] = "notifications/elicitation/complete";
  message["params"]["elicitationId"] = id;
  behind_.tell(flaws_.tells_everybody ? std::string() : question.session, std::move(message));
}

HttpResponse RightPages::paged(const HttpRequest& request) {
  const bool sent = request.method == "POST";
  const Form form = sent ? Form::parse(request.body) : wire::query_of(request.target);
  const std::string id = form.get("elicitation").value_or("");
  const auto found = waiting_.find(id);
  if (found == waiting_.end()) return html(404, "<p>There is no such question.</p>");
  const std::string opener(shown_token(request));
  const std::string named = form.get("user").value_or("");
  bool allowed = opener == found->second.user;
  if (flaws_.trusts_names) allowed = !opener.empty() && named == name_of(opener);
  if (flaws_.opens_for_anybody) allowed = true;
  if (!allowed) return html(403, "<p>This question was not yours.</p>");
  if (!sent) {
    return html(200, "<form method=post><input type=hidden name=elicitation value=\"" + id +
                         "\"><input type=hidden name=user value=\"" + named +
                         "\"><button name=go value=yes>Allow</button></form>");
  }
  done_with(id);
  return html(200, "<p>Thank you.</p>");
}

HttpResponse RightPages::called_back(const HttpRequest& request) {
  const Form form = wire::query_of(request.target);
  const std::string id = form.get("state").value_or("");
  const auto found = waiting_.find(id);
  if (found == waiting_.end() || shown_token(request) != found->second.user) {
    return html(403, "<p>This question was not yours.</p>");
  }
  found->second.shown = form.get("code").value_or("");
  HttpRequest redeems;
  redeems.method = "POST";
  redeems.target = "/token";
  redeems.headers.set("Content-Type", "application/x-www-form-urlencoded");
  if (flaws_.hands_token_on) redeems.headers.set("Authorization", "Bearer " + found->second.user);
  redeems.body = Form({{"grant_type", "authorization_code"}, {"code", found->second.shown}}).text();
  behind_.ask(std::move(redeems));
  done_with(id);
  return html(200, "<p>Thank you.</p>");
}

}  // namespace plumbline::conformance
