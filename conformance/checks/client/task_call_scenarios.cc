// Calls that become tasks, and those that must not. For programs that know these scenarios:
// docs/porting-a-client.md.

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/checks/client/script_kit.h"

namespace plumbline::conformance {

namespace {

Json task_of(const std::string& status) {
  Json task = json_of(R"({"taskId": "judge-task-1", "createdAt": "2026-01-01T00:00:00Z",
      "lastUpdatedAt": "2026-01-01T00:00:00Z", "ttl": 60000, "pollInterval": 400})");
  task["status"] = status;
  return task;
}

// Tasks has a tool that is only to be called as a task, and one that is never to be.
class Tasks final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.offer.capabilities["tasks"] =
        json_of(R"({"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}})");
    Json required = bare_tool("as_a_task");
    required["execution"]["taskSupport"] = "required";
    peer.offer.tools = {bare_tool("never_as_a_task"), std::move(required)};
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    const std::string method = asked.method();
    if (method == "tools/call" && asked.param("name") == "as_a_task") {
      Json result(Json::value_t::object);
      result["task"] = task_of("working");
      peer.result(asked, std::move(result));
      return true;
    }
    if (method == "tasks/list") {
      Json page(Json::value_t::object);
      page["tasks"] = Json::array();
      if (asked.param("cursor").empty()) page["nextCursor"] = kOddTaskCursor;
      peer.result(asked, std::move(page));
      return true;
    }
    if (method == "tasks/get") {
      peer.result(asked, task_of(status_for(peer, asked)));
      return true;
    }
    if (method != "tasks/result") return false;
    if (wants_input_) {
      wants_input_ = false;
      waiting_ = asked;
      Json params = form_params("Who are you?");
      params["_meta"][kMetaRelatedTask]["taskId"] = "judge-task-1";
      peer.ask_with(asked, Json(kOfTask), "elicitation/create", std::move(params));
      peer.later(kInputMax, [this, &peer] { hand_over(peer); });
      return true;
    }
    peer.later(std::chrono::milliseconds(polls_ < 3 ? 2'000 : 1),
               [&peer, asked] { peer.result(asked, done()); });
    return true;
  }

  void on_response(ScriptedPeer& peer, const Heard& response) override {
    if (*response.id() == Json(kOfTask)) hand_over(peer);
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    Finding required = augmented(record, "as_a_task", true);
    // One that shows no sign of tasks cannot do better, and is told so by the server.
    if (!knows_tasks(record)) required = at_most_risky(std::move(required));
    verdicts.say("tasks.tool-required-augmented", std::move(required));
    verdicts.say("tasks.tool-forbidden-not-augmented", augmented(record, "never_as_a_task", false));
    const Heard* const call = record.called("as_a_task");
    Finding polls = never_came(record, "called a tool as a task");
    Finding pace = polls;
    if (call != nullptr && find(*call->params(), "task") != nullptr) {
      const std::vector<const Heard*> gets = record.requests("tasks/get");
      const bool fetched = !record.requests("tasks/result").empty();
      polls = gets.size() >= 3 || fetched
                  ? passes()
                  : broken("it did not follow the task to its end; " + record.how_it_ended());
      pace = gets.size() < 2 ? not_for_it("it did not poll twice") : passes();
      for (std::size_t i = 1; i < gets.size(); ++i) {
        const std::int64_t waited = milliseconds_of(gets[i]->at - gets[i - 1]->at);
        if (waited < 300) {
          pace = at(record, *gets[i],
                    broken("it polled again after " + std::to_string(waited) +
                           " ms, the pollInterval is 400 ms"));
        }
      }
    }
    verdicts.say("tasks.list-cursor-opaque", takes_cursors(record));
    verdicts.say("tasks.related-meta-on-all-messages", relates(record));
    verdicts.say("tasks.poll-until-terminal", polls);
    verdicts.say("tasks.no-reliance-on-notifications", std::move(polls));
    verdicts.say("tasks.poll-interval-respected", std::move(pace));
  }

 private:
  static constexpr const char* kOddTaskCursor = " judge%20cursor/\xC3\xA9== ";
  static constexpr const char* kOfTask = "of-the-task";
  static constexpr Duration kInputMax = std::chrono::milliseconds(1'500);

  // status_for says how the task is: a client that has elicitation is asked for input, and needs to
  // come for it in some looks.
  std::string status_for(ScriptedPeer& peer, const Asked& asked) {
    const Json declared = peer.record().capabilities(&peer.record().heard[asked.heard]);
    const bool asks = find(declared, "elicitation") != nullptr;
    ++polls_;
    if (polls_ == 2 && asks) wants_input_ = true;
    if (polls_ < 2 || (polls_ < 3 && !asks)) return "working";
    if (wants_input_ && polls_ < 5) return "input_required";
    return waiting_ ? "working" : "completed";
  }

  void hand_over(ScriptedPeer& peer) {
    if (!waiting_) return;
    const Asked asked = *waiting_;
    waiting_.reset();
    peer.result(asked, done());
  }

  static Json done() {
    Json result = text_result("done");
    result["_meta"][kMetaRelatedTask]["taskId"] = "judge-task-1";
    return result;
  }

  static Finding takes_cursors(const Record& record) {
    Finding finding = not_for_it("it lists no tasks, or asks for no second page");
    for (const Heard* const list : record.requests("tasks/list")) {
      const std::string cursor = list->param("cursor");
      if (cursor.empty()) continue;
      finding = passes();
      if (cursor == kOddTaskCursor) continue;
      return at(record, *list,
                broken("it asked for tasks with the cursor \"" + cursor + "\", expected \"" +
                       kOddTaskCursor + "\""));
    }
    return finding;
  }

  static Finding relates(const Record& record) {
    const Heard* const answer = record.response_to(Json(kOfTask));
    const Json* const result = answer == nullptr ? nullptr : find(answer->message, "result");
    if (result == nullptr || !result->is_object())
      return not_for_it("it was asked for no input of a task, or gave none");
    const Json* const meta = find(*result, "_meta");
    const Json* const about = meta == nullptr ? nullptr : find(*meta, kMetaRelatedTask);
    if (about != nullptr && string_or(*about, "taskId", "") == "judge-task-1") return passes();
    return at(record, *answer,
              broken("its answer to a request that belongs to a task does not name the task in "
                     "_meta " +
                     std::string(kMetaRelatedTask)));
  }

  static bool knows_tasks(const Record& record) {
    const Json declared = record.capabilities();
    return find(declared, "tasks") != nullptr || record.first([](const Heard& message) {
      return message.method().starts_with("tasks/") ||
             (message.params() != nullptr && find(*message.params(), "task") != nullptr);
    }) != nullptr;
  }

  static Finding augmented(const Record& record, std::string_view tool, bool wanted) {
    const Heard* const call = record.called(tool);
    if (call == nullptr) return never_came(record, "called the tool " + std::string(tool));
    const bool is = find(*call->params(), "task") != nullptr;
    if (is == wanted) return passes();
    return at(record, *call,
              broken(std::string(tool) + (is ? " was called as a task, which it does not support"
                                             : " was called plainly, but has to be called as a "
                                               "task")));
  }

  bool wants_input_ = false;
  std::optional<Asked> waiting_;  // tasks/result, until there is the input.
  int polls_ = 0;
};

