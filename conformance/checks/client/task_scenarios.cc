// The extension io.modelcontextprotocol/tasks, as a client meets it: SEP-2663.

#include <string>
#include <utility>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/checks/client/script_kit.h"
#include "conformance/wire/mirrored.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kExtension = "io.modelcontextprotocol/tasks";
constexpr const char* kUndeclared =
    "it does not declare the extension io.modelcontextprotocol/tasks";

bool declares_tasks(const Heard& request) {
  const Json* const all = request.meta(kMetaCapabilities);
  const Json* const extensions = all ? find(*all, "extensions") : nullptr;
  return extensions != nullptr && find(*extensions, kExtension) != nullptr;
}

bool is_of_task(const Heard& message, std::string_view id) {
  return message.method().starts_with("tasks/") && message.param("taskId") == id;
}

// TaskServer has the extension, and a tool that becomes a task for those who declare it.
class TaskServer : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.offer.capabilities["extensions"][kExtension] = Json::object();
    peer.offer.tools = {bare_tool("at_once"), bare_tool(kTool)};
  }

 protected:
  static constexpr const char* kTool = "as_a_task_later";
  static constexpr const char* kTask = "judge task \xC3\xA9";  // No header can carry it as it is.

  static Json handle_of(const char* id, const char* status) {
    Json task(Json::value_t::object);
    task["taskId"] = id;
    task["status"] = status;
    task["createdAt"] = task["lastUpdatedAt"] = "2026-07-28T10:00:00Z";
    task["ttlMs"] = 60'000;
    task["pollIntervalMs"] = 200;
    return task;
  }

  // hand_out answers with a task instead of a result. Returns false, and does not, where the client
  // did not declare the extension.
  static bool hand_out(ScriptedPeer& peer, const Asked& asked, const char* id) {
    if (!declares_tasks(peer.record().heard[asked.heard])) return false;
    Json result = handle_of(id, "working");
    result["resultType"] = "task";
    peer.result(asked, std::move(result));
    return true;
  }

  // unmet is why nothing can be said: `kTool` was not called, or not by one who knows tasks.
  static Finding unmet(const Record& record) {
    return record.called(kTool) ? not_for_it(kUndeclared) : never_came(record, "called a tool");
  }
};

// Handles takes its task through every status; the prompt must not become one.
class Handles final : public TaskServer {
 public:
  void prepare(ScriptedPeer& peer) override {
    TaskServer::prepare(peer);
    peer.offer.capabilities["prompts"] = Json::object();
    peer.offer.prompts = {json_of(R"({"name": "as_a_task_never"})")};
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    const std::string method = asked.method();
    if (method == "tools/call" && asked.param("name") == kTool && !given_) {
      return given_ = hand_out(peer, asked, kTask);
    }
    if (method == "prompts/get") return hand_out(peer, asked, kOfPrompt);
    if (method == "tasks/get") {
      peer.result(asked, state());
      return true;
    }
    if (method != "tasks/update" && method != "tasks/cancel") return false;
    if (method == "tasks/update") updated_ = true;
    peer.result(asked, Json::object());
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    const Finding none = unmet(record);
    verdicts.say("tasks.client-handles-both-results", given_ ? handled(record) : none);
    verdicts.say("tasks.update-keys-outstanding", given_ ? keys(record) : none);
    verdicts.say("tasks.mcp-name-header", given_ ? named(record) : none);
    verdicts.say("tasks.create-on-unsupported-request-invalid", unsupported(record));
  }

 private:
  static constexpr const char* kOfPrompt = "judge-task-of-a-prompt";

  // state is what tasks/get answers: at work, then in need of input, then done. One who gives no
  // input is done as well, some time.
  Json state() {
    ++looks_;
    if (looks_ < 2) return handle_of(kTask, "working");
    if (!updated_ && looks_ < 6) {
      Json task = handle_of(kTask, "input_required");
      task["inputRequests"]["who"]["method"] = "elicitation/create";
      task["inputRequests"]["who"]["params"] = form_params("Who are you?");
      return task;
    }
    completed_ = true;
    Json task = handle_of(kTask, "completed");
    task["result"] = text_result("done");
    task["result"]["resultType"] = "complete";
    return task;
  }

