#include <string>

#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

namespace {

Deviation retold(std::string_view id, std::string_view what, void (*from_server)(Hands&, Json),
                 std::vector<std::string_view> also = {}) {
  Deviation deviation;
  deviation.id = id;
  deviation.revision = "2026-07-28";
  deviation.what = what;
  deviation.from_server = from_server;
  deviation.also = std::move(also);
  return deviation;
}

bool answers(Hands& hands, const Json& message, std::string_view method) {
  return hands.method_asked(message) == method && find(message, "result") != nullptr;
}

// recode gives an error of `method` another code.
void recode(Hands& hands, Json& message, std::string_view method) {
  if (hands.method_asked(message) == method && find(message, "error")) {
    message["error"]["code"] = -32603;
  }
}

const Deviation kTasksExtensionDeviations[] = {
    retold("tasks.legacy-capability-not-advertised", "declares the old capability as well",
           [](Hands& hands, Json message) {
             if (answers(hands, message, "server/discover")) {
               message["result"]["capabilities"]["tasks"]["list"] = Json::object();
             }
             hands.say(message);
           }),
    retold("tasks.get-unknown-task-error", "breaks down at unknown tasks",
           [](Hands& hands, Json message) {
             if (dump_json(message).find("-32602") != std::string::npos) {
               recode(hands, message, "tasks/get");
             }
             hands.say(message);
           }),
    retold("tasks.update-cancel-unknown-task-error", "breaks down at cancelling unknown tasks",
           [](Hands& hands, Json message) {
             if (dump_json(message).find("-32602") != std::string::npos) {
               recode(hands, message, "tasks/cancel");
             }
             hands.say(message);
           }),
    retold("tasks.legacy-result-method-removed", "breaks down at what there was",
           [](Hands& hands, Json message) {
             recode(hands, message, "tasks/result");
             hands.say(message);
           }),
};

}  // namespace

Deviations tasks_extension_deviations() { return kTasksExtensionDeviations; }

}  // namespace plumbline::conformance
