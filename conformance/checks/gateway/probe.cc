#include <algorithm>
#include <chrono>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/gateway/check.h"
#include "conformance/checks/gateway/mirror_content.h"
#include "conformance/peer/opening.h"
#include "conformance/wire/header_names.h"

namespace plumbline::conformance {

namespace {

Json tool_params(std::string tool, Json arguments) {
  Json params(Json::value_t::object);
  params["name"] = std::move(tool);
  params["arguments"] = std::move(arguments);
  return params;
}

// agrees_on_no_initialize returns whether what was opened by initialize is to go on in a revision
// that is not opened so. Clients that ask by initialize know none of those.
bool agrees_on_no_initialize(const Session& session) {
  return !is_stateless(session.options().revision) && is_stateless(session.revision());
}

}  // namespace

Task<Session*> GatewayProbe::enter(std::string revision, Json capabilities, bool listens) {
  SessionOptions options;
  options.listen = listens;
  options.revision = revision.empty() ? revision_ : std::move(revision);
  options.capabilities =
      capabilities.is_null() ? all_capabilities(options.revision) : std::move(capabilities);
  Result<std::unique_ptr<Session>> opened =
      co_await open_session(subject_, std::move(options), check_);
  if (!opened.ok()) {
    why_ = opened.error().message;
    co_return nullptr;
  }
  sessions_.push_back(std::move(opened).value());
  Session* const session = sessions_.back().get();
  if (agrees_on_no_initialize(*session)) {
    why_ = "initialize with " + session->options().revision + " was answered with " +
           session->revision() + ", which has no initialize: expected " +
           session->options().revision + ", or another that is opened so";
    offered_amiss_ = true;
    co_return nullptr;
  }
  if (session->usable()) co_return session;
  refused_opening_ = session->opening().error() != nullptr;
  misnamed_ = session->opening().id_of_another_result();
  why_ = "initialize through the gateway was answered by " + session->opening().describe();
  co_return nullptr;
}

Client::Begun GatewayProbe::begin_call(Session& session, std::string tool, Json arguments,
                                       Json token) {
  Client client(session, check_);
  Json params = tool_params(exchanges_.tool(tool), std::move(arguments));
  Json message = client.request_of("tools/call", std::move(params));
  if (!token.is_null()) message["params"]["_meta"]["progressToken"] = std::move(token);
  return client.begin(std::move(message));
}

Client::Begun GatewayProbe::begin_other(Session& session, std::string_view method, Json token) {
  Client client(session, check_);
  Json params(Json::value_t::object);
  if (method == "prompts/get") {
    params["name"] = exchanges_.prompt(kMirrorPrompt);
    params["arguments"]["who"] = new_mark();
  } else {
    params["uri"] = exchanges_.resource(kMirrorText);
  }
  Json message = client.request_of(std::string(method), std::move(params));
  if (!token.is_null()) message["params"]["_meta"]["progressToken"] = std::move(token);
  return client.begin(std::move(message));
}

Task<Reply> GatewayProbe::call(Session& session, std::string tool, Json arguments, Json token) {
  Client client(session, check_);
  Client::Begun begun =
      begin_call(session, std::move(tool), std::move(arguments), std::move(token));
  Reply reply = co_await client.finish(std::move(begun));
  co_return reply;
}

std::vector<MirrorServer::Heard> GatewayProbe::heard(std::string_view mark) const {
  std::vector<MirrorServer::Heard> found;
  for (const MirrorServer::Heard& heard : mirror_.heard()) {
    const Json* const said = at_pointer(heard.message, "/params/arguments/mark");
    if (said != nullptr && *said == Json(mark)) found.push_back(heard);
  }
  return found;
}

Task<bool> GatewayProbe::reached(std::string mark) {
  const Instant deadline = after(loop().now(), pace().answer());
  const auto is_held = [this, &mark] { return mirror_.held(mark) != nullptr; };
  co_return co_await mirror_.changes().wait(deadline, is_held);
}

Task<std::optional<bool>> GatewayProbe::stands_between(Session* session) {
  if (!session->wire().http()) co_return true;
  const std::string mark = new_mark();
  Client client(*session, check_);
  Json params = tool_params(exchanges_.tool("echo"), marked(mark));
  Json message = client.request_of("tools/call", std::move(params));
  message["id"] = mark;
  co_await client.exchange(std::move(message));
  const std::vector<MirrorServer::Heard> came = heard(mark);
  if (came.empty()) co_return std::nullopt;
  const MirrorServer::Heard& call = came.front();
  if (is_stateless(revision_)) co_return *find(call.message, "id") != Json(mark);
  co_return call.headers.get(kSessionHeader).value_or("") != session->session_id();
}

Task<std::vector<MirrorServer::Heard>> GatewayProbe::heard_of_a_call(Session* session,
                                                                     Reply* reply) {
  const std::string mark = new_mark();
  Reply got = co_await call(*session, "echo", marked(mark));
  if (reply != nullptr) *reply = std::move(got);
  co_return heard(mark);
}

Task<bool> GatewayProbe::serves_others() {
  Session* const other = co_await enter();
  if (other == nullptr) co_return false;
  const Reply usual = co_await call(*other, "echo", marked(new_mark()));
  co_return usual.result() != nullptr;
}

Task<Finding> GatewayProbe::unlike_others(Reply reply, std::string what) {
  if (!co_await serves_others()) {
    co_return undecided(what + " came to " + reply.describe() + ", and so did another");
  }
  co_return about(
      broken(what + " came to " + reply.describe() + ", and an ordinary one to its result"), reply);
}

Json GatewayProbe::marked(std::string mark, std::string how) {
  Json arguments(Json::value_t::object);
  arguments["mark"] = std::move(mark);
  if (!how.empty()) arguments["how"] = std::move(how);
  return arguments;
}

std::string GatewayProbe::new_mark() {
  return "mark-" + std::to_string(check_) + "-" + std::to_string(++marks_);
}

Task<void> GatewayProbe::close() {
  for (const std::unique_ptr<Session>& session : sessions_) co_await session->close();
}

}  // namespace plumbline::conformance
