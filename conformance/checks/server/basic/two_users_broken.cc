#include <string>

#include "conformance/broken/deviation.h"
#include "conformance/broken/door_keeper.h"
#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

using wire::HttpHeaders;
using wire::HttpRequest;
using wire::HttpResponse;
using Answer = std::optional<HttpResponse>;

constexpr const char* kSessionOf = "Mcp-Session-Id";
constexpr std::string_view kMark = "second-";  // Sessions of the second user begin so.

bool is_second(const HttpRequest& request) {
  return request.headers.get("Authorization") == "Bearer second";
}

bool has_text(const HttpRequest& request, std::string_view text) {
  return request.body.find(text) != std::string::npos;
}

HttpResponse respond_with(const HttpRequest& request, Json answer) {
  const Json asked = edit::read(request.body);
  const Json* const id = find(asked, "id");
  answer["jsonrpc"] = "2.0";
  answer["id"] = id == nullptr ? Json() : *id;
  return {200, {{"Content-Type", "application/json"}}, dump_json(answer)};
}

// keeps_sessions_apart knows by its mark whose a session is.
Answer keeps_sessions_apart(HttpRequest& request) {
  if (Answer no = keep_door(request)) return no;
  const std::string session(request.headers.get(kSessionOf).value_or(""));
  if (session.empty()) return std::nullopt;
  const bool marked = session.starts_with(kMark);
  if (marked != is_second(request)) return HttpResponse{404, {}, ""};
  if (marked) request.headers.set(kSessionOf, session.substr(kMark.size()));
  return std::nullopt;
}

void marks_sessions(const HttpRequest& request, int&, HttpHeaders& headers) {
  const std::string session(headers.get(kSessionOf).value_or(""));
  if (is_second(request) && !session.empty()) {
    headers.set(kSessionOf, std::string(kMark) + session);
  }
}

// Without sessions everything is the first user's.
Answer keeps_from_second(HttpRequest& request, bool tasks, bool states) {
  if (Answer no = keeps_sessions_apart(request)) return no;
  const bool stateless = request.headers.count("Mcp-Method") > 0;
  if (!stateless || !is_second(request)) return std::nullopt;
  if ((!tasks || !has_text(request, "\"taskId\"")) &&
      (!states || !has_text(request, "\"requestState\""))) {
    return std::nullopt;
  }
  Json refusal = Json::object();
  edit::refuse_instead(refusal, -32602);
  return respond_with(request, std::move(refusal));
}

Answer keeps_all_apart(HttpRequest& request) { return keeps_from_second(request, true, true); }

Deviation of_two(std::string_view id, std::string_view revision, std::string_view what,
                 Answer (*request)(HttpRequest&)) {
  Deviation deviation = at_door(id, revision, what, request);
  deviation.response = marks_sessions;
  deviation.credentials = bearer("first");
  deviation.second_credentials = bearer("second");
  return deviation;
}

Deviation with_open_sessions() {
  Deviation deviation = of_two("security.session-bound-to-user", "2025-11-25",
                               "goes by the id of a session alone", keep_door);
  deviation.response = nullptr;
  return deviation;
}

// lists_all shows every task that there was to everybody.
void lists_all(Interceptor& interceptor, Json message) {
  if (const Json* const task = at_pointer(message, "/result/task"))
    interceptor.memory.push_back(*task);
  Json* const result = edit::result_of(interceptor, message, "tasks/list");
  if (result != nullptr && interceptor.memory.is_array()) {
    const std::string listed = dump_json(*result);
    for (const Json& task : interceptor.memory) {
      if (listed.find(string_or(task, "taskId", "-")) == std::string::npos) {
        (*result)["tasks"].push_back(task);
      }
    }
  }
  interceptor.say(message);
}

Deviation with_open_lists() {
  Deviation deviation = of_two("tasks.list-own-context-only", "2025-11-25",
                               "lists the tasks of everybody", keeps_all_apart);
  deviation.from_server = lists_all;
  return deviation;
}

const Deviation kTwoUsersDeviations[] = {
    with_open_sessions(),
    of_two("tasks.bound-to-authorization", "2025-11-25", "shows tasks to everybody",
           [](HttpRequest& request) -> Answer {
             if (!is_second(request) || !has_text(request, "\"tasks/get\"")) {
               return keeps_all_apart(request);
             }
             Json answer = Json::object();
             Json& task = answer["result"];
             task["taskId"] = "one of the first user";
             task["status"] = "working";
             task["createdAt"] = task["lastUpdatedAt"] = "2025-11-25T00:00:00Z";
             task["ttl"] = nullptr;
             return respond_with(request, std::move(answer));
           }),
    with_open_lists(),
    of_two("tasks.authorization-checked", "2026-07-28", "shows tasks to everybody",
           [](HttpRequest& request) { return keeps_from_second(request, false, true); }),
    of_two("mrtr.request-state-bound-to-principal", "2026-07-28", "goes on with everybody's states",
           [](HttpRequest& request) { return keeps_from_second(request, true, false); }),
};

}  // namespace

Deviations two_users_deviations() { return kTwoUsersDeviations; }

const Deviation& users_kept_apart() {
  static const Deviation kApart = of_two("", "", "keeps two users apart", keeps_all_apart);
  return kApart;
}

}  // namespace plumbline::conformance
