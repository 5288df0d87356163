#include "conformance/checks/gateway/questions.h"

#include <algorithm>

#include "conformance/checks/server/shapes.h"

namespace plumbline::conformance {

const Json* content_of(const Reply& reply) {
  return reply.result() == nullptr ? nullptr : find(*reply.result(), "structuredContent");
}

std::string refused_since(const Session& session, std::size_t from, std::size_t call) {
  const std::vector<Exchange>& all = session.wire().inbox().exchanges;
  for (std::size_t i = from; i < all.size(); ++i) {
    if (i == call || all[i].method != "POST" || all[i].status < 400) continue;
    return "status " + std::to_string(all[i].status);
  }
  return {};
}

std::vector<Json> progress_by_token(const std::vector<KeptJson>& messages,
                                    const std::string& token) {
  std::vector<Json> found;
  for (const KeptJson& along : messages) {
    const Json& message = *along;
    const Json* const said = at_pointer(message, "/params/progressToken");
    const Json* const progress = at_pointer(message, "/params/progress");
    if (said != nullptr && *said == Json(token) && progress != nullptr) {
      found.push_back(*progress);
    }
  }
  return found;
}

Task<std::vector<Json>> progress_on_get(Client* client, std::string token) {
  if (!client->session().wire().http()) co_return std::vector<Json>();
  co_await client->hush();
  const Inbox& inbox = client->session().wire().inbox();
  std::vector<KeptJson> came;
  for (const Frame& frame : inbox.frames) {
    if (inbox.exchanges[frame.exchange].method == "GET") came.push_back(frame.message);
  }
  co_return progress_by_token(came, token);
}

void answer_questions(Session& one, Session& other, Questions& questions) {
  for (Session* const session : {&one, &other}) {
    const std::string name = session == &one ? "one" : "other";
    session->answer_with("sampling/createMessage", [name, &questions](const Json& request) {
      Json response(Json::value_t::object);
      Json& result = response["result"];
      result["role"] = "assistant";
      result["model"] = name;
      result["content"]["type"] = "text";
      const Json* const text = at_pointer(request, "/params/messages/0/content/text");
      result["content"]["text"] = text == nullptr ? Json("") : *text;
      questions.emplace_back(name, string_or(result["content"], "text", ""));
      return response;
    });
  }
}

Finding judge_answer(const Reply& got, const std::string& name, const std::string& mark,
                     const Questions& questions) {
  const Json* const back = content_of(got);
  if (back == nullptr) {
    return broken("the server asked its client during a call, which came to " + got.describe());
  }
  if (find(*back, "undeclared") != nullptr) {
    return not_for_it("it declares no sampling to the server, which may ask nothing then");
  }
  const auto asked = std::ranges::find(questions, mark, &Questions::value_type::second);
  const bool own =
      std::ranges::find(questions, Questions::value_type(name, mark)) != questions.end();
  if (asked == questions.end()) {
    return broken(
        "the question of a call, sampling/createMessage, reached no client, and the "
        "server was answered " +
        shortened(dump_json(*back)));
  }
  if (!own) {
    return broken("the question of one call was put to the client of another");
  }
  const bool both = std::ranges::any_of(questions, [&](const Questions::value_type& one) {
    return one.second == mark && one.first != name;
  });
  if (both) {
    return broken("the question of one call was put to its client, and to another client as well");
  }
  const Json* const text = at_pointer(*back, "/content/text");
  if (string_or(*back, "model", "") == name && text != nullptr && *text == Json(mark)) {
    return passes();
  }
  return broken("the client answered, and the server was told " + shortened(dump_json(*back)));
}

}  // namespace plumbline::conformance
