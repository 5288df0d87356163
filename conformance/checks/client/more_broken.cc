// Clients that fetch what they must not, crash, keep what is stale, and other things of one place.

#include <string>

#include "conformance/broken/client/client_edits.h"
#include "conformance/catalogue/meta_keys.h"

namespace plumbline::conformance {

namespace {

// find_address keeps the address of `path` that a message holds, for the program to fetch.
void find_address(Interceptor& interceptor, const Json& message, const std::string& path) {
  const std::string text = dump_json(message);
  const std::size_t end = text.find(path);
  const std::size_t begin = text.rfind("http://127", end);
  if (end != std::string::npos && begin != std::string::npos) {
    interceptor.memory = text.substr(begin, end + path.size() - begin);
  }
  interceptor.say(message);
}

bool is_named(const Json& message, const char* pointer, const char* value) {
  const Json* const found = at_pointer(message, pointer);
  return found != nullptr && *found == value;
}

// keep_once answers the second reading of `uri` by itself, with what it was told the first time.
void keep_once(Interceptor& interceptor, Json message, const char* uri) {
  if (!method_is(message, "resources/read") || !is_named(message, "/params/uri", uri)) {
    return interceptor.pass(message);
  }
  if (find(interceptor.memory, "answer") == nullptr) {
    interceptor.memory["id"] = message["id"];
    return interceptor.pass(message);
  }
  Json answer = interceptor.memory["answer"];
  answer["id"] = message["id"];
  interceptor.say(answer);
}

// keep_retried answers a new reading by itself with what came of one with a requestState.
void keep_retried(Interceptor& interceptor, Json message) {
  if (!method_is(message, "resources/read") || !is_named(message, "/params/uri", "test://asked")) {
    return interceptor.pass(message);
  }
  const bool retry = at_pointer(message, "/params/requestState") != nullptr;
  if (retry) interceptor.memory["id"] = message["id"];
  if (retry || find(interceptor.memory, "answer") == nullptr) return interceptor.pass(message);
  Json answer = interceptor.memory["answer"];
  answer["id"] = message["id"];
  interceptor.say(answer);
}

void note_answer(Interceptor& interceptor, Json message) {
  const Json* const wanted = find(interceptor.memory, "id");
  const Json* const id = find(message, "id");
  if (wanted != nullptr && id != nullptr && *wanted == *id) interceptor.memory["answer"] = message;
  interceptor.say(message);
}

void silent_cancel(Interceptor& interceptor, Json message) {
  if (is_cancel(message)) message["method"] = "notifications/plumbline";
  interceptor.pass(message);
}

void no_cancel(Interceptor& interceptor, Json message) {
  if (!is_cancel(message)) interceptor.pass(message);
}

void no_arrays(Interceptor& interceptor, Json message) {
  if (!message.is_array()) interceptor.say(message);
}

void take_tools_out(Interceptor& interceptor, Json message) {
  if (method_is(message, "sampling/createMessage")) {
    interceptor.count = static_cast<int>(message["params"].erase("tools"));
    message["params"].erase("toolChoice");
  }
  interceptor.say(message);
}

// use_a_tool answers the question whose tools were taken out with a use of them.
void use_a_tool(Interceptor& interceptor, Json message) {
  if (is_result(message) && interceptor.count == 1) message["result"]["stopReason"] = "toolUse";
  interceptor.pass(message);
}

// know_urls declares the mode url with the call that will be asked for it.
void know_urls(Interceptor& interceptor, Json message) {
  if (is_named(message, "/params/name", "open_a_page")) {
    Json& meta = message["params"]["_meta"];
    meta[kMetaCapabilities]["elicitation"]["url"] = Json::object();
    interceptor.memory = message;
  }
  interceptor.pass(message);
}

// answer_urls_with_content answers in the place of the client, which knows no URLs.
void answer_urls_with_content(Interceptor& interceptor, Json message) {
  if (is_named(message, "/result/inputRequests/question/params/mode", "url")) {
    Json retry = interceptor.memory;
    retry["id"] = "again";
    Json& answer = retry["params"]["inputResponses"]["question"];
    answer["action"] = "accept";
    answer["content"]["seen"] = true;
    return interceptor.pass(retry);
  }
  if (is_named(message, "/id", "again")) message["id"] = interceptor.memory["id"];
  interceptor.say(message);
}

void never_polls(Interceptor& interceptor, Json message) {
  const std::string method = string_or(message, "method", "");
  if (method.starts_with("tasks/")) message["method"] = "plumbline/" + method;
  interceptor.pass(message);
}

void refuse_forms(Interceptor& interceptor, Json message) {
  if (answers_with(message, "action")) {
    message.erase("result");
    message["error"] = error_object(-32602);
  }
  interceptor.pass(message);
}

const ClientDeviation kClientMoreDeviations[] = {
    {.id = "jsonrpc.client-answers-each",
     .revision = "2025-11-25",
     .what = "answers no second question",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (!is_named(message, "/id", "second-of-two")) interceptor.pass(message);
         }},
    {.id = "elicitation.url-no-prefetch",
     .revision = "2025-11-25",
     .what = "looks at a URL before anybody has agreed",
     .from_server = [](Interceptor& interceptor,
                       Json message) { find_address(interceptor, message, "/elicited"); },
     .also = {"elicitation.url-consent-before-open"}},
    {.id = "elicitation.url-consent-before-open",
     .revision = "2026-07-28",
     .what = "opens a URL before anybody has agreed",
     .from_server = [](Interceptor& interceptor,
                       Json message) { find_address(interceptor, message, "/elicited"); },
     .also = {"elicitation.url-no-prefetch"}},
    {.id = "schema.no-network-ref",
     .revision = "2026-07-28",
     .what = "fetches what a $ref names",
     .from_server = [](Interceptor& interceptor,
                       Json message) { find_address(interceptor, message, "/schema/in.json"); },
     .also = {"schema.ref-fetch-off-by-default"}},
    {.id = "schema.ref-fetch-off-by-default",
     .revision = "2026-07-28",
     .what = "fetches what a $ref of an output names",
     .from_server = [](Interceptor& interceptor,
                       Json message) { find_address(interceptor, message, "/schema/out.json"); },
     .also = {"schema.no-network-ref"}},
    {.id = "base.icons-reject-unsafe-schemes",
     .revision = "2025-11-25",
     .what = "loads icons over plain http",
     .from_server = [](Interceptor& interceptor,
                       Json message) { find_address(interceptor, message, "/icon.png"); }},
    {.id = "caching.ttl-zero-stale",
     .revision = "2026-07-28",
     .what = "keeps what is stale at once",
     .from_client = [](Interceptor& interceptor,
                       Json message) { keep_once(interceptor, message, "test://stale"); },
     .from_server = note_answer},
    {.id = "caching.ttl-negative-as-zero",
     .revision = "2026-07-28",
     .what = "keeps what has a negative ttlMs",
     .from_client = [](Interceptor& interceptor,
                       Json message) { keep_once(interceptor, message, "test://negative"); },
     .from_server = note_answer},
    {.id = "caching.ttl-absent-zero",
     .revision = "2026-07-28",
     .what = "keeps what has no ttlMs",
     .from_client = [](Interceptor& interceptor,
                       Json message) { keep_once(interceptor, message, "test://absent"); },
     .from_server = note_answer},
    {.id = "caching.mrtr-retry-not-cached",
     .revision = "2026-07-28",
     .what = "keeps what it was given for a requestState",
     .from_client = keep_retried,
     .from_server = note_answer},
    {.id = "caching.key-includes-params",
     .revision = "2026-07-28",
     .what = "takes one resource for another",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (is_named(message, "/params/uri", "test://stale")) {
             message["params"]["uri"] = "test://fresh";
           }
           interceptor.pass(message);
         },
     .also = {"caching.ttl-positive-fresh"}},
    {.id = "cancellation.client-signals",
     .revision = "2026-07-28",
     .what = "gives up without a word",
     .from_client = no_cancel,
     .also = {"cancellation.cancel-on-timeout", "cancellation.stdio-cancelled-notification"}},
    {.id = "cancellation.stdio-cancelled-notification",
     .revision = "2026-07-28",
     .what = "cancels by another name",
     .from_client = silent_cancel,
     .also = {"cancellation.cancel-on-timeout", "cancellation.client-signals"}},
    {.id = "cancellation.race-handled",
     .revision = "2026-07-28",
     .what = "ends when an answer crosses the cancellation",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (is_named(message, "/params/name", "after_cancel")) return interceptor.stop();
           interceptor.pass(message);
         },
     .also = {"cancellation.late-response-ignored", "stdio.shutdown-client-sequence"}},
    {.id = "elicitation.at-least-one-mode",
     .revision = "2025-11-25",
     .what = "takes no form",
     .from_client = refuse_forms,
     .also = {"elicitation.mode-omitted-is-form", "elicitation.result-action",
              "elicitation.capability-declared", "elicitation.multi-select-taken"}},
    {.id = "hostile.huge-message",
     .revision = "2025-11-25",
     .what = "crashes when a message is long",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const text = at_pointer(message, "/result/tools/0/description");
           if (text != nullptr && text->is_string() && dump_json(*text).size() > 1'000'000) {
             return interceptor.stop();
           }
           interceptor.say(message);
         },
     .crashes = true,
     .also = {"stdio.shutdown-client-sequence"}},
    {.id = "hostile.wrong-shapes",
     .revision = "2025-11-25",
     .what = "crashes when a list is none",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const tools = at_pointer(message, "/result/tools");
           if (tools != nullptr && tools->is_object()) return interceptor.stop();
           interceptor.say(message);
         },
     .crashes = true,
     .also = {"stdio.shutdown-client-sequence"}},
    {.id = "versioning.mismatch-handled",
     .revision = "2025-11-25",
     .what = "crashes when the version is another",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (is_named(message, "/result/protocolVersion", "1999-12-31"))
             return interceptor.stop();
           interceptor.say(message);
         },
     .crashes = true,
     .also = {"stdio.shutdown-client-sequence"}},
    {.id = "schema.composition-bounds",
     .revision = "2026-07-28",
     .what = "crashes in a deep schema",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (is_named(message, "/result/tools/0/name", "with_a_deep_schema")) {
             return interceptor.stop();
           }
           interceptor.say(message);
         },
     .crashes = true,
     .also = {"stdio.shutdown-client-sequence"}},
    {.id = "jsonrpc.batch-receive",
     .revision = "2025-03-26",
     .what = "takes no arrays",
     .from_server = no_arrays,
     .also = {"stdio.batch-lines-accepted", "jsonrpc.batch-no-response-for-notifications"}},
    {.id = "stdio.batch-lines-accepted",
     .revision = "2025-03-26",
     .what = "takes no lines with arrays",
     .from_server = no_arrays,
     .also = {"jsonrpc.batch-receive", "jsonrpc.batch-no-response-for-notifications"}},
    {.id = "jsonrpc.batch-no-response-for-notifications",
     .revision = "2025-03-26",
     .what = "answers arrays of notifications",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (message.is_array() && !message.empty() && find(message.front(), "id") == nullptr) {
             Json answer(Json::value_t::object);
             answer["jsonrpc"] = "2.0";
             answer["id"] = "none";
             answer["result"] = Json::object();
             interceptor.pass(answer);
           }
           interceptor.say(message);
         },
     .also = {"jsonrpc.conforms-to-2-0"}},
    {.id = "jsonrpc.error-code-legacy-range-no-meaning",
     .revision = "2026-07-28",
     .what = "falls back when it hears -32004",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const code = at_pointer(message, "/error/code");
           if (code != nullptr && *code == -32004) {
             Json opening = notice_of("initialize");
             opening["id"] = 902;
             opening["params"]["protocolVersion"] = "2025-11-25";
             opening["params"]["capabilities"] = Json::object();
             interceptor.pass(opening);
           }
           interceptor.say(message);
         }},
    {.id = "progress.token-unique",
     .revision = "2025-11-25",
     .what = "has one progress token for two calls",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           interceptor.pass(message);
           if (!is_named(message, "/params/name", "ask_back")) return;
           message["id"] = 903;
           interceptor.pass(message);
         }},
    {.id = "roots.unsupported-32601",
     .revision = "2025-11-25",
     .what = "calls roots that it has not an internal error",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (is_named(message, "/id", "question-ask_for_roots") && find(message, "error")) {
             message["error"]["code"] = -32603;
           }
           interceptor.pass(message);
         },
     .options = [](mcp::ClientOptions& options) { options.on_list_roots = nullptr; },
     .also = {"elicitation.undeclared-mode-32602"}},
    {.id = "sampling.message-role-content",
     .revision = "2026-07-28",
     .what = "does not say who speaks in a sample",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (at_pointer(message, "/params/inputResponses/question/role")) {
             message["params"]["inputResponses"]["question"].erase("role");
           }
           interceptor.pass(message);
         },
     .also = {"schema.messages-validate"}},
    {.id = "sampling.tools-undeclared-error",
     .revision = "2025-11-25",
     .what = "gives samples without the tools",
     .from_server = take_tools_out},
    {.id = "sampling.tools-capability-declared",
     .revision = "2025-11-25",
     .what = "samples with tools without a word",
     .from_client = use_a_tool,
     .from_server = take_tools_out,
     .also = {"sampling.tools-undeclared-error"}},
    {.id = "elicitation.url-response-without-content",
     .revision = "2026-07-28",
     .what = "answers a URL with content",
     .from_client = know_urls,
     .from_server = answer_urls_with_content},
    {.id = "tasks.augment-only-declared",
     .revision = "2025-11-25",
     .what = "makes tasks of servers without any",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (is_named(message, "/params/name", "as_a_task_nowhere")) {
             message["params"]["task"] = Json::object();
           }
           interceptor.pass(message);
         },
     .also = {"tasks.no-tool-tasks-without-capability"}},
    {.id = "tasks.poll-until-terminal",
     .revision = "2025-11-25",
     .what = "does not follow its tasks",
     .from_client = never_polls,
     .also = {"tasks.no-reliance-on-notifications", "lifecycle.respect-negotiated-version"}},
    {.id = "tasks.no-reliance-on-notifications",
     .revision = "2025-11-25",
     .what = "waits to be told of its tasks",
     .from_client = never_polls,
     .also = {"tasks.poll-until-terminal", "lifecycle.respect-negotiated-version"}},
    {.id = "tasks.poll-interval-respected",
     .revision = "2025-11-25",
     .what = "polls twice as often",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           interceptor.pass(message);
           if (!method_is(message, "tasks/get")) return;
           message["id"] = 910 + ++interceptor.count;
           interceptor.pass(message);
         }},
};

}  // namespace

ClientDeviations client_more_deviations() { return kClientMoreDeviations; }

}  // namespace plumbline::conformance
