#include <string>
#include <utility>
#include <vector>

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

// Apart is what is kept from the second user. Without sessions everything is the first user's.
struct Apart {
  bool tasks = true;
  bool states = true;
  bool tools = true;
  bool persons = true;
  bool words = true;
  bool counts = true;  // Of words.
  bool lists = true;   // The same for both.
};

Json completion_of(int total) {
  Json result = edit::text_result("");
  result.erase("content");
  result["completion"]["values"] = Json::array();
  result["completion"]["total"] = total;
  result["completion"]["hasMore"] = total > 0;
  return result;
}

Json empty_list() {
  Json result = edit::text_result("");
  result.erase("content");
  result["tools"] = Json::array();
  result["cacheScope"] = "public";
  result["ttlMs"] = 0;
  return result;
}

// answer_second is what the second user gets instead; null: what everybody does.
Json answer_second(const HttpRequest& request, const Apart& apart) {
  const bool stateless = request.headers.count("Mcp-Method") > 0;
  const bool calls = has_text(request, "\"tools/call\"");
  Json answer = Json::object();
  if ((stateless && apart.tasks && has_text(request, "\"taskId\"")) ||
      (stateless && apart.states && has_text(request, "\"requestState\"")) ||
      (apart.tools && calls && has_text(request, "\"test_simple_text\""))) {
    edit::refuse_instead(answer, -32602);
  } else if (apart.persons && calls && has_text(request, "\"test_embedded_resource\"")) {
    edit::answer_instead(answer, edit::text_result("the second user"));
  } else if (apart.words && has_text(request, "\"completion/complete\"")) {
    edit::answer_instead(answer,
                         completion_of(!apart.counts && has_text(request, "\"par\"") ? 3 : 0));
  } else if (!apart.lists && has_text(request, "\"tools/list\"")) {
    edit::answer_instead(answer, empty_list());
  } else {
    return nullptr;
  }
  return answer;
}

Answer keeps_from_second(HttpRequest& request, const Apart& apart) {
  if (Answer no = keeps_sessions_apart(request)) return no;
  if (!is_second(request)) return std::nullopt;
  Json answer = answer_second(request, apart);
  if (answer.is_null()) return std::nullopt;
  return respond_with(request, std::move(answer));
}

Answer keeps_all_apart(HttpRequest& request) { return keeps_from_second(request, Apart()); }

// What belongs to whom, as a vendor would say it.
constexpr const char* kWhose = R"json({
  "tools": {"test_simple_text": {"shows": ["private"]},
            "test_embedded_resource": {"shows": ["user"]}},
  "completions": [{"ref": {"type": "ref/prompt", "name": "test_prompt_with_arguments"},
                   "argument": {"name": "arg1", "value": "par"},
                   "private": ["paris", "park", "party"]}]})json";

Deviation of_two(std::string_view id, std::string_view revision, std::string_view what,
                 Answer (*request)(HttpRequest&)) {
  Deviation deviation = at_door(id, revision, what, request);
  deviation.response = marks_sessions;
  deviation.credentials = bearer("first");
  deviation.second_credentials = bearer("second");
  deviation.hints = kWhose;
  return deviation;
}

Deviation with_also(Deviation deviation, std::vector<std::string_view> also) {
  deviation.also = std::move(also);
  return deviation;
}

// goes_on_for_everybody goes on with the states of the first user for the second.
Deviation goes_on_for_everybody(std::string_view id) {
  Deviation deviation =
      of_two(id, "2026-07-28", "goes on with everybody's states", [](HttpRequest& request) {
        Apart apart;
        apart.states = false;
        return keeps_from_second(request, apart);
      });
  for (const char* const other :
       {"mrtr.request-state-bound-to-principal", "elicitation.bound-to-client-and-user",
        "elicitation.state-bound-to-user"}) {
    if (id != other) deviation.also.emplace_back(other);
  }
  return deviation;
}

Answer lets_anybody_call(HttpRequest& request) {
  Apart apart;
  apart.tools = false;
  return keeps_from_second(request, apart);
}

Deviation with_open_sessions() {
  Deviation deviation = of_two("security.session-bound-to-user", "2025-11-25",
                               "goes by the id of a session alone", keep_door);
  deviation.response = nullptr;
  deviation.hints = nullptr;
  deviation.also = {"elicitation.state-bound-to-user"};
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
           [](HttpRequest& request) {
             Apart apart;
             apart.tasks = false;
             return keeps_from_second(request, apart);
           }),
    goes_on_for_everybody("mrtr.request-state-bound-to-principal"),
    goes_on_for_everybody("elicitation.bound-to-client-and-user"),
    goes_on_for_everybody("elicitation.state-bound-to-user"),
    of_two("elicitation.state-bound-to-user", "2025-11-25",
           "takes anybody's answer to what it asked one user",
           [](HttpRequest& request) -> Answer {
             const bool answers =
                 has_text(request, "\"result\"") && !has_text(request, "\"method\"");
             return answers ? std::nullopt : keeps_all_apart(request);
           }),
    of_two("elicitation.user-from-authorization", "2025-11-25", "takes everybody for one person",
           [](HttpRequest& request) {
             Apart apart;
             apart.persons = false;
             return keeps_from_second(request, apart);
           }),
    of_two("tools.access-control", "2025-06-18", "lets anybody call anything", lets_anybody_call),
    with_also(of_two("tools.access-control", "2026-07-28", "lets anybody call anything",
                     lets_anybody_call),
              {"caching.access-control-applied"}),
    with_also(of_two("caching.access-control-applied", "2026-07-28",
                     "lets anybody call what a public list names", lets_anybody_call),
              {"tools.access-control"}),
    of_two("caching.public-no-user-data", "2026-07-28", "has a public list for each user",
           [](HttpRequest& request) {
             Apart apart;
             apart.lists = false;
             return keeps_from_second(request, apart);
           }),
    with_also(of_two("completion.suggestions-access-controlled", "2025-03-26",
                     "completes everybody's words",
                     [](HttpRequest& request) {
                       Apart apart;
                       apart.words = false;
                       return keeps_from_second(request, apart);
                     }),
              {"completion.no-information-disclosure"}),
    of_two("completion.no-information-disclosure", "2026-07-28", "counts what it does not show",
           [](HttpRequest& request) {
             Apart apart;
             apart.counts = false;
             return keeps_from_second(request, apart);
           }),
};

}  // namespace

Deviations two_users_deviations() { return kTwoUsersDeviations; }

const Deviation& users_kept_apart() {
  static const Deviation kApart = of_two("", "", "keeps two users apart", keeps_all_apart);
  return kApart;
}

}  // namespace plumbline::conformance
