#include <string>

#include "conformance/broken/deviation.h"
#include "conformance/broken/message_edits.h"
#include "conformance/catalogue/meta_keys.h"

namespace plumbline::conformance {

namespace {

// task_in returns the task that a tools/call was answered with; nullptr: it was with none.
Json* task_in(Interceptor& interceptor, Json& message) {
  if (interceptor.method_asked(message) != "tools/call" || !at_pointer(message, "/result/task")) {
    return nullptr;
  }
  return &message["result"]["task"];
}

void with_code(Json& message, int code) {
  if (find(message, "error")) message["error"]["code"] = code;
}

bool has_code(const Json& message, int code) {
  const Json* const found = at_pointer(message, "/error/code");
  return found != nullptr && *found == Json(code);
}

Deviation told(std::string_view id, std::string_view what, void (*from_server)(Interceptor&, Json),
               std::vector<std::string_view> also = {}) {
  Deviation deviation;
  deviation.id = id;
  deviation.revision = "2025-11-25";
  deviation.what = what;
  deviation.from_server = from_server;
  deviation.also = std::move(also);
  return deviation;
}

// undeclares takes tasks out of what the server says it can do.
void undeclares(Interceptor& interceptor, Json message) {
  if (interceptor.method_asked(message) == "initialize" && find(message, "result")) {
    message["result"]["capabilities"].erase("tasks");
  }
  interceptor.say(message);
}

// fails_inside answers what is asked to cancel a task of one tool with an error of this code.
template <int kCode>
void fails_inside(Interceptor& interceptor, Json message) {
  const Json* const named = at_pointer(message, "/result/task/taskId");
  const Json* const id = named != nullptr ? named : at_pointer(message, "/result/taskId");
  const Json asked = interceptor.asked(message);
  const Json* const tool = at_pointer(asked, "/params/name");
  if (id != nullptr && tool != nullptr && *tool == Json("input_in_turn")) {
    interceptor.memory[dump_json(*id)] = true;
  }
  const Json* const about = at_pointer(asked, "/params/taskId");
  const bool breaks = about != nullptr && interceptor.memory.contains(dump_json(*about)) &&
                      string_or(asked, "method", "") == "tasks/cancel";
  if (breaks) {
    message.erase("result");
    message["error"]["code"] = kCode;
    message["error"]["message"] = "The store of tasks cannot be reached";
  }
  interceptor.say(message);
}

template <int kCode>
Deviation failing_inside(std::string_view id, std::string_view revision) {
  Deviation deviation;
  deviation.id = id;
  deviation.revision = revision;
  deviation.what = "has a code of its own for what fails inside";
  deviation.hints = R"json({"tools": {"input_in_turn": {"shows": ["task-breaks"]}}})json";
  deviation.from_server = fails_inside<kCode>;
  return deviation;
}

const Deviation kTasksDeviations[] = {
    failing_inside<500>("tasks.internal-error-code", "2025-11-25"),
    failing_inside<500>("tasks.internal-error-code", "2026-07-28"),
    told("tasks.create-result", "says the content with the task",
         [](Interceptor& interceptor, Json message) {
           if (task_in(interceptor, message)) message["result"]["content"] = Json::array();
           interceptor.say(message);
         }),
    told("tasks.initial-status-working", "begins with another status",
         [](Interceptor& interceptor, Json message) {
           if (Json* const task = task_in(interceptor, message)) (*task)["status"] = "completed";
           interceptor.say(message);
         }),
    told("tasks.id-is-string-from-receiver", "names tasks by numbers",
         [](Interceptor& interceptor, Json message) {
           if (Json* const task = task_in(interceptor, message)) (*task)["taskId"] = 7;
           interceptor.say(message);
         },
         {"tasks.timestamps-present", "tasks.ttl-reported", "tasks.list-complete",
          "tasks.id-param-decides", "tasks.cancel-marks-before-response",
          "schema.messages-validate"}),
    told("tasks.timestamps-present", "dates tasks by days",
         [](Interceptor& interceptor, Json message) {
           if (Json* const task = task_in(interceptor, message))
             (*task)["createdAt"] = "2025-11-25";
           interceptor.say(message);
         }),
    told("tasks.ttl-reported", "forgets the ttl",
         [](Interceptor& interceptor, Json message) {
           if (interceptor.method_asked(message) == "tasks/get" && find(message, "result")) {
             message["result"].erase("ttl");
           }
           interceptor.say(message);
         },
         {"schema.messages-validate"}),
    told("tasks.id-unique", "gives each task one id",
         [](Interceptor& interceptor, Json message) {
           if (Json* const task = task_in(interceptor, message)) {
             (*task)["taskId"] = "the-one-and-only-task-of-this-server";
           }
           interceptor.say(message);
         },
         {"tasks.id-entropy", "tasks.timestamps-present", "tasks.ttl-reported",
          "tasks.list-complete", "tasks.id-param-decides", "tasks.cancel-marks-before-response",
          "tasks.input-request-related", "tasks.related-meta-on-all-messages",
          "tasks.result-equals-underlying"}),
    told("tasks.id-entropy", "counts its tasks",
         [](Interceptor& interceptor, Json message) {
           if (Json* const task = task_in(interceptor, message)) {
             (*task)["taskId"] = "task-" + std::to_string(1000 + ++interceptor.count);
           }
           interceptor.say(message);
         },
         {"tasks.timestamps-present", "tasks.ttl-reported", "tasks.list-complete",
          "tasks.id-param-decides", "tasks.cancel-marks-before-response",
          "tasks.input-request-related", "tasks.related-meta-on-all-messages",
          "tasks.result-equals-underlying"}),
    told("tasks.tool-forbidden-32601", "calls a wrong task invalid params",
         [](Interceptor& interceptor, Json message) {
           const bool called = interceptor.method_asked(message) == "tools/call";
           const Json asked = interceptor.asked(message);
           if (called && at_pointer(asked, "/params/task") && has_code(message, -32601)) {
             with_code(message, -32602);
           }
           interceptor.say(message);
         }),
    told("tasks.tool-required-32601", "calls a call without a task invalid params",
         [](Interceptor& interceptor, Json message) {
           const bool called = interceptor.method_asked(message) == "tools/call";
           const Json asked = interceptor.asked(message);
           if (called && !at_pointer(asked, "/params/task") && has_code(message, -32601)) {
             with_code(message, -32602);
           }
           interceptor.say(message);
         }),
    told("tasks.undeclared-augmentation-ignored", "makes tasks that it did not declare",
         [](Interceptor& interceptor, Json message) {
           const Json asked = interceptor.asked(message);
           if (at_pointer(asked, "/params/task") && find(message, "result") == nullptr) {
             message.erase("error");
             message["result"]["task"]["taskId"] = "1";
           }
           undeclares(interceptor, std::move(message));
         },
         {"tasks.capability-declared", "schema.messages-validate"}),
    told("tasks.capability-declared", "makes tasks that it did not declare at all",
         [](Interceptor& interceptor, Json message) {
           const Json asked = interceptor.asked(message);
           if (at_pointer(asked, "/params/task")) {
             message.erase("error");
             message["result"] = Json::object();
             message["result"]["task"]["taskId"] = "1";
           }
           undeclares(interceptor, std::move(message));
         },
         {"tasks.undeclared-augmentation-ignored", "schema.messages-validate"}),
    told("tasks.unknown-id-32602", "calls unknown tasks an internal error",
         [](Interceptor& interceptor, Json message) {
           if (interceptor.method_asked(message) == "tasks/get") with_code(message, -32603);
           interceptor.say(message);
         }),
    told("tasks.list-bad-cursor-32602", "calls bad cursors an internal error",
         [](Interceptor& interceptor, Json message) {
           if (interceptor.method_asked(message) == "tasks/list") with_code(message, -32603);
           interceptor.say(message);
         }),
    told("tasks.list-next-cursor", "ends its list after a page",
         [](Interceptor& interceptor, Json message) {
           Json* const list = edit::result_of(interceptor, message, "tasks/list");
           while (list != nullptr && (*list)["tasks"].size() > 5) {
             (*list)["tasks"].erase((*list)["tasks"].size() - 1);
           }
           interceptor.say(message);
         },
         {"tasks.list-complete"}),
    told("tasks.list-complete", "lists no task",
         [](Interceptor& interceptor, Json message) {
           if (interceptor.method_asked(message) == "tasks/list" && find(message, "result")) {
             message["result"]["tasks"] = Json::array();
           }
           interceptor.say(message);
         },
         {"tasks.list-next-cursor"}),
    told("tasks.result-has-related-meta", "does not say whose result it is",
         [](Interceptor& interceptor, Json message) {
           if (interceptor.method_asked(message) == "tasks/result" && find(message, "result")) {
             message["result"].erase("_meta");
           }
           interceptor.say(message);
         }),
    told("tasks.cancel-marks-before-response", "says that it cancels, not that it has",
         [](Interceptor& interceptor, Json message) {
           if (interceptor.method_asked(message) == "tasks/cancel" && find(message, "result")) {
             message["result"]["status"] = "working";
           }
           interceptor.say(message);
         }),
    told("tasks.cancel-terminal-32602", "calls a second cancellation an invalid request",
         [](Interceptor& interceptor, Json message) {
           const Json asked = interceptor.asked(message);
           const Json* const id = at_pointer(asked, "/params/taskId");
           const bool known =
               id != nullptr && dump_json(*id).find("plumbline") == std::string::npos;
           if (interceptor.method_asked(message) == "tasks/cancel" && known)
             with_code(message, -32600);
           interceptor.say(message);
         }),
    {.id = "tasks.result-blocks-until-terminal",
     .revision = "2025-11-25",
     .what = "answers tasks/result at once",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Result<Json> message = parse_json(text);
           if (!message.ok() || string_or(message.value(), "method", "") != "tasks/result") {
             return interceptor.pass_text(std::move(text));
           }
           const Json* const id = at_pointer(message.value(), "/params/taskId");
           Json answer(Json::value_t::object);
           answer["jsonrpc"] = "2.0";
           answer["id"] = message.value()["id"];
           answer["result"]["content"] = Json::array();
           answer["result"]["_meta"][kMetaRelatedTask]["taskId"] = id == nullptr ? Json() : *id;
           interceptor.say(answer);
         },
     .also = {"tasks.unknown-id-32602", "tasks.result-equals-underlying"}},
    {.id = "tasks.id-param-decides",
     .revision = "2025-11-25",
     .what = "goes by the metadata",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           Result<Json> read = parse_json(text);
           const Json* const id = read.ok()
                                      ? at_pointer(read.value(),
                                                   "/params/_meta/"
                                                   "io.modelcontextprotocol~1related-task/taskId")
                                      : nullptr;
           if (id == nullptr) return interceptor.pass_text(std::move(text));
           Json message = read.value();
           message["params"]["taskId"] = *id;
           interceptor.pass(message);
         }},
};

}  // namespace

Deviations tasks_deviations() { return kTasksDeviations; }

const Deviation& tasks_that_fail_inside() {
  static const Deviation kRight = failing_inside<-32603>("", "");
  return kRight;
}

}  // namespace plumbline::conformance