// NoTasks has such a tool, too, but did not declare that its calls can be tasks.
class NoTasks final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    Json required = bare_tool("as_a_task_nowhere");
    required["execution"]["taskSupport"] = "required";
    peer.offer.tools = {std::move(required)};
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    const Heard* const call = record.called("as_a_task_nowhere");
    Finding finding = never_came(record, "called the tool");
    if (call != nullptr) {
      finding = find(*call->params(), "task") == nullptr
                    ? passes()
                    : at(record, *call,
                         broken("it called a tool as a task, but the server has no "
                                "tasks.requests.tools.call"));
    }
    verdicts.say("tasks.no-tool-tasks-without-capability", finding);
    verdicts.say("tasks.augment-only-declared", std::move(finding));
  }
};

constexpr std::string_view kTasksIds[] = {
    "tasks.tool-required-augmented",     "tasks.tool-forbidden-not-augmented",
    "tasks.poll-until-terminal",         "tasks.no-reliance-on-notifications",
    "tasks.poll-interval-respected",     "tasks.list-cursor-opaque",
    "tasks.related-meta-on-all-messages"};
constexpr std::string_view kNoTasksIds[] = {"tasks.no-tool-tasks-without-capability",
                                            "tasks.augment-only-declared"};

constexpr ClientScenario kTaskCallScenarios[] = {
    {"tasks", "tasks", Eras::kStateful, Over::kAny, since::kTasks, kTasksIds, make_script<Tasks>},
    {"tools_call", "no-tasks", Eras::kStateful, Over::kAny, since::kTasks, kNoTasksIds,
     make_script<NoTasks>},
};

}  // namespace

ClientScenarios task_call_scenarios() { return kTaskCallScenarios; }

}  // namespace plumbline::conformance
