#include "conformance/checks/gateway/mirror_server.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/catalogue/requirement.h"
#include "conformance/wire/wire_log.h"

namespace plumbline::conformance {

namespace {

Json skeleton(const Json& id) {
  Json message(Json::value_t::object);
  message["jsonrpc"] = "2.0";
  message["id"] = id;
  return message;
}

// opening_of returns what the result of an opening says of the server.
Json opening_of(std::string_view revision, bool bare) {
  Json result(Json::value_t::object);
  if (bare) {
    result["capabilities"]["tools"] = Json::object();
  } else {
    result["capabilities"] = mirror_part("capabilities", revision);
  }
  result["instructions"] = mirror_part("instructions", revision);
  return result;
}

Json initialized(const Json& params, std::string_view newest, bool bare) {
  std::string revision = string_or(params, "protocolVersion", std::string(kNewestStateful));
  // Spec 2025-11-25, basic/lifecycle, Version Negotiation.
  const bool known = std::ranges::find(kRevisions, revision) != kRevisions.end();
  if (!known) revision = kNewestStateful;
  if (!newest.empty() && revision > newest) revision = newest;
  Json result = opening_of(revision, bare);
  result["protocolVersion"] = revision;
  result["serverInfo"] = mirror_part("serverInfo", revision);
  return result;
}

Json discovered(std::string_view revision, bool bare) {
  Json result = opening_of(revision, bare);
  Json& versions = result["supportedVersions"] = Json::array();
  std::ranges::copy_if(kRevisions, std::back_inserter(versions), is_stateless);
  add_cache_hints(result);
  return result;
}

Json plain_tool(const std::string& name) {
  Json tool(Json::value_t::object);
  tool["name"] = name;
  tool["inputSchema"]["type"] = "object";
  return tool;
}

// change_plain says of the tool plain, where there are annotations, that it destroys.
void change_plain(Json& tools) {
  for (Json& tool : tools) {
    if (string_or(tool, "name", "") != "plain" || !tool.contains("annotations")) continue;
    tool["annotations"] = {{"readOnlyHint", false}, {"destructiveHint", true}};
  }
}

}  // namespace

MirrorServer::MirrorServer(Loop& loop, net::HttpAccess access,
                           std::function<std::string()> new_session_id)
    : http_(loop, access, std::move(new_session_id), *this),
      elsewhere_(loop, strayed_, std::move(access)) {}

Result<std::unique_ptr<MirrorServer>> MirrorServer::listen(
    Loop& loop, net::Network& network, net::Authority at, net::HttpAccess access,
    std::function<std::string()> new_session_id) {
  auto server = std::make_unique<MirrorServer>(loop, std::move(access), std::move(new_session_id));
  MirrorServer& taken = *server;
  const net::Authority other = {at.host, 0};
  Result<std::unique_ptr<net::Listener>> listener = network.listen(
      std::move(at), std::nullopt,
      [&taken](std::unique_ptr<net::Pipe> pipe) { taken.http_.accept(std::move(pipe)); });
  if (!listener.ok()) return std::move(listener).error();
  server->listener_ = std::move(listener).value();
  Result<std::unique_ptr<net::Listener>> elsewhere = network.listen(
      other, std::nullopt,
      [&taken](std::unique_ptr<net::Pipe> pipe) { taken.elsewhere_.accept(std::move(pipe)); });
  if (elsewhere.ok()) server->other_listener_ = std::move(elsewhere).value();
  return server;
}

void MirrorServer::Strayed::on_request(wire::HttpRequest request, net::HttpReply reply) {
  request.body.clear();
  requests.push_back(std::move(request));
  wire::HttpResponse response;
  response.status = 404;
  reply.respond(response);
}

void MirrorServer::set_redirect(Redirect redirect) {
  strayed_.requests.clear();
  const bool nowhere = redirect == Redirect::kAway && other_listener_ == nullptr;
  const int port = other_listener_ == nullptr ? 0 : other_listener_->port();
  http_.set_redirect(nowhere ? Redirect::kNone : redirect,
                     "http://127.0.0.1:" + std::to_string(port) + "/mcp");
}

void MirrorServer::on_http(const wire::HttpRequest& request) {
  wire::HttpRequest head = request;
  head.body.clear();
  requests_.push_back(std::move(head));
  if (requests_.size() > kMirrorHeardMax) {
    requests_.erase(requests_.begin(), requests_.begin() + kMirrorHeardMax / 2);
  }
}

void MirrorServer::on_stray(const Json& message) {
  if (strays_.size() == kMirrorHeldMax) return;
  const bool response = find(message, "method") == nullptr;
  strays_.push_back(response ? "a response" : string_or(message, "method", ""));
}

void MirrorServer::on_message(std::size_t session, const Json& message) {
  const wire::HttpHeaders headers =
      requests_.empty() ? wire::HttpHeaders() : requests_.back().headers;
  keep(Heard{session, message, headers, revision_of(session, message),
             http_.is_streamable(session)});
  if (watch_) watch_(true, message);
  const Json* const id = find(message, "id");
  if (id == nullptr) return;
  const std::string method = string_or(message, "method", "");
  if (method.empty()) return on_answer(message);
  const Json* const params = find(message, "params");
  Request request{session, *id, params == nullptr ? Json::object() : *params};
  request.stateless =
      at_pointer(request.params, "/_meta/io.modelcontextprotocol~1protocolVersion") != nullptr;
  request.method = method;
  request.revision = revision_of(session, message);
  on_request(request);
}

// refuses answers what is of an era that it was told not to understand.
//
std::ptrdiff_t MirrorServer::streams_asked() const {
  return std::ranges::count(requests_, "GET", &wire::HttpRequest::method);
}

// Spec 2026-07-28, basic/versioning: the error lists what is spoken.
bool MirrorServer::refuses(const Request& request) {
  const bool opens = request.method == "initialize";
  const bool of_it = refused_ == Era::kStateless ? request.stateless : opens;
  if (refused_ == Era::kNone || !of_it) return false;
  Json data(Json::value_t::object);
  data["requested"] =
      request.stateless ? request.revision : string_or(request.params, "protocolVersion", "");
  Json& supported = data["supported"] = Json::array();
  std::ranges::copy_if(kRevisions, std::back_inserter(supported), [this](std::string_view one) {
    return is_stateless(one) != (refused_ == Era::kStateless);
  });
  fail(request, -32022, "Unsupported protocol version", std::move(data));
  return true;
}

// does_otherwise does what was set for the next request of its method.
bool MirrorServer::does_otherwise(const Request& request) {
  const auto found = next_.find(request.method);
  if (found == next_.end()) return false;
  const Next next = found->second;
  const bool given = find(request.params, "inputResponses") != nullptr;
  const bool asks = next.what == Next::What::kAsk;
  if (!asks || given) next_.erase(found);
  if (asks && given) return false;
  if (asks) {
    ask_by_result(request, next.mark);
  } else if (next.what == Next::What::kHold) {
    report_progress(request, 1);
    waiting_[next.mark] = request;
  } else if (next.status == 0) {
    fail(request, -32050, "as it was told to");
  } else {
    wire::HttpHeaders headers;
    if (next.status == 401) headers.set("WWW-Authenticate", kMirrorChallenge);
    http_.refuse(request.session, request.id, next.status, headers);
  }
  return true;
}

void MirrorServer::on_request(const Request& request) {
  if (refuses(request) || does_otherwise(request)) return;
  if (request.method == "initialize") {
    Json result = initialized(request.params, newest_, bare_);
    const Json* const declared = find(request.params, "capabilities");
    opened_[request.session] = {string_or(result, "protocolVersion", ""),
                                declared == nullptr ? Json() : *declared};
    return answer(request, std::move(result), odd_opening_ ? AnswerForm::kOdd : AnswerForm::kPlain);
  }
  if (request.method == "server/discover")
    return answer(request, discovered(request.revision, bare_));
  if (request.method == "tools/call") return on_call(request);
  if (request.method == "subscriptions/listen" && request.stateless) return on_listen(request);
  if (const MirrorList* const listing = mirror_list_of(request.method))
    return on_list(request, *listing);
  Json known = mirror_answer(request.method, request.params, request.revision);
  if (!known.is_null()) return answer(request, std::move(known));
  const bool prompt = request.method == "prompts/get";
  if (prompt || request.method == "completion/complete") {
    return fail(request, -32602, "Unknown prompt");
  }
  if (request.method != "resources/read") return fail(request, -32601, "Method not found");
  Json data(Json::value_t::object);
  data["uri"] = string_or(request.params, "uri", "");
  fail(request, request.stateless ? -32602 : -32002, "Resource not found – ü", std::move(data));
}

void MirrorServer::on_list(const Request& request, const MirrorList& listing) {
  const bool tools = listing.member == "tools";
  const bool endless = endless_ && tools;
  const Json* const cursor = endless ? nullptr : find(request.params, "cursor");
  Json page = mirror_page(listing, request.revision, cursor, paged_);
  if (page.is_null()) return fail(request, -32602, "Unknown cursor");
  if (endless) page["nextCursor"] = "again";
  if (!more_.empty() && tools && find(page, "nextCursor") == nullptr) {
    change_plain(page["tools"]);
    page["tools"].push_back(plain_tool(more_));
  }
  if (many_ && tools && find(page, "nextCursor") == nullptr) {
    for (int i = 0; i < kMirrorMany; ++i) {
      page["tools"].push_back(plain_tool(kMirrorManyTool + std::to_string(i + kMirrorMany)));
    }
  }
  if (lists_apart_ && listing.member == "tools") {
    const std::string token(heard_.back().headers.get("Authorization").value_or("nobody"));
    const std::string who =
        request.stateless ? token.substr(token.rfind(' ') + 1) : std::to_string(request.session);
    page["tools"].push_back(plain_tool(std::string(kMirrorOwn) + who));
  }
  answer(request, std::move(page));
}

Json MirrorServer::response_of(const Request& request, Json result) {
  if (request.stateless) {
    if (!result.contains("resultType")) result["resultType"] = "complete";
    result["_meta"][kMetaServerInfo] = mirror_part("serverInfo", request.revision);
  }
  Json response = skeleton(request.id);
  response["result"] = std::move(result);
  return response;
}

void MirrorServer::answer(const Request& request, Json result, AnswerForm form) {
  respond(request, response_of(request, std::move(result)), form);
}

void MirrorServer::fail(const Request& request, int code, std::string message, Json data) {
  Json response = skeleton(request.id);
  response["error"]["code"] = code;
  response["error"]["message"] = std::move(message);
  if (!data.is_null()) response["error"]["data"] = std::move(data);
  respond(request, std::move(response), AnswerForm::kPlain);
}

void MirrorServer::respond(const Request& request, Json response, AnswerForm form) {
  if (watch_) watch_(false, response);
  said_.push_back({request, response});
  if (said_.size() > kMirrorSaidMax) said_.pop_front();
  http_.answer(request.session, request.id, response, form);
}

void MirrorServer::keep(Heard heard) {
  heard_bytes_ += memory_of(heard.message);
  heard_.push_back(std::move(heard));
  if (heard_.size() <= kMirrorHeardMax && heard_bytes_ <= kMirrorBytesMax) return;
  const auto half = heard_.begin() + static_cast<std::ptrdiff_t>((heard_.size() + 1) / 2);
  for (auto old = heard_.begin(); old != half; ++old) heard_bytes_ -= memory_of(old->message);
  heard_.erase(heard_.begin(), half);
}

const Json* MirrorServer::declared(std::size_t session) const {
  const auto opened = opened_.find(session);
  return opened == opened_.end() ? nullptr : &opened->second.capabilities;
}

const MirrorServer::Request* MirrorServer::held(std::string_view mark) const {
  const auto found = waiting_.find(mark);
  return found == waiting_.end() ? nullptr : &found->second;
}

void MirrorServer::progress(std::string_view mark, int how_far) {
  if (const Request* const request = held(mark)) report_progress(*request, how_far);
}

void MirrorServer::as_at_first() {
  paged_ = true;
  odd_opening_ = false;
  lists_apart_ = false;
  endless_ = false;
  bare_ = false;
  many_ = false;
  http_.set_packs(false);
  http_.set_carriage({});
  http_.set_redirect(Redirect::kNone);
  next_.clear();
  more_.clear();
  newest_ = {};
  refused_ = Era::kNone;
  http_.set_streams(StreamManner::kOpen);
}

void MirrorServer::put_question(std::string_view mark) {
  const auto found = waiting_.find(mark);
  if (found == waiting_.end()) return;
  const Request request = std::move(found->second);
  waiting_.erase(found);
  ask(request, std::string(mark));
}

void MirrorServer::tell(std::size_t session, const std::string& method, Json params) {
  Json message = mirror_notification(method);
  if (!params.is_null()) message["params"] = std::move(params);
  if (watch_) watch_(false, message);
  http_.tell(session, message);
}

void MirrorServer::send(std::size_t session, const Json& about, const Json& message) {
  if (watch_) watch_(false, message);
  http_.about(session, about, message);
}

std::string MirrorServer::revision_of(std::size_t session, const Json& message) const {
  // In a session what was agreed on holds, whatever of its clients' _meta a gateway hands on.
  const auto opened = opened_.find(session);
  if (opened != opened_.end()) return opened->second.revision;
  const Json* const named =
      at_pointer(message, "/params/_meta/io.modelcontextprotocol~1protocolVersion");
  return named != nullptr && named->is_string() ? named->get<std::string>() : std::string();
}

}  // namespace plumbline::conformance
