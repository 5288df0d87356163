// Tasks that a client runs for its server: spec 2025-11-25, basic/utilities/tasks.
//
// While a tool runs the server asks for a sample, or for input, as a task, and does with the task
// whatever it may.

#include <chrono>
#include <deque>
#include <string>
#include <utility>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/checks/client/asking/owned_tasks.h"
#include "conformance/checks/client/script_kit.h"

namespace plumbline::conformance {

namespace {

constexpr Duration kBetweenTaskLooks = std::chrono::milliseconds(60);
constexpr int kLooksMax = 10;
constexpr int kTaskPagesMax = 20;
constexpr const char* kNoTaskOfItsOwn = "plumbline-no-such-task";

// What is asked, in order. "look" is asked until the task is over, "list" until there is no page
// more; what a client did not declare is left out.
constexpr const char* kPlan[] = {
    "make",          "early",  "result",    "look",      "settled", "over",      "still",
    "misled",        "no-get", "no-result", "no-cancel", "second",  "drop",      "dropped",
    "dropped-later", "more-0", "more-1",    "more-2",    "more-3",  "more-4",    "more-5",
    "more-6",        "more-7", "more-8",    "more-9",    "list",    "bad-cursor"};

class OwnedTasks final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.events = true;
    peer.offer.tools = {bare_tool("ask_for_a_task")};
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/call" || talk_.came) return false;
    talk_.came = true;
    call_ = asked;
    const Json declared = peer.record().capabilities(&peer.record().heard[asked.heard]);
    choose(declared);
    if (talk_.method.empty()) return false;
    plan(declared);
    next(peer);
    return true;
  }

  void on_response(ScriptedPeer& peer, const Heard& response) override {
    const std::string name = response.id()->is_string() ? response.id()->get<std::string>() : "";
    if (talk_.method.empty() || over_ || talk_.answers.contains(name)) return;
    talk_.answers[name] = response.message;
    if (name == "make" || name == "second" || name.starts_with("more-")) keep_id(response.message);
    // What the task is like now that its result has come.
    if (name == "result") put(peer, "checked", "tasks/get", of(talk_.first()));
    if (name == awaited_) go_on(peer, name);
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    judge_owned_tasks(record, talk_, verdicts);
  }

 private:
  // choose takes what the client would do as a task; else what it would do at all.
  void choose(const Json& declared) {
    const bool samples = at_pointer(declared, "/tasks/requests/sampling/createMessage") != nullptr;
    const bool elicits = at_pointer(declared, "/tasks/requests/elicitation/create") != nullptr;
    talk_.declared = samples || elicits;
    if (samples || (!elicits && find(declared, "sampling") != nullptr)) {
      talk_.method = "sampling/createMessage";
    } else if (elicits || find(declared, "elicitation") != nullptr) {
      talk_.method = "elicitation/create";
    }
  }

  void plan(const Json& declared) {
    talk_.cancels = at_pointer(declared, "/tasks/cancel") != nullptr;
    talk_.lists = at_pointer(declared, "/tasks/list") != nullptr;
    for (const std::string step : kPlan) {
      const bool cancels = step == "over" || step == "no-cancel" || step.starts_with("drop");
      const bool lists = step == "list" || step == "bad-cursor" ||
                         (step.starts_with("more-") && step > std::string("more-1"));
      if ((cancels && !talk_.cancels) || (lists && !talk_.lists)) continue;
      plan_.push_back(step);
      if (!talk_.declared) break;
    }
  }

  void keep_id(const Json& answer) {
    const Json* const task = at_pointer(answer, "/result/task");
    const std::string id = task == nullptr ? "" : string_or(*task, "taskId", "");
    if (!id.empty()) talk_.ids.push_back(id);
  }

  static Json of(const std::string& id) {
    Json params(Json::value_t::object);
    params["taskId"] = id;
    return params;
  }

