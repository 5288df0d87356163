// How ServerEngine asks a client of a stateless revision: the call ends with what is missing, and
// the client repeats it with the answers. Answers of earlier rounds travel in requestState.
//
// Spec 2026-07-28, basic/patterns/mrtr.

#include <utility>

#include "core/base/sha256.h"
#include "core/mcp/protocol/meta_keys.h"
#include "core/mcp/protocol/methods.h"
#include "core/mcp/server/sealed_state.h"
#include "core/mcp/server/server_engine.h"

namespace plumbline::mcp {

namespace {

using Kind = Failure::Kind;

// digest_of names a call by what it asks for: its retry has the same.
std::string digest_of(std::string_view method, const Json& params, std::string_view principal) {
  Json plain = params;
  if (auto* const members = plain.get_ptr<Json::object_t*>()) {
    for (const char* key : {"_meta", "inputResponses", "requestState"}) members->erase(key);
  }
  Sha256 hash;
  hash.update(method);
  hash.update("\n");
  hash.update(principal);
  hash.update("\n");
  hash.update(dump_json(plain));
  return hash.finish_hex();
}

bool lacks(const Json* object, const char* key) {
  return object == nullptr || find(*object, key) == nullptr;
}

Json nested(const char* outer, const char* inner = nullptr) {
  Json out(Json::value_t::object);
  out[outer] = Json::object();
  if (inner != nullptr) out[outer][inner] = Json::object();
  return out;
}

Failure missing_capability_error(const std::string& method, Json missing) {
  Json data(Json::value_t::object);
  std::string why = method + ": the client has not declared " + capability_name(missing);
  data["requiredCapabilities"] = std::move(missing);
  return Failure(rpc::kMissingClientCapability, std::move(why), std::move(data));
}

}  // namespace

std::string capability_name(const Json& capability) {
  std::string name;
  const Json* level = &capability;
  while (level->is_object() && !level->empty()) {
    const auto first = level->begin();
    if (!name.empty()) name += ".";
    name += first.key();
    level = &first.value();
  }
  return name;
}

std::optional<Json> undeclared_capability(const ClientInfo& client, std::string_view method,
                                          const Json& params) {
  const Json& declared = client.capabilities;
  if (method == "roots/list" && lacks(&declared, "roots")) return nested("roots");
  if (method == "sampling/createMessage") {
    const Json* const sampling = find(declared, "sampling");
    if (sampling == nullptr) return nested("sampling");
    const bool tools = !lacks(&params, "tools") || !lacks(&params, "toolChoice");
    if (tools && lacks(sampling, "tools")) return nested("sampling", "tools");
  }
  if (method == "elicitation/create") {
    const Json* const elicitation = find(declared, "elicitation");
    const bool url = string_or(params, "mode", "form") == "url";
    if (elicitation == nullptr || !has_elicitation(client.revision)) {
      return url ? nested("elicitation", "url") : nested("elicitation");
    }
    if (url && (lacks(elicitation, "url") || !has_url_elicitation(client.revision))) {
      return nested("elicitation", "url");
    }
    if (!url && lacks(elicitation, "form") && !elicitation->empty()) {
      return nested("elicitation", "form");
    }
  }
  return std::nullopt;
}

std::optional<Failure> undeclared_error(const ClientInfo& client, const Ask& ask) {
  std::optional<Json> missing = undeclared_capability(client, ask.method, ask.params);
  if (!missing) return std::nullopt;
  return missing_capability_error(ask.method, *std::move(missing));
}

std::optional<Failure> missing_extension(const ClientInfo& client, std::string_view extension) {
  const Json* const declared = find(client.capabilities, "extensions");
  if (declared != nullptr && find(*declared, extension) != nullptr) return std::nullopt;
  Json missing = nested("extensions");
  missing["extensions"][std::string(extension)] = Json::object();
  return missing_capability_error("tasks", std::move(missing));
}

std::optional<Failure> ServerEngine::undeclared(Key key, const Ask& ask) const {
  const ClientInfo* const client = client_of(key);
  if (client == nullptr) return Failure(Kind::kCancelled, ask.method + ": the call is over");
  if (is_stateless(client->revision)) return undeclared_error(*client, ask);
  std::optional<Json> missing = undeclared_capability(*client, ask.method, ask.params);
  if (!missing) return std::nullopt;
  return Failure(Kind::kRefused,
                 ask.method + ": the client has not declared " + capability_name(*missing));
}

// read_answers takes in what a retry brings along.
// The handler sees its own requestState, not the sealed one.
std::optional<Failure> ServerEngine::read_answers(Json& params, Instant now,
                                                  Running& running) const {
  const auto bad = [](const char* why) { return Failure(rpc::kInvalidParams, why); };
  running.binding = digest_of(running.asker.method, params, principal_);
  running.answers = Json::object();
  running.used = Json::object();
  running.used = Json::object();
  if (const Json* const state = find(params, "requestState")) {
    const auto* const text = state->get_ptr<const std::string*>();
    const std::optional<Json> content = text ? unseal(options_.secret, *text) : std::nullopt;
    if (!content) return bad("requestState is not one of this server");
    if (string_or(*content, "for", "") != running.binding) {
      return bad("requestState belongs to another request");
    }
    if (int_or(*content, "until", 0) < milliseconds_of(now - Instant{})) {
      return bad("requestState has expired");
    }
    if (const Json* const kept = find(*content, "answers")) running.answers = *kept;
    const Json* const own = find(*content, "own");
    if (own != nullptr) {
      params["requestState"] = *own;
    } else {
      params.erase("requestState");
    }
  }
  const Json* const given = find(params, "inputResponses");
  if (given == nullptr) return std::nullopt;
  if (!given->is_object()) return bad("inputResponses is no object");
  for (const auto& [name, answer] : given->items()) {
    if (!answer.is_object()) return bad("an input response is no object");
    running.answers[name] = answer;
  }
  return std::nullopt;
}

const Json* ServerEngine::answer_of(Key key, const std::string& name) {
  const auto found = calls_.find(key);
  if (found == calls_.end()) return nullptr;
  Running& running = found->second;
  const Json* const answer = find(running.answers, name);
  if (answer != nullptr) running.used[name] = *answer;
  return answer;
}

void ServerEngine::ask(Key key, std::vector<Ask> asks, Instant now) {
  Json requests(Json::value_t::object);
  for (Ask& ask : asks) {
    Json& request = requests[ask.name];
    request["method"] = std::move(ask.method);
    if (!ask.params.is_null()) request["params"] = std::move(ask.params);
  }
  Json result(Json::value_t::object);
  result["resultType"] = "input_required";
  result["inputRequests"] = std::move(requests);
  finish(key, std::move(result), now);
}

// input_required checks such a result, and seals its requestState together with the answers that
// the client has given before.
Reply<Json> ServerEngine::input_required(Running& running, Json result, Instant now) {
  const auto broken = [](std::string why) { return Failure(rpc::kInternalError, std::move(why)); };
  if (!running.asker.own || !may_need_input(running.asker.method)) {
    return broken(running.asker.method + " cannot ask for input by its result");
  }
  const Json* const requests = find(result, "inputRequests");
  const Json* const own = find(result, "requestState");
  if (requests == nullptr && own == nullptr) return broken("an input_required that asks nothing");
  const Json nothing;
  for (const auto& [name, request] : requests ? requests->items() : nothing.items()) {
    const std::string method = string_or(request, "method", "");
    const Json* const params = find(request, "params");
    const ClientInfo& client = *running.asker.own;
    if (auto missing = undeclared_capability(client, method, params ? *params : nothing)) {
      return missing_capability_error(method, *std::move(missing));
    }
  }
  if (own == nullptr && running.used.empty()) return result;
  Json state(Json::value_t::object);
  state["for"] = running.binding;
  state["until"] = milliseconds_of(after(now, options_.state_lifetime) - Instant{});
  if (!running.used.empty()) state["answers"] = std::move(running.used);
  if (own != nullptr) state["own"] = *own;
  result["requestState"] = seal(options_.secret, state);
  return result;
}

}  // namespace plumbline::mcp
