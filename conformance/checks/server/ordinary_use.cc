#include "conformance/checks/server/ordinary_use.h"

#include <string>
#include <utility>
#include <vector>

#include "conformance/peer/client.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kUnknown = "plumbline-\u00e9-\U0001F600";

Json unknown_by(const char* key, const std::string& value) {
  Json params = Json::object();
  params[key] = value;
  return params;
}

// refused_requests returns requests that come to nothing with any server.
std::vector<Json> refused_requests(Client& client, const Survey& survey) {
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
  return requests;
}

}  // namespace

Task<void> use_ordinarily(Session& session, const Survey& survey, Exercises& exercises) {
  co_await exercises.of(Declared::kAll);
  if (!session.usable()) co_return;
  Client client(session, 0);
  std::vector<Client::Begun> begun;
  for (Json& request : refused_requests(client, survey)) {
    begun.push_back(client.begin(std::move(request)));
  }
  for (Client::Begun& each : begun) co_await client.finish(std::move(each));
  co_await client.notify("notifications/plumbline-unknown");
}

}  // namespace plumbline::conformance