  void put(ScriptedPeer& peer, std::string name, std::string method, Json params) {
    peer.ask_with(call_, Json(std::move(name)), std::move(method), std::move(params));
  }

  // go_on takes the next step, once `name` was answered.
  void go_on(ScriptedPeer& peer, const std::string& name) {
    const Json& answer = talk_.answers[name];
    if (name == "make" && talk_.ids.empty()) return finish(peer);
    const Json* const cursor = at_pointer(answer, "/result/nextCursor");
    if (name.starts_with("list") && cursor != nullptr && talk_.pages < kTaskPagesMax) {
      Json params(Json::value_t::object);
      params["cursor"] = *cursor;
      awaited_ = "list-" + std::to_string(++talk_.pages);
      return put(peer, awaited_, "tasks/list", std::move(params));
    }
    if (name.starts_with("look") && !talk_.is_over(name) && looks_ < kLooksMax) {
      return look(peer);
    }
    next(peer);
  }

  void look(ScriptedPeer& peer) {
    awaited_ = "look-" + std::to_string(++looks_);
    peer.later(kBetweenTaskLooks, [this, &peer] {
      if (!over_) put(peer, awaited_, "tasks/get", of(talk_.first()));
    });
  }

  void finish(ScriptedPeer& peer) {
    if (over_) return;
    over_ = true;
    peer.usual(call_);
  }

  // asks returns the method of a step; `params` becomes what is asked with it.
  std::string asks(const std::string& step, Json& params) const {
    const auto begins = [&](const char* how) { return step.starts_with(how); };
    if (step == "make" || step == "second" || begins("more-")) {
      params = talk_.method == "elicitation/create"
                   ? form_params("Shall this go on?")
                   : json_of(R"json({"maxTokens": 20, "messages": [{"role": "user",
                         "content": {"type": "text", "text": "Say hello"}}]})json");
      params["task"]["ttl"] = 60'000;
      return talk_.method;
    }
    if (step == "list" || step == "bad-cursor") {
      params = Json::object();
      if (step == "bad-cursor") params["cursor"] = "plumbline: no cursor of anybody";
      return "tasks/list";
    }
    params = of(begins("no-")    ? kNoTaskOfItsOwn
                : begins("drop") ? talk_.ids.back()
                                 : talk_.first());
    if (step == "misled") params["_meta"][kMetaRelatedTask]["taskId"] = kNoTaskOfItsOwn;
    if (step == "result" || step == "no-result") return "tasks/result";
    const bool cancels = step == "over" || step == "no-cancel" || step == "drop";
    return cancels ? "tasks/cancel" : "tasks/get";
  }

  void next(ScriptedPeer& peer) {
    if (plan_.empty()) return finish(peer);
    const std::string step = plan_.front();
    plan_.pop_front();
    if (step == "look") return look(peer);
    awaited_ = step;
    const bool waits = step == "settled" || step == "dropped-later";
    if (waits) {
      peer.later(kBetweenTaskLooks * 2, [this, &peer, step] { ask_step(peer, step); });
      return;
    }
    ask_step(peer, step);
    // Whether it waits with the result is seen by what comes meanwhile.
    if (step == "result") next(peer);
  }

  void ask_step(ScriptedPeer& peer, const std::string& step) {
    Json params;
    std::string method = asks(step, params);
    put(peer, step, std::move(method), std::move(params));
  }

  Asked call_;
  OwnedTaskTalk talk_;
  std::deque<std::string> plan_;
  std::string awaited_;
  int looks_ = 0;
  bool over_ = false;
};

constexpr ClientScenario kOwnedTaskScenarios[] = {
    {"tools_call", "owned-tasks", Eras::kStateful, Over::kAny, since::kTasks, kOwnedTaskIds,
     make_script<OwnedTasks>},
};

}  // namespace

ClientScenarios owned_task_scenarios() { return kOwnedTaskScenarios; }

}  // namespace plumbline::conformance
