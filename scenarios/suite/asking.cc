#include "scenarios/suite/asking.h"

#include <utility>

#include "conformance/peer/answers.h"
#include "conformance/peer/client.h"

namespace plumbline::suite {

namespace {

using conformance::Client;
using conformance::Reply;

constexpr int kPagesMax = 1'000;
constexpr int kInputRoundsMax = 5;

// ListMethod are the method of a list and the member of its result.
struct ListMethod {
  std::string_view list;
  const char* method;
  const char* member;
};
constexpr ListMethod kListMethods[] = {
    {"tools", "tools/list", "tools"},
    {"resources", "resources/list", "resources"},
    {"templates", "resources/templates/list", "resourceTemplates"},
    {"prompts", "prompts/list", "prompts"}};

const ListMethod& list_called(std::string_view list) {
  for (const ListMethod& one : kListMethods) {
    if (one.list == list) return one;
  }
  return kListMethods[0];
}

// Asker asks the one thing of a step once.
class Asker {
 public:
  Asker(Server& server, const Question& question, Answered& out)
      : client_(server.session(), 0),
        answers_(*question.answers),
        patience_(question.patience),
        out_(out) {}

  // ask puts what came into the Answered.
  Task<void> ask(std::string method, Json params, bool reports) {
    double took = 0;
    const std::size_t before = inbox().frames.size();
    for (int round = 0; round <= kInputRoundsMax; ++round) {
      Json message = client_.request_of(method, params);
      if (reports) message["params"]["_meta"]["progressToken"] = message["id"];
      out_.request = message;
      Client::Begun begun = client_.begin(std::move(message));
      const Reply reply = co_await client_.finish(std::move(begun), patience_);
      took += static_cast<double>(reply.took.count()) / 1e6;
      take(reply);
      const Json* const result = out_.result();
      if (result == nullptr || string_or(*result, "resultType", "") != "input_required") break;
      grant(params, *result);
    }
    out_.took_ms.push_back(took);
    for (std::size_t i = before; i < inbox().frames.size(); ++i) {
      const conformance::KeptJson& message = inbox().frames[i].message;
      if (find(*message, "method") != nullptr) out_.along.push_back(message);
    }
  }

  Task<void> list(ListMethod names) {
    Json all = Json::array();
    Json params = Json::object();
    for (int page = 0; page < kPagesMax; ++page) {
      co_await ask(names.method, params, false);
      const Json* const result = out_.result();
      const Json* const items = result == nullptr ? nullptr : find(*result, names.member);
      if (items == nullptr || !items->is_array()) co_return;
      for (const Json& item : *items) all.push_back(item);
      const Json* const cursor = find(*result, "nextCursor");
      if (cursor == nullptr) {
        out_.response["result"][names.member] = std::move(all);
        co_return;
      }
      params["cursor"] = *cursor;
    }
    out_.response = nullptr;
    out_.why = "more than 1000 pages";
  }

 private:
  conformance::Inbox& inbox() { return client_.session().wire().inbox(); }

  void take(const Reply& reply) {
    out_.response = reply.answered() ? *reply.message : Json();
    out_.why = reply.answered() ? "" : reply.describe();
    out_.lost = reply.how == Reply::How::kClosed;
  }

  // grant answers what `result` asks for, in the params of the next round.
  void grant(Json& params, const Json& result) {
    params = conformance::retry_of(std::move(params), result);
    const Json* const asked = find(result, "inputRequests");
    if (asked == nullptr || !asked->is_object()) return;
    for (const auto& [name, request] : asked->items()) {
      Json message = request;
      message["id"] = name;
      const auto answer = answers_.find(string_or(request, "method", ""));
      if (answer != answers_.end()) params["inputResponses"][name] = answer->second;
      out_.along.push_back(conformance::kept(std::move(message)));
    }
  }

  Client client_;
  const Answers& answers_;
  Duration patience_;
  Answered& out_;
};

}  // namespace

std::string method_of(const Step& step) {
  switch (step.verb) {
    case Verb::kCall:
      return "tools/call";
    case Verb::kRead:
      return "resources/read";
    case Verb::kPrompt:
      return "prompts/get";
    case Verb::kComplete:
      return "completion/complete";
    case Verb::kList:
      return list_called(step.what).method;
    case Verb::kSend:
      break;
  }
  return step.what;
}

Json params_of(const Step& step, const Names& names) {
  Json params = Json::object();
  const std::string what = filled_text(step.what, names);
  const Json with = step.with.is_null() ? Json() : filled(step.with, names);
  switch (step.verb) {
    case Verb::kCall:
    case Verb::kPrompt:
      params["name"] = what;
      params["arguments"] = with.is_null() ? Json(Json::object()) : with;
      break;
    case Verb::kRead:
      params["uri"] = what;
      break;
    case Verb::kComplete:
    case Verb::kSend:
      if (!with.is_null()) params = with;
      break;
    case Verb::kList:
      break;
  }
  return params;
}

Task<Answered> ask(Server& server, Question question) {
  Answered answered;
  const Step& step = *question.step;
  Asker asker(server, question, answered);
  const std::string method = method_of(step);
  const Json params = params_of(step, *question.names);
  const bool reports = find(step.expect, "progress") != nullptr;
  for (std::size_t i = 0; i < step.times; ++i) {
    if (step.verb == Verb::kList) {
      ListMethod list = list_called(step.what);
      co_await asker.list(std::move(list));
    } else {
      co_await asker.ask(method, params, reports);
    }
    if (answered.response.is_null()) break;
  }
  co_return answered;
}

}  // namespace plumbline::suite
