// Params that do not fit the method of a request: JSON-RPC 2.0, error -32602.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/probe.h"

namespace plumbline::conformance {

namespace {

// WrongParams is a request with params of another type than its method has.
struct WrongParams {
  std::string method;
  Json params;
  std::string what;
};

// method_with_needs returns a method that it declares and that does not work without params.
std::string method_with_needs(const Survey& survey) {
  if (survey.declares("/tools")) return "tools/call";
  if (survey.declares("/resources")) return "resources/read";
  if (survey.declares("/prompts")) return "prompts/get";
  return survey.declares("/completions") ? "completion/complete" : "";
}

// wrong_params returns requests whose params are there and have another type than the schema
// of the method says, each with what it is.
std::vector<WrongParams> wrong_params(Probe& probe) {
  std::vector<WrongParams> all;
  const Json* const tool = probe.callable();
  const Survey& survey = probe.survey();
  for (const Json& wrong : {Json(nullptr), Json("plumbline")}) {
    const std::string what = " with arguments that are " + dump_json(wrong);
    if (tool != nullptr) {
      Json params = {{"name", string_or(*tool, "name", "")}, {"arguments", wrong}};
      all.push_back({"tools/call", std::move(params), what});
    }
    if (!survey.prompts.items.empty()) {
      const std::string name = string_or(survey.prompts.items.front(), "name", "");
      all.push_back({"prompts/get", {{"name", name}, {"arguments", wrong}}, what});
    }
  }
  return all;
}

// judge_wrong_params: who takes such params for none, refuses them in another way or in a result
// has its reasons; -32603 says that the server itself has failed.
Task<Finding> judge_wrong_params(Probe& probe, Client client) {
  for (WrongParams& each : wrong_params(probe)) {
    const Reply reply = co_await client.request(each.method, std::move(each.params));
    if (reply.code() != -32603) continue;
    co_return about(risky(each.method + each.what + " got " + reply.describe() +
                          ", which says that the server has failed; expected error -32602"),
                    reply);
  }
  co_return passes();
}

Task<Finding> refuses_what_lacks_params(Probe& probe) {
  const std::string method = method_with_needs(probe.survey());
  if (method.empty()) co_return not_for_it("it declares no method that needs params");
  Client client = probe.client();
  const Reply reply = co_await client.request(method);
  const std::string what = method + " without params got " + reply.describe();
  const std::optional<std::int64_t> code = reply.code();
  if (code == -32602) co_return co_await judge_wrong_params(probe, client);
  // What many stacks say, as their reader of messages knows the methods.
  if (code == -32600 || code == -32603)
    co_return about(risky(what + ", expected error -32602"), reply);
  if (reply.result() != nullptr && bool_or(*reply.result(), "isError", false)) {
    co_return about(
        risky("arguable: " + what + ", which says that it failed; expected error -32602"), reply);
  }
  co_return about(broken(what + ", expected error -32602"), reply);
}

constexpr ServerCheck kParamsChecks[] = {
    {"jsonrpc.invalid-params-code", Eras::kStateful, SessionUse::kAlone, refuses_what_lacks_params},
};

}  // namespace

ServerChecks params_checks() { return kParamsChecks; }

}  // namespace plumbline::conformance
