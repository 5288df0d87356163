#include "conformance/checks/server/ordinary_use.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/catalogue/requirement.h"
#include "conformance/peer/client.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kCallsMax = 6;
constexpr std::int64_t kTokens = 1'000'000;  // Beyond those of the exercise.
constexpr Duration kQuick = std::chrono::milliseconds(600);
// What is told so long after an answer belongs to no call before, as oracles see it.
constexpr Duration kPast = std::chrono::milliseconds(600);
constexpr const char* kUnknown = "plumbline-\u00e9-\U0001F600";

Json unknown_by(const char* key, const std::string& value) {
  Json params = Json::object();
  params[key] = value;
  return params;
}

// completion_of returns params of completion/complete for the first argument of any prompt; null:
// there is none.
Json completion_of(const Survey& survey) {
  for (const Json& prompt : survey.prompts.items) {
    const Json* const arguments = find(prompt, "arguments");
    if (arguments == nullptr || !arguments->is_array() || arguments->empty()) continue;
    Json params = Json::object();
    params["ref"]["type"] = "ref/prompt";
    params["ref"]["name"] = string_or(prompt, "name", "");
    params["argument"]["name"] = string_or(arguments->front(), "name", "");
    params["argument"]["value"] = "";
    return params;
  }
  return nullptr;
}

// plain_requests returns some that come to nothing with any server, and a completion.
std::vector<Json> plain_requests(Client& client, const Survey& survey) {
  std::vector<Json> requests;
  requests.push_back(client.request_of("plumbline/no-such-method", Json::object()));
  const std::string number = dump_json(requests.front()["id"]);
  requests.front()["id"] = kUnknown + ("-" + number);
  if (survey.declares("/tools")) {
    requests.push_back(client.request_of("tools/call", unknown_by("name", kUnknown)));
  }
  if (survey.declares("/prompts")) {
    requests.push_back(client.request_of("prompts/get", unknown_by("name", kUnknown)));
  }
  if (survey.declares("/resources")) {
    requests.push_back(
        client.request_of("resources/read", unknown_by("uri", "plumbline://no-such-resource")));
  }
  Json completion = completion_of(survey);
  if (!completion.is_null() && survey.declares("/completions")) {
    requests.push_back(client.request_of("completion/complete", std::move(completion)));
  }
  return requests;
}

// has_one_stream returns whether what is told of several calls comes on one stream, and each of
// them says what it wants to hear. Over HTTP a stream says whose it is, and sessions ask for logs
// once for all calls.
bool has_one_stream(const Session& session) {
  return is_stateless(session.revision()) && !session.wire().http();
}

// quick_calls returns calls of tools that went well and fast.
std::vector<const Call*> quick_calls(const Exercise& exercise) {
  std::vector<const Call*> quick;
  for (const Call* const call : exercise.completed("tools/call")) {
    if (quick.size() == kCallsMax) break;
    if (call->first && call->reply.took < kQuick) quick.push_back(call);
  }
  return quick;
}

// Wish is what a client wants to hear of its call.
enum class Wish {
  kNumber,
  kDigits,
  kNothing
};  // Progress under a number, or its digits as a text.

// tells_of_calls returns whether the subject has told of progress, or logged, since `before`.
bool tells_of_calls(Session& session, std::size_t before) {
  const auto& frames = session.wire().inbox().frames;
  return std::any_of(
      frames.begin() + static_cast<std::ptrdiff_t>(before), frames.end(), [](const auto& frame) {
        const std::string method = string_or(*frame.message, "method", "");
        return method == "notifications/progress" || method == "notifications/message";
      });
}

// begin_calls calls tools as a client that wants progress and grave news, or progress and all
// news, or nothing.
std::vector<Client::Begun> begin_calls(Client& client, const Exercise& exercise, Wish wish) {
  std::vector<Client::Begun> begun;
  for (const Call* const call : quick_calls(exercise)) {
    Json request = client.request_of("tools/call", call->params);
    const std::int64_t token = kTokens + request["id"].get<std::int64_t>();
    Json& meta = request["params"]["_meta"];
    if (wish == Wish::kNumber) meta["progressToken"] = token;
    if (wish == Wish::kDigits) meta["progressToken"] = std::to_string(token);
    const char* const level = wish == Wish::kNumber ? "error" : "debug";
    const bool stateless = is_stateless(client.session().revision());
    if (wish != Wish::kNothing && stateless) meta[kMetaLogLevel] = level;
    if (meta.is_null()) request["params"].erase("_meta");
    begun.push_back(client.begin(std::move(request)));
  }
  return begun;
}

Task<void> finish_all(Client& client, std::vector<Client::Begun> begun) {
  for (Client::Begun& each : begun) co_await client.finish(std::move(each));
}

// call_again calls tools with wishes, and waits until what these bring is over.
Task<void> call_again(Client& client, const Exercise* exercise) {
  const std::size_t before = client.session().wire().inbox().frames.size();
  const bool one_stream = has_one_stream(client.session());
  std::vector<Client::Begun> grave = begin_calls(client, *exercise, Wish::kNumber);
  std::vector<Client::Begun> all;
  if (one_stream) {
    co_await finish_all(client, std::move(grave));
    all = begin_calls(client, *exercise, Wish::kDigits);
  } else {
    all = begin_calls(client, *exercise, Wish::kDigits);
    co_await finish_all(client, std::move(grave));
  }
  co_await finish_all(client, std::move(all));
  if (one_stream && tells_of_calls(client.session(), before)) {
    co_await Sleep(client.loop(), after(client.loop().now(), kPast));
  }
}

}  // namespace

Task<void> use_ordinarily(Session& session, const Survey* survey, Exercises& exercises) {
  const Exercise& all = *co_await exercises.of(Declared::kAll);
  if (!session.usable()) co_return;
  Client client(session, 0);
  co_await exercises.of(Declared::kNothing);
  co_await call_again(client, &all);
  // What is told now, without a wish, was wanted before, or by nobody.
  std::vector<Client::Begun> begun = begin_calls(client, all, Wish::kNothing);
  for (Json& request : plain_requests(client, *survey)) {
    begun.push_back(client.begin(std::move(request)));
  }
  co_await finish_all(client, std::move(begun));
  co_await client.notify("notifications/plumbline-unknown");
}

Task<void> show_make(Session& session, const Survey* survey) {
  Client client(session, 0);
  std::vector<Json> requests = plain_requests(client, *survey);
  if (survey->declares("/tools")) {
    requests.push_back(client.request_of("tools/call", Json{{"name", 1}}));
  }
  std::vector<Client::Begun> begun;
  for (Json& request : requests) begun.push_back(client.begin(std::move(request)));
  co_await finish_all(client, std::move(begun));
}

}  // namespace plumbline::conformance
