#include "core/service/chat/chat_api.h"

#include <algorithm>
#include <utility>

#include "core/agents/agent.h"
#include "core/json/object_reader.h"
#include "core/json/value_bytes.h"
#include "core/service/page_files.h"

namespace plumbline::service {

namespace {

// refusal is {"error", "message"}, as all of this API refuses.
wire::HttpResponse refusal(int status, std::string_view code, std::string_view message) {
  return json_reply(status, {{"error", code}, {"message", message}});
}

void refuse(Exchange& exchange, int status, std::string_view code, std::string_view message) {
  exchange.reply.respond(refusal(status, code, message));
}

void refuse_store(Exchange& exchange, const Error& error) {
  refuse(exchange, 503, "store_unavailable", error.message);
}

// Said is what the body of a POST says.
struct Said {
  model::Message message;
  std::string session_id;
  bool stream = false;
};

struct Decision {
  std::string approval_id;
  Json answer;
  bool stream = false;
};

void read_media(ObjectReader& reader, const ChatApiOptions& options, model::Message& message) {
  const Json* const all = reader.array("media");
  if (all == nullptr) return;
  std::size_t bytes = 0;
  for (const Json& one : *all) {
    model::Media media{string_or(one, "mimeType", ""), string_or(one, "data", "")};
    const bool fine =
        media.mime_type.starts_with("image/") || media.mime_type.starts_with("audio/");
    if (!fine || media.data_base64.empty()) {
      return reader.refuse("media",
                           "is wrong, expected {\"mimeType\": \"image/...\" or "
                           "\"audio/...\", \"data\": base64}");
    }
    bytes += media.data_base64.size();
    message.media.push_back(std::move(media));
  }
  if (bytes > options.media_bytes_max) {
    reader.refuse("media", "has " + std::to_string(bytes) + " bytes, expected at most " +
                               std::to_string(options.media_bytes_max));
  }
}

void read_said(ObjectReader& reader, const ChatApiOptions& options, Said& said) {
  said.message.role = model::Role::kUser;
  said.message.text = reader.required_string("input");
  if (said.message.text.size() > options.input_bytes_max) {
    reader.refuse("input", "has " + std::to_string(said.message.text.size()) +
                               " bytes, expected at most " +
                               std::to_string(options.input_bytes_max));
  }
  said.session_id = reader.string("sessionId").value_or("");
  said.stream = reader.boolean("stream").value_or(false);
  read_media(reader, options, said.message);
}

void read_decision(ObjectReader& reader, Decision& decision) {
  decision.approval_id = reader.required_string("approvalId");
  decision.stream = reader.boolean("stream").value_or(false);
  reader.require("approve", "true or false");
  decision.answer = {{"approve", reader.boolean("approve").value_or(false)}};
  if (const auto reason = reader.text("reason")) decision.answer["reason"] = *reason;
}

void refuse_share(Exchange& exchange, Resource resource, std::uint64_t amount) {
  const Share::Refusal refused = exchange.reply.share().refusal(resource, amount);
  refuse(exchange, refused.status, "busy", refused.what);
}

// read_body reads the body of a POST by `read`; false: it is answered.
bool read_body(Exchange& exchange, auto&& read) {
  const std::string type = std::string(exchange.request.headers.get("Content-Type").value_or(""));
  if (!type.starts_with("application/json")) {
    refuse(exchange, 415, "invalid_request", "expected Content-Type: application/json");
    return false;
  }
  const std::size_t bytes = value_bytes_of_text(exchange.request.body);
  const std::optional<Held> charge = exchange.reply.share().take(Resource::kValueBytes, bytes);
  if (!charge) {
    refuse_share(exchange, Resource::kValueBytes, bytes);
    return false;
  }
  const Result<Json> body = parse_json(exchange.request.body);
  if (!body.ok()) {
    refuse(exchange, 400, "invalid_request", "the body is no JSON: " + body.error().message);
    return false;
  }
  std::optional<Problem> problem;
  ObjectReader reader(body.value(), "", "the body", problem);
  read(reader);
  reader.finish();
  if (!problem) return true;
  refuse(exchange, 400, "invalid_request", problem->pointer + ": " + problem->message);
  return false;
}

// charge_turn takes what a turn holds until it ends: itself, and several times what was said.
// False: it is refused.
bool charge_turn(Exchange& exchange, const Said& said, std::vector<Held>& charges) {
  std::size_t bytes = said.message.text.size();
  for (const model::Media& media : said.message.media) bytes += media.data_base64.size();
  for (const auto& [resource, amount] : {std::pair(Resource::kThreads, std::size_t{1}),
                                         std::pair(Resource::kValueBytes, 4 * bytes)}) {
    std::optional<Held> charge = exchange.reply.share().take(resource, amount);
    if (!charge) {
      refuse_share(exchange, resource, amount);
      return false;
    }
    charges.push_back(*std::move(charge));
  }
  return true;
}

}  // namespace

ChatApi::ChatApi(Loop& loop, const WallClock& clock, RecordStore& records,
                 store::ThreadStore& threads, transport::Connector& connector,
                 ServerCatalog& catalog, model::Model& model, const agents::Policy& policy,
                 const Redactor& redactor, RandomBytes random, ChatApiOptions options)
    : loop_(loop),
      options_(std::move(options)),
      threads_(threads),
      book_(records, clock, random),
      servers_(loop, connector, records, catalog, options_.servers, redactor),
      http_(loop, clock, options_.http),
      turns_(loop, book_, threads, servers_, model, policy, random, options_.turns) {
  add("POST", "/api/agent/chat", chat);
  add("GET", "/api/agent/sessions", list);
  add("GET", "/api/agent/sessions/:id", show);
  add("DELETE", "/api/agent/sessions/:id", forget);
  add("POST", "/api/agent/sessions/:id/approval", decide);
  add("GET", "/api/agent/sessions/:id/events", follow);
  http_.add(
      {"GET", "/", [](Exchange exchange) { exchange.reply.respond(page_reply("chat.html")); }});
}

// add makes a route behind the gate, whose handler is told who asks.
void ChatApi::add(std::string method, std::string pattern, Handle handle) {
  Route route{std::move(method), std::move(pattern),
              [this, handle](Exchange exchange) {
                std::string user =
                    options_.http.gate != nullptr ? exchange.reply.principal() : options_.anonymous;
                if (user.empty()) {
                  return refuse(exchange, 500, "auth_context_missing",
                                "nobody has said who asks: the service has no \"auth\"");
                }
                work_.spawn(handle(*this, std::move(exchange), std::move(user)));
              },
              true};
  http_.add(std::move(route));
}

Task<Status> ChatApi::load() {
  Status taken = co_await turns_.take_up();
  if (!taken.ok()) co_return taken;
  turns_.keep_up();
  http_.set_ready(true);
  co_return Done{};
}

Task<std::optional<ChatSession>> ChatApi::own(Exchange& exchange, std::string id,
                                              std::string user) {
  Result<std::optional<ChatSession>> found = co_await book_.find(std::move(id));
  if (!found.ok()) {
    refuse_store(exchange, found.error());
    co_return std::nullopt;
  }
  // Another user's does not exist for this one.
  if (found.value() && found.value()->user == user) co_return std::move(found).value();
  refuse(exchange, 404, "session_not_found", "there is no such session");
  co_return std::nullopt;
}

// has_room answers where `user` may have no more chats.
Task<bool> ChatApi::has_room(Exchange& exchange, std::string user) {
  const Result<std::size_t> has = co_await book_.count(std::move(user), options_.sessions_each_max);
  if (!has.ok()) {
    refuse_store(exchange, has.error());
    co_return false;
  }
  if (has.value() < options_.sessions_each_max) co_return true;
  refuse(exchange, 429, "too_many_sessions",
         "there are " + std::to_string(has.value()) + " chats already: delete some of them");
  co_return false;
}

Task<void> ChatApi::chat(ChatApi& self, Exchange exchange, std::string user) {
  Said said;
  const bool read =
      read_body(exchange, [&](ObjectReader& reader) { read_said(reader, self.options_, said); });
  if (!read) co_return;
  if (!self.options_.model_missing.empty()) {
    co_return refuse(exchange, 503, "openai_api_key_not_configured", self.options_.model_missing);
  }
  if (self.draining_) {
    co_return refuse(exchange, 503, "store_unavailable", "the service is about to stop");
  }
  std::vector<Held> charges;
  if (!charge_turn(exchange, said, charges)) co_return;
  std::optional<ChatSession> session;
  if (said.session_id.empty()) {
    const bool room = co_await self.has_room(exchange, user);
    if (!room) co_return;
    session = self.book_.open(user);
  } else {
    session = co_await self.own(exchange, said.session_id, user);
    if (!session) co_return;
  }
  const std::uint64_t number = self.wait(std::move(exchange));
  ChatTurns::OnEnd later = said.stream ? nullptr : self.answer_later(number);
  const Status begun = co_await self.turns_.begin(*session, std::move(said.message),
                                                  std::move(charges), std::move(later));
  self.begun(number, said.stream, *session, begun);
}

std::uint64_t ChatApi::wait(Exchange exchange) {
  waiting_.emplace(++exchanges_, std::move(exchange));
  return exchanges_;
}

void ChatApi::begun(std::uint64_t number, bool streams, const ChatSession& session,
                    const Status& status) {
  if (status.ok() && !streams) return;  // It is answered when the turn has ended.
  Exchange exchange = std::move(waiting_.extract(number).mapped());
  if (!status.ok()) {
    const ErrorCode code = status.error().code;
    const std::string& why = status.error().message;
    if (code == ErrorCode::kConflict) return refuse(exchange, 409, "turn_in_progress", why);
    if (code == ErrorCode::kLimitReached) return refuse(exchange, 429, "too_many_turns", why);
    if (code == ErrorCode::kInvalidInput) return refuse(exchange, 409, "approval_not_found", why);
    return refuse_store(exchange, status.error());
  }
  exchange.reply.set_header("X-Session-Id", session.id);
  turns_.feed(session.id)->attach(std::move(exchange.reply), std::nullopt);
}

ChatTurns::OnEnd ChatApi::answer_later(std::uint64_t number) {
  return [this, number](const TurnEnd& end) {
    work_.spawn(answer(std::move(waiting_.extract(number).mapped()), end));
  };
}

Task<void> ChatApi::answer(Exchange exchange, TurnEnd end) {
  if (end.lost) {
    const bool conflict = end.lost->code == ErrorCode::kConflict;
    if (conflict) co_return refuse(exchange, 409, "turn_in_progress", end.lost->message);
    co_return refuse_store(exchange, *end.lost);
  }
  const Result<std::vector<ChatMessage>> messages =
      co_await book_.messages(end.session, options_.messages_shown_max);
  if (!messages.ok()) co_return refuse_store(exchange, messages.error());
  Json body = {{"sessionId", end.session.id},
               {"session", shown(end.session)},
               {"messages", Json::array()},
               {"response", nullptr}};
  for (const ChatMessage& message : messages.value()) body["messages"].push_back(shown(message));
  const bool waits = end.session.state == ChatSession::State::kWaiting;
  if (waits) {
    body["approval"] = end.session.review;
  } else {
    body["response"] = body["messages"].back();
  }
  if (end.failed) {
    body["error"] = "agent_execution_failed";
    body["message"] = messages.value().back().message.text;
  }
  exchange.reply.respond(json_reply(end.failed ? 502 : waits ? 202 : 200, body));
}

Task<void> ChatApi::list(ChatApi& self, Exchange exchange, std::string user) {
  const Result<std::vector<ChatSession>> found =
      co_await self.book_.sessions(user, self.options_.sessions_shown_max);
  if (!found.ok()) co_return refuse_store(exchange, found.error());
  Json sessions = Json::array();
  for (const ChatSession& session : found.value()) sessions.push_back(shown(session));
  exchange.reply.respond(json_reply(200, {{"sessions", std::move(sessions)}}));
}

Task<void> ChatApi::show(ChatApi& self, Exchange exchange, std::string user) {
  const std::optional<ChatSession> session =
      co_await self.own(exchange, exchange.params["id"], std::move(user));
  if (!session) co_return;
  const Result<std::vector<ChatMessage>> messages =
      co_await self.book_.messages(*session, self.options_.messages_shown_max);
  if (!messages.ok()) co_return refuse_store(exchange, messages.error());
  Json body = {{"session", shown(*session)}, {"messages", Json::array()}};
  for (const ChatMessage& message : messages.value()) body["messages"].push_back(shown(message));
  if (session->state == ChatSession::State::kWaiting) body["approval"] = session->review;
  if (query_value(exchange.request.target, "graphState") == "true") {
    const auto kept = co_await self.threads_.latest(session->thread());
    if (!kept.ok()) co_return refuse_store(exchange, kept.error());
    body["graphState"] = kept.value() ? kept.value()->at.state.json() : Json(nullptr);
  }
  exchange.reply.respond(json_reply(200, body));
}

Task<void> ChatApi::forget(ChatApi& self, Exchange exchange, std::string user) {
  const std::optional<ChatSession> session =
      co_await self.own(exchange, exchange.params["id"], std::move(user));
  if (!session) co_return;
  if (session->state == ChatSession::State::kRunning) {
    co_return refuse(exchange, 409, "turn_in_progress", "a turn of the session is under way");
  }
  std::string thread = session->thread();
  const Result<bool> removed = co_await self.book_.remove(*session);
  if (!removed.ok()) co_return refuse_store(exchange, removed.error());
  if (!removed.value()) {
    co_return refuse(exchange, 409, "turn_in_progress", "the session has changed meanwhile");
  }
  const Status erased = co_await self.threads_.erase(std::move(thread));
  if (!erased.ok()) co_return refuse_store(exchange, erased.error());
  exchange.reply.respond({204, {}, ""});
}

Task<void> ChatApi::decide(ChatApi& self, Exchange exchange, std::string user) {
  Decision decision;
  const bool read =
      read_body(exchange, [&](ObjectReader& reader) { read_decision(reader, decision); });
  if (!read) co_return;
  const Status right = agents::check_decision(decision.answer);
  if (!right.ok()) co_return refuse(exchange, 400, "invalid_request", right.error().message);
  std::optional<ChatSession> session =
      co_await self.own(exchange, exchange.params["id"], std::move(user));
  if (!session) co_return;
  const std::uint64_t number = self.wait(std::move(exchange));
  ChatTurns::OnEnd later = decision.stream ? nullptr : self.answer_later(number);
  const Status begun = co_await self.turns_.decide(*session, std::move(decision.approval_id),
                                                   std::move(decision.answer), std::move(later));
  self.begun(number, decision.stream, *session, begun);
}

// follow goes on with the stream of a turn here, or tells what a past one came to.
Task<void> ChatApi::follow(ChatApi& self, Exchange exchange, std::string user) {
  const std::optional<ChatSession> session =
      co_await self.own(exchange, exchange.params["id"], std::move(user));
  if (!session) co_return;
  const std::string last(exchange.request.headers.get("Last-Event-ID").value_or(""));
  EventFeed* const feed = self.turns_.feed(session->id);
  if (feed != nullptr && (last.empty() || feed->knows(last))) {
    std::optional<std::string_view> behind;
    if (!last.empty()) behind = last;
    feed->attach(std::move(exchange.reply), behind);
    if (session->state != ChatSession::State::kRunning) feed->end();
    co_return;
  }
  if (session->state == ChatSession::State::kRunning) {
    co_return refuse(exchange, 409, "turn_in_progress", "the turn runs in another process");
  }
  const Result<std::vector<ChatMessage>> messages = co_await self.book_.messages(*session, 1);
  if (!messages.ok()) co_return refuse_store(exchange, messages.error());
  EventFeed past(self.loop_, "past", {}, [] {});
  const bool waits = session->state == ChatSession::State::kWaiting;
  if (waits) past.send("approval.needed", session->review);
  if (!waits && !messages.value().empty()) {
    past.send("message", shown(messages.value().back()));
  }
  past.send("done", {{"state", name_of(session->state)}});
  past.attach(std::move(exchange.reply), std::nullopt);
  past.end();
}

Task<void> ChatApi::drain() {
  draining_ = true;
  http_.set_ready(false);
  co_await turns_.drain(options_.drain_max);
  co_await servers_.close();
}

}  // namespace plumbline::service
