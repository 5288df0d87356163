#include "conformance/checks/server/exercise_run.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/catalogue/requirement.h"
#include "conformance/checks/server/listening.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/answers.h"
#include "conformance/peer/opening.h"
#include "core/schema/sample_value.h"

namespace plumbline::conformance {

namespace {

constexpr int kRoundsMax = 6;
constexpr Duration kExerciseMax = std::chrono::seconds(6);
constexpr Duration kLearnedTimeMax = std::chrono::seconds(2);    // Of what was learned meanwhile.
constexpr Duration kCallMax = std::chrono::milliseconds(1'500);  // Who takes longer shows nothing.
constexpr int kAnswersAwaited = 6;                               // Of a slow subject, beyond that.
constexpr std::size_t kWatchedMax = 4;
constexpr std::int64_t kTokensOfSession = 10'000;

// tool_use answers a sampling request that offers tools: two uses of the first one.
Json tool_use(const Json& tool, Budget& budget) {
  Json result(Json::value_t::object);
  result["role"] = "assistant";
  result["model"] = "plumbline";
  result["stopReason"] = "toolUse";
  for (const char* const id : {"use-1", "use-2"}) {
    Json block(Json::value_t::object);
    block["type"] = "tool_use";
    block["id"] = id;
    block["name"] = string_or(tool, "name", "");
    const Json* const schema = find(tool, "inputSchema");
    block["input"] =
        schema == nullptr ? Json::object() : schema::sample_arguments(*schema, &budget);
    block["_meta"]["plumbline/kept"] = id;
    result["content"].push_back(std::move(block));
  }
  return result;
}

bool has_tool_results(const Json& params) {
  const Json* const messages = find(params, "messages");
  return messages != nullptr && mentions(dump_json(*messages), "\"tool_result\"");
}

// obliging grants everything, and uses tools once where they are offered.
Json obliging(const Json& request, Budget& budget) {
  const Json* const params = find(request, "params");
  const Json* const tools = params == nullptr ? nullptr : find(*params, "tools");
  if (tools != nullptr && tools->is_array() && !tools->empty() && !has_tool_results(*params)) {
    return tool_use(tools->front(), budget);
  }
  return granted(request);
}

// retried returns `params` with what an input_required result asks for.
Json retried(Json params, const Json& result, Budget& budget) {
  params = retry_of(std::move(params), result);
  const Json* const asked = find(result, "inputRequests");
  if (asked == nullptr || !asked->is_object()) return params;
  for (const auto& [key, request] : asked->items()) {
    params["inputResponses"][key] = obliging(request, budget);
  }
  return params;
}

// is_used returns whether more was answered in a session than what opened it.
bool is_used(const Session& session) {
  const auto is_answer = [](const Frame& frame) {
    return find(*frame.message, "method") == nullptr;
  };
  return std::ranges::count_if(session.wire().inbox().frames, is_answer) > 1;
}

// await_start waits until a process answers that no handshake has waited for.
Task<void> await_start(Session& session) {
  if (session.wire().http() || !is_stateless(session.revision())) co_return;
  Client client(session, 0);
  Client::Begun begun = client.begin(client.request_of("server/discover", Json::object()));
  const Duration patience = client.pace().opening();
  co_await client.finish(std::move(begun), patience);
}

}  // namespace

// open returns a session to make the calls on; null: none is to be had.
Task<std::unique_ptr<Session>> ExerciseRun::open() {
  if (declared_ == Declared::kAll) {
    std::unique_ptr<Session> leased = co_await sessions_.lease_first();
    co_return std::move(leased);
  }
  SessionOptions options;
  options.revision = survey_.revision;
  options.capabilities = capabilities_of(declared_, options.revision);
  Result<std::unique_ptr<Session>> opened =
      co_await open_session(subject_, std::move(options), 0, await_start);
  if (!opened.ok()) co_return nullptr;
  std::unique_ptr<Session> session = std::move(opened).value();
  session->mirror_parameters(survey_.tools.items);
  co_return std::move(session);
}

Task<void> ExerciseRun::run() {
  session_ = co_await open();
  opened_ = true;
  subject_.changes().tell();
  const auto is_known = [this] { return plan_.known; };
  co_await subject_.changes().wait(kNever, is_known);  // Dropped with the exercise: see Exercises.
  if (session_ == nullptr) co_return;
  note_offered();
  // Where nobody has spoken with it, what it has asked since it was opened it asks by itself.
  frames_read_ = is_used(*session_) ? session_->wire().inbox().frames.size() : 0;
  for (const char* const method : {"sampling/createMessage", "elicitation/create"}) {
    session_->answer_with(method, [&budget = budget_](const Json& request) {
      Json response(Json::value_t::object);
      response["result"] = obliging(request, budget);
      return response;
    });
  }
  co_await listen();
  if (declared_ != Declared::kAll && plan_.calls.empty()) co_await greet();
  co_await call_what_is_left();
  co_await Client(*session_, 0).hush();
  read_frames();
  co_await stop_listening();
  if (declared_ == Declared::kAll) {
    sessions_.give_back(std::move(session_));
  } else {
    co_await session_->close();
  }
}

void ExerciseRun::note_offered() {
  const Json* const result = session_->opening().result();
  const Json* const offered = result == nullptr ? nullptr : find(*result, "capabilities");
  if (plan_.exercise.offered.is_null() && offered != nullptr) plan_.exercise.offered = *offered;
}

// greet finds out what calls would show, where there are none.
Task<void> ExerciseRun::greet() {
  if (session_->opening().result() == nullptr) co_return;
  plan_.exercise.greeted = co_await Client(*session_, 0).alive();
}

Task<void> ExerciseRun::call_what_is_left() {
  const Duration most = plan_.known_tools ? kLearnedTimeMax : kExerciseMax;
  const Duration whole = most + subject_.pace().several(kAnswersAwaited);
  const Instant enough = after(subject_.loop().now(), whole);
  while (plan_.next < plan_.calls.size()) {
    if (!session_->usable() || subject_.loop().now() >= enough) co_return;
    co_await make(plan_.calls[plan_.next++]);
  }
}

// watched returns the URIs of resources whose changes are listened for.
Json ExerciseRun::watched() const {
  Json uris = Json::array();
  if (!plan_.watches || !survey_.declares("/resources/subscribe")) return uris;
  for (const Json& resource : survey_.resources.items) {
    if (uris.size() == kWatchedMax) break;
    uris.push_back(string_or(resource, "uri", ""));
  }
  return uris;
}

// filter returns what a stateless server can be listened to for; empty: nothing.
Json ExerciseRun::filter() const {
  Json filter = Json::object();
  for (const char* const feature : {"tools", "prompts", "resources"}) {
    if (!survey_.declares("/" + std::string(feature) + "/listChanged")) continue;
    filter[std::string(feature) + "ListChanged"] = true;
  }
  Json uris = watched();
  if (!uris.empty()) filter["resourceSubscriptions"] = std::move(uris);
  return filter;
}

// listen asks for everything that is logged, and to be told of changes.
Task<void> ExerciseRun::listen() {
  Client client(*session_, 0);
  if (is_stateless(survey_.revision)) {
    Json wanted = filter();
    if (!wanted.empty()) listening_ = begin_listening(client, std::move(wanted));
    co_return;
  }
  std::vector<Client::Begun> subscribing;
  if (survey_.declares("/logging")) {
    Json params = Json::object();
    params["level"] = "debug";
    subscribing.push_back(client.begin(client.request_of("logging/setLevel", std::move(params))));
  }
  for (const Json& uri : watched()) {
    Json params = Json::object();
    params["uri"] = uri;
    subscribed_.push_back(uri.get<std::string>());
    subscribing.push_back(
        client.begin(client.request_of("resources/subscribe", std::move(params))));
  }
  for (Client::Begun& each : subscribing) co_await client.finish(std::move(each));
}

// stop_listening leaves the session as it was for the next who uses it.
Task<void> ExerciseRun::stop_listening() {
  if (declared_ != Declared::kAll || !session_->usable()) co_return;
  Client client(*session_, 0);
  if (listening_) co_await conformance::stop_listening(client, *listening_);
  std::vector<Client::Begun> ending;
  for (const std::string& uri : subscribed_) {
    Json params = Json::object();
    params["uri"] = uri;
    ending.push_back(client.begin(client.request_of("resources/unsubscribe", std::move(params))));
  }
  for (Client::Begun& each : ending) co_await client.finish(std::move(each));
}

// with_wishes asks for progress with a token of its own, a text or a number, and in a stateless
// revision for all that is logged. The token goes by the id: a call that takes long may still be at
// work when the next run uses the session.
Json ExerciseRun::with_wishes(Json message) {
  const auto session = static_cast<std::int64_t>(number_ + 1);
  const std::int64_t number = session * kTokensOfSession + message["id"].get<std::int64_t>();
  token_ = number % 2 == 0 ? Json(number) : Json("plumbline-" + std::to_string(number));
  Json& meta = message["params"]["_meta"];
  meta["progressToken"] = token_;
  if (is_stateless(session_->revision())) {
    meta[kMetaCapabilities] = capabilities_of(declared_, session_->revision());
    meta[kMetaLogLevel] = "debug";
  }
  return message;
}

// make sends one call and, while input is asked for, gives it and calls again.
Task<void> ExerciseRun::make(Call call) {
  const Json first = call.params;
  for (int round = 0; round < kRoundsMax; ++round) {
    Client client(*session_, 0);
    Json message = with_wishes(client.request_of(call.method, call.params));
    call.evidence.push_back(now("->", message));
    Client::Begun begun = client.begin(std::move(message));
    const Duration patience = kCallMax + client.pace().quiet() + client.pace().several(2);
    call.reply = co_await client.finish(std::move(begun), patience);
    if (call.reply.answered()) call.evidence.push_back(now("<-", *call.reply.message));
    read_frames();
    note_what_it_shows(call);
    call.wants = asked_now_;
    call.repeats_keys = repeats_keys_;
    const Json* const result = call.reply.result();
    const bool more = result != nullptr &&
                      string_or(*result, "resultType", "") == "input_required" &&
                      is_stateless(session_->revision());
    if (more) note_inputs(call);
    plan_.exercise.calls.push_back(call);
    subject_.changes().tell();
    if (!more) co_return;
    call.params = retried(first, *result, budget_);
    call.evidence.clear();
    call.first = false;
  }
}

void ExerciseRun::note_inputs(Call& call) {
  const Json* const asked = find(*call.reply.result(), "inputRequests");
  if (asked == nullptr || !asked->is_object()) return;
  for (const auto& [key, request] : asked->items()) {
    plan_.exercise.asked.push_back(ServerAsked{request, number_, false, key, call.evidence});
    call.wants.push_back(plan_.exercise.asked.back().method());
  }
}

// note_what_it_shows reads what came since the call was sent.
void ExerciseRun::note_what_it_shows(Call& call) const {
  const Json* const result = call.complete();
  if (result != nullptr && bool_or(*result, "isError", false)) call.shows.insert(Shows::kFailure);
  if (call.reply.code() == -32021) call.shows.insert(Shows::kNeedsCapability);
  for (const Json& message : told_now_) {
    const std::string method = string_or(message, "method", "");
    if (method == "notifications/message") call.shows.insert(Shows::kLogs);
    const Json* const token = at_pointer(message, "/params/progressToken");
    if (method == "notifications/progress" && token != nullptr && *token == token_) {
      call.shows.insert(Shows::kProgress);
    }
    note_change(message, call);
  }
}

void ExerciseRun::note_change(const Json& message, Call& call) const {
  const std::string method = string_or(message, "method", "");
  if (method == "notifications/tools/list_changed") call.shows.insert(Shows::kToolsChange);
  if (method == "notifications/prompts/list_changed") call.shows.insert(Shows::kPromptsChange);
  if (method == "notifications/resources/list_changed") {
    call.shows.insert(Shows::kResourcesChange);
  }
  const Json* const uri = at_pointer(message, "/params/uri");
  if (method != "notifications/resources/updated" || uri == nullptr || !uri->is_string()) return;
  call.shows.insert(Shows::kResourceUpdate);
  if (call.updated.empty()) call.updated = uri->get<std::string>();
}

// read_frames takes in what the server said of its own accord since the last time.
void ExerciseRun::read_frames() {
  asked_now_.clear();
  told_now_.clear();
  repeats_keys_ = false;
  Inbox& inbox = session_->wire().inbox();
  for (; frames_read_ < inbox.frames.size(); ++frames_read_) {
    const Json& message = *inbox.frames[frames_read_].message;
    repeats_keys_ = repeats_keys_ || inbox.frames[frames_read_].repeats_keys;
    if (find(message, "method") == nullptr) continue;
    std::vector<Evidence> evidence;
    evidence.push_back(now("<-", message));
    const bool request = find(message, "id") != nullptr;
    if (request) asked_now_.push_back(string_or(message, "method", ""));
    if (!request) told_now_.push_back(message);
    auto& list = request ? plan_.exercise.asked : plan_.exercise.told;
    list.push_back(ServerAsked{message, number_, request, {}, std::move(evidence)});
  }
}

Evidence ExerciseRun::now(const char* direction, const Json& message) const {
  const Duration since = subject_.loop().now() - Instant{};
  return Evidence{milliseconds_of(since), direction, message};
}

}  // namespace plumbline::conformance
