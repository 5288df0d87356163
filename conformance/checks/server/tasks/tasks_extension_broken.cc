#include <string>

#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

namespace {

Deviation retold(std::string_view id, std::string_view what,
                 void (*from_server)(Interceptor&, Json), std::vector<std::string_view> also = {}) {
  Deviation deviation;
  deviation.id = id;
  deviation.revision = "2026-07-28";
  deviation.what = what;
  deviation.from_server = from_server;
  deviation.also = std::move(also);
  return deviation;
}

bool answers(Interceptor& interceptor, const Json& message, std::string_view method) {
  return interceptor.method_asked(message) == method && find(message, "result") != nullptr;
}

// recode gives an error of `method` another code.
void recode(Interceptor& interceptor, Json& message, std::string_view method) {
  if (interceptor.method_asked(message) == method && find(message, "error")) {
    message["error"]["code"] = -32603;
  }
}

const Deviation kTasksExtensionDeviations[] = {
    retold("tasks.legacy-capability-not-advertised", "declares the old capability as well",
           [](Interceptor& interceptor, Json message) {
             if (answers(interceptor, message, "server/discover")) {
               message["result"]["capabilities"]["tasks"]["list"] = Json::object();
             }
             interceptor.say(message);
           }),
    retold("tasks.get-unknown-task-error", "breaks down at unknown tasks",
           [](Interceptor& interceptor, Json message) {
             if (dump_json(message).find("-32602") != std::string::npos) {
               recode(interceptor, message, "tasks/get");
             }
             interceptor.say(message);
           }),
    retold("tasks.update-cancel-unknown-task-error", "breaks down at cancelling unknown tasks",
           [](Interceptor& interceptor, Json message) {
             if (dump_json(message).find("-32602") != std::string::npos) {
               recode(interceptor, message, "tasks/cancel");
             }
             interceptor.say(message);
           }),
    retold("tasks.legacy-result-method-removed", "breaks down at what there was",
           [](Interceptor& interceptor, Json message) {
             recode(interceptor, message, "tasks/result");
             interceptor.say(message);
           }),
};

}  // namespace

Deviations tasks_extension_deviations() { return kTasksExtensionDeviations; }

}  // namespace plumbline::conformance
