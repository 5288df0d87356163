// Names that there are not: tools, prompts, resources, and what is completed. Whoever answers, the
// gateway or the server, answers by JSON-RPC.
//
// Spec 2025-11-25, basic/transports, Sending Messages to the Server: a request is answered by a
// JSON object or by a stream; server/tools, Error Handling: an unknown tool is a protocol error.

#include <string>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/gateway/check.h"
#include "conformance/checks/gateway/mirror_content.h"
#include "conformance/checks/server/shapes.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kNobodysUri = "mirror://of-nobody";

// Unknown is a request that names what there is not; `known` asks for what there is.
struct Unknown {
  const char* what;
  const char* method;
  Ask known;
};

constexpr Unknown kUnknownNames[] = {
    {"a call of a tool", "tools/call", Ask::kPlain},
    {"a request of a prompt", "prompts/get", Ask::kPrompt},
    {"a request of a resource", "resources/read", Ask::kText},
    {"a completion for a prompt", "completion/complete", Ask::kCompletion},
};

Json unknown_params(GatewayProbe* probe, Ask known) {
  const Exchanges& exchanges = probe->exchanges();
  Json params(Json::value_t::object);
  if (known == Ask::kPlain) {
    params["name"] = exchanges.tool(kNobodysName);
    params["arguments"] = GatewayProbe::marked(probe->new_mark());
  } else if (known == Ask::kPrompt) {
    params["name"] = exchanges.prompt(kNobodysName);
  } else if (known == Ask::kText) {
    params["uri"] = exchanges.resource(kNobodysUri);
  } else {
    params["ref"]["type"] = "ref/prompt";
    params["ref"]["name"] = exchanges.prompt(kNobodysName);
    params["argument"]["name"] = "who";
    params["argument"]["value"] = "w";
  }
  return params;
}

// is_refusal returns whether `reply` may answer a request for what there is not. Tools tell of
// their failures in results, and many servers take this for one of them; what is completed may be
// none.
bool is_refusal(const Reply& reply, Ask known) {
  if (reply.error() != nullptr) return true;
  const Json* const result = reply.result();
  if (result == nullptr) return false;
  if (known == Ask::kPlain) return bool_or(*result, "isError", false);
  const Json* const values = at_pointer(*result, "/completion/values");
  return known == Ask::kCompletion && (values == nullptr || values->empty());
}

// is_denied returns whether who may ask for what is decided by HTTP: basic/authorization.
bool is_denied(const Reply& reply) {
  return !reply.answered() && (reply.status == 401 || reply.status == 403 || reply.status == 429);
}

// judge_unknown asks for what there is not. `denied`: who asks is refused by HTTP.
Task<Finding> judge_unknown(GatewayProbe* probe, Session* session, const Unknown* unknown) {
  Client client(*session, probe->check());
  const Reply reply =
      co_await client.request(unknown->method, unknown_params(probe, unknown->known));
  const std::string what = std::string(unknown->what) + " that there is not";
  if (is_denied(reply))
    co_return not_for_it(what + " is refused by status " + std::to_string(reply.status));
  if (is_refusal(reply, unknown->known)) co_return passes();
  if (reply.answered()) {
    co_return about(broken(what + " got a result that the server has not given: " +
                           shortened(dump_json(*reply.message)) + ", expected an error"),
                    reply);
  }
  co_return about(broken(what + " got " + reply.describe() +
                         ", expected a JSON-RPC error with its id: clients take it for the end of "
                         "the connection, and the model learns nothing"),
                  reply);
}

Task<Finding> answers_unknown_names(GatewayProbe& probe) {
  Finding found = not_for_it("nothing that it declares is asked for by a name, and comes through");
  for (const Unknown& unknown : kUnknownNames) {
    const Exchanged* const known = co_await probe.exchanges().of(unknown.known, probe.check());
    if (!known->lacks.empty() || !known->why.empty()) continue;
    Session* const session = co_await probe.enter();
    if (session == nullptr) co_return undecided(probe.why());
    Finding one = co_await judge_unknown(&probe, session, &unknown);
    if (one.verdict != Verdict::kPass && one.verdict != Verdict::kSkip) co_return one;
    if (found.verdict == Verdict::kSkip) found = std::move(one);
  }
  co_return std::move(found);
}

constexpr GatewayCheck kUnknownChecks[] = {
    {"gateway.answers-unknown-names", answers_unknown_names},
};

}  // namespace

GatewayChecks unknown_checks() { return kUnknownChecks; }

}  // namespace plumbline::conformance