  Finding handled(const Record& record) const {
    if (completed_) return passes();
    if (looks_ > 0) return not_for_it("it left the task before its end");
    return broken(
        "it declared the extension, was given a task for a result and never asked for "
        "it; " +
        record.how_it_ended());
  }

  static Finding keys(const Record& record) {
    Finding finding = not_for_it("it never gave input to a task");
    for (const Heard* const update : record.requests("tasks/update")) {
      const Json* const given = find(*update->params(), "inputResponses");
      if (given == nullptr || !given->is_object()) continue;
      finding = passes();
      for (const auto& [key, response] : given->items()) {
        if (key == "who") continue;
        return at(record, *update, broken("it answered \"" + key + "\", which nobody asked"));
      }
    }
    return finding;
  }

  static Finding named(const Record& record) {
    const auto of_task = [](const Heard& message) { return is_of_task(message, kTask); };
    const Complaint complaint = [&](const Heard& message) -> std::string {
      const std::optional<std::string_view> name = record.headers(message).get("Mcp-Name");
      if (name && *name == base64_text(kTask)) return "";
      return message.method() + " has the Mcp-Name " +
             header_or_none(record.headers(message), "Mcp-Name") + ", expected \"" +
             base64_text(kTask) + "\", which is its taskId";
    };
    return each_of(record, record.all(of_task), complaint, "it never asked for its task");
  }

  static Finding unsupported(const Record& record) {
    const std::vector<const Heard*> asked = record.requests("prompts/get");
    if (asked.empty()) return never_came(record, "asked for a prompt");
    if (!declares_tasks(*asked.front())) return not_for_it(kUndeclared);
    const Heard* const followed =
        record.first([](const Heard& message) { return is_of_task(message, kOfPrompt); });
    if (followed == nullptr) return passes();
    return at(record, *followed,
              broken("it follows a task that it was given for prompts/get, where there are none"));
  }

  bool given_ = false;
  bool updated_ = false;
  bool completed_ = false;
  int looks_ = 0;
};

// Endless has a task that is never over.
class Endless final : public TaskServer {
 public:
  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    const std::string method = asked.method();
    if (method == "tools/call" && asked.param("name") == kTool && id_.is_null()) {
      if (!hand_out(peer, asked, kTask)) return false;
      id_ = asked.id();
      return true;
    }
    if (method == "tasks/cancel") {
      peer.result(asked, Json::object());
      return true;
    }
    if (method != "tasks/get") return false;
    peer.result(asked, handle_of(kTask, "working"));
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    Finding finding = unmet(record);
    if (!id_.is_null()) {
      finding = record.exit ? passes() : undecided("it waits for its task for ever");
      for (const Heard* const cancel : record.notifications("notifications/cancelled")) {
        const Json* const of = cancel->params() ? find(*cancel->params(), "requestId") : nullptr;
        if (of == nullptr || *of != id_) continue;
        finding = at(record, *cancel, broken("it cancels a task by notifications/cancelled"));
      }
    }
    verdicts.say("tasks.no-cancelled-notification", std::move(finding));
  }

 private:
  Json id_;  // Of the call that became the task.
};

constexpr std::string_view kTaskHandlesIds[] = {
    "tasks.client-handles-both-results", "tasks.update-keys-outstanding", "tasks.mcp-name-header",
    "tasks.create-on-unsupported-request-invalid"};
constexpr std::string_view kEndlessTaskIds[] = {"tasks.no-cancelled-notification"};

constexpr ClientScenario kTaskScenarios[] = {
    {"tools_call", "endless-task", Eras::kStateless, Over::kAny, "", kEndlessTaskIds,
     make_script<Endless>},
    {"tools_call", "task-handles", Eras::kStateless, Over::kAny, "", kTaskHandlesIds,
     make_script<Handles>},
};

}  // namespace

ClientScenarios task_scenarios() { return kTaskScenarios; }

}  // namespace plumbline::conformance
