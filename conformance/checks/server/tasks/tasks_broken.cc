#include <string>

#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

namespace {

// task_in returns the task that a tools/call was answered with; nullptr: it was with none.
Json* task_in(Hands& hands, Json& message) {
  if (hands.method_asked(message) != "tools/call" || !at_pointer(message, "/result/task")) {
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

Deviation told(std::string_view id, std::string_view what, void (*from_server)(Hands&, Json),
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
void undeclares(Hands& hands, Json message) {
  if (hands.method_asked(message) == "initialize" && find(message, "result")) {
    message["result"]["capabilities"].erase("tasks");
  }
  hands.say(message);
}

const Deviation kTasksDeviations[] = {
    told("tasks.create-result", "says the content with the task",
         [](Hands& hands, Json message) {
           if (task_in(hands, message)) message["result"]["content"] = Json::array();
           hands.say(message);
         }),
    told("tasks.initial-status-working", "begins with another status",
         [](Hands& hands, Json message) {
           if (Json* const task = task_in(hands, message)) (*task)["status"] = "completed";
           hands.say(message);
         }),
    told("tasks.id-is-string-from-receiver", "names tasks by numbers",
         [](Hands& hands, Json message) {
           if (Json* const task = task_in(hands, message)) (*task)["taskId"] = 7;
           hands.say(message);
         },
         {"tasks.timestamps-present", "tasks.ttl-reported", "tasks.list-complete",
          "tasks.id-param-decides", "tasks.cancel-marks-before-response",
          "schema.messages-validate"}),
    told("tasks.timestamps-present", "dates tasks by days",
         [](Hands& hands, Json message) {
           if (Json* const task = task_in(hands, message)) (*task)["createdAt"] = "2025-11-25";
           hands.say(message);
         }),
    told("tasks.ttl-reported", "forgets the ttl",
         [](Hands& hands, Json message) {
           if (hands.method_asked(message) == "tasks/get" && find(message, "result")) {
             message["result"].erase("ttl");
           }
           hands.say(message);
         },
         {"schema.messages-validate"}),
    told("tasks.id-unique", "gives each task one id",
         [](Hands& hands, Json message) {
           if (Json* const task = task_in(hands, message)) {
             (*task)["taskId"] = "the-one-and-only-task-of-this-server";
           }
           hands.say(message);
         },
         {"tasks.id-entropy", "tasks.timestamps-present", "tasks.ttl-reported",
          "tasks.list-complete", "tasks.id-param-decides", "tasks.cancel-marks-before-response",
          "tasks.input-request-related", "tasks.related-meta-on-all-messages",
          "tasks.result-equals-underlying"}),
    told("tasks.id-entropy", "counts its tasks",
         [](Hands& hands, Json message) {
           if (Json* const task = task_in(hands, message)) {
             (*task)["taskId"] = "task-" + std::to_string(1000 + ++hands.count);
           }
           hands.say(message);
         },
         {"tasks.timestamps-present", "tasks.ttl-reported", "tasks.list-complete",
          "tasks.id-param-decides", "tasks.cancel-marks-before-response",
          "tasks.input-request-related", "tasks.related-meta-on-all-messages",
          "tasks.result-equals-underlying"}),
    told("tasks.tool-forbidden-32601", "calls a wrong task invalid params",
         [](Hands& hands, Json message) {
           const bool called = hands.method_asked(message) == "tools/call";
           const Json asked = hands.asked(message);
           if (called && at_pointer(asked, "/params/task") && has_code(message, -32601)) {
             with_code(message, -32602);
           }
           hands.say(message);
         }),
    told("tasks.tool-required-32601", "calls a call without a task invalid params",
         [](Hands& hands, Json message) {
           const bool called = hands.method_asked(message) == "tools/call";
           const Json asked = hands.asked(message);
           if (called && !at_pointer(asked, "/params/task") && has_code(message, -32601)) {
             with_code(message, -32602);
           }
           hands.say(message);
         }),
    told("tasks.undeclared-augmentation-ignored", "makes tasks that it did not declare",
         [](Hands& hands, Json message) {
           const Json asked = hands.asked(message);
           if (at_pointer(asked, "/params/task") && find(message, "result") == nullptr) {
             message.erase("error");
             message["result"]["task"]["taskId"] = "1";
           }
           undeclares(hands, std::move(message));
         },
         {"tasks.capability-declared", "schema.messages-validate"}),
    told("tasks.capability-declared", "makes tasks that it did not declare at all",
         [](Hands& hands, Json message) {
           const Json asked = hands.asked(message);
           if (at_pointer(asked, "/params/task")) {
             message.erase("error");
             message["result"] = Json::object();
             message["result"]["task"]["taskId"] = "1";
           }
           undeclares(hands, std::move(message));
         },
         {"tasks.undeclared-augmentation-ignored", "schema.messages-validate"}),
    told("tasks.unknown-id-32602", "calls unknown tasks an internal error",
         [](Hands& hands, Json message) {
           if (hands.method_asked(message) == "tasks/get") with_code(message, -32603);
           hands.say(message);
         }),
    told("tasks.list-bad-cursor-32602", "calls bad cursors an internal error",
         [](Hands& hands, Json message) {
           if (hands.method_asked(message) == "tasks/list") with_code(message, -32603);
           hands.say(message);
         }),
    told("tasks.list-complete", "lists no task",
         [](Hands& hands, Json message) {
           if (hands.method_asked(message) == "tasks/list" && find(message, "result")) {
             message["result"]["tasks"] = Json::array();
           }
           hands.say(message);
         }),
    told("tasks.result-has-related-meta", "does not say whose result it is",
         [](Hands& hands, Json message) {
           if (hands.method_asked(message) == "tasks/result" && find(message, "result")) {
             message["result"].erase("_meta");
           }
           hands.say(message);
         }),
    told("tasks.cancel-marks-before-response", "says that it cancels, not that it has",
         [](Hands& hands, Json message) {
           if (hands.method_asked(message) == "tasks/cancel" && find(message, "result")) {
             message["result"]["status"] = "working";
           }
           hands.say(message);
         }),
    told("tasks.cancel-terminal-32602", "calls a second cancellation an invalid request",
         [](Hands& hands, Json message) {
           const Json asked = hands.asked(message);
           const Json* const id = at_pointer(asked, "/params/taskId");
           const bool known =
               id != nullptr && dump_json(*id).find("plumbline") == std::string::npos;
           if (hands.method_asked(message) == "tasks/cancel" && known) with_code(message, -32600);
           hands.say(message);
         }),
    {.id = "tasks.result-blocks-until-terminal",
     .revision = "2025-11-25",
     .what = "answers tasks/result at once",
     .from_client =
         [](Hands& hands, std::string text) {
           const Result<Json> message = parse_json(text);
           if (!message.ok() || string_or(message.value(), "method", "") != "tasks/result") {
             return hands.pass_text(std::move(text));
           }
           const Json* const id = at_pointer(message.value(), "/params/taskId");
           Json answer(Json::value_t::object);
           answer["jsonrpc"] = "2.0";
           answer["id"] = message.value()["id"];
           answer["result"]["content"] = Json::array();
           answer["result"]["_meta"]["io.modelcontextprotocol/related-task"]["taskId"] =
               id == nullptr ? Json() : *id;
           hands.say(answer);
         },
     .also = {"tasks.unknown-id-32602", "tasks.result-equals-underlying"}},
    {.id = "tasks.id-param-decides",
     .revision = "2025-11-25",
     .what = "goes by the metadata",
     .from_client =
         [](Hands& hands, std::string text) {
           Result<Json> read = parse_json(text);
           const Json* const id = read.ok()
                                      ? at_pointer(read.value(),
                                                   "/params/_meta/"
                                                   "io.modelcontextprotocol~1related-task/taskId")
                                      : nullptr;
           if (id == nullptr) return hands.pass_text(std::move(text));
           Json message = read.value();
           message["params"]["taskId"] = *id;
           hands.pass(message);
         }},
};

}  // namespace

Deviations tasks_deviations() { return kTasksDeviations; }

}  // namespace plumbline::conformance
