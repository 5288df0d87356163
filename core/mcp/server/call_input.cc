#include "core/mcp/server/call_input.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/base/sha256.h"
#include "core/mcp/server/sealed_state.h"

namespace plumbline::mcp {

namespace {

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

std::int64_t time_of_day_ms(const ServerOptions& options, Instant at) {
  return milliseconds_of(options.clock + (at - Instant{}));
}

}  // namespace

Json input_required(std::vector<Ask> asks) {
  Json requests(Json::value_t::object);
  for (Ask& ask : asks) {
    Json& request = requests[ask.name];
    request["method"] = std::move(ask.method);
    if (!ask.params.is_null()) request["params"] = std::move(ask.params);
  }
  Json result(Json::value_t::object);
  result["resultType"] = "input_required";
  result["inputRequests"] = std::move(requests);
  return result;
}

std::optional<Failure> CallInput::read(const ServerOptions& options, std::string_view method,
                                       std::string_view principal, Json& params, Instant now) {
  const auto bad = [](const char* why) { return Failure(rpc::kInvalidParams, why); };
  Json asked = Json::array();  // Names of the questions that may be answered now.
  binding_ = digest_of(method, params, principal);
  answers_ = Json::object();
  used_ = Json::object();
  if (const Json* const state = find(params, "requestState")) {
    const auto* const text = state->get_ptr<const std::string*>();
    const std::optional<Json> content = text ? unseal(options.secret, *text) : std::nullopt;
    if (!content) return bad("requestState is not one of this server");
    if (string_or(*content, "for", "") != binding_) {
      return bad("requestState belongs to another request");
    }
    if (int_or(*content, "until", 0) < time_of_day_ms(options, now)) {
      return bad("requestState has expired");
    }
    if (const Json* const kept = find(*content, "answers")) answers_ = *kept;
    if (const Json* const names = find(*content, "asked")) asked = *names;
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
  Json counts = Json::object();
  for (const auto& [name, answer] : given->items()) {
    if (!answer.is_object()) return bad("an input response is no object");
    if (std::ranges::find(asked, Json(name)) == asked.end()) continue;
    answers_[name] = answer;
    counts[name] = answer;
  }
  params["inputResponses"] = std::move(counts);
  return std::nullopt;
}

const Json* CallInput::answer_to(const std::string& name) {
  const Json* const answer = find(answers_, name);
  if (answer != nullptr) used_[name] = *answer;
  return answer;
}

Reply<Json> CallInput::seal(const ServerOptions& options, const ClientInfo& client, Json result,
                            Instant now) {
  const auto broken = [](std::string why) { return Failure(rpc::kInternalError, std::move(why)); };
  const Json* const requests = find(result, "inputRequests");
  const Json* const own = find(result, "requestState");
  if (requests == nullptr && own == nullptr) return broken("an input_required that asks nothing");
  const Json nothing;
  Json asked = Json::array();
  for (const auto& [name, request] : requests ? requests->items() : nothing.items()) {
    asked.push_back(name);
    const std::string method = string_or(request, "method", "");
    const Json* const params = find(request, "params");
    if (auto missing = undeclared_capability(client, method, params ? *params : nothing)) {
      return missing_capability_error(method, *std::move(missing));
    }
  }
  Json state(Json::value_t::object);
  state["for"] = binding_;
  state["until"] = time_of_day_ms(options, after(now, options.state_lifetime));
  if (!asked.empty()) state["asked"] = std::move(asked);
  if (!used_.empty()) state["answers"] = std::move(used_);
  if (own != nullptr) state["own"] = *own;
  result["requestState"] = mcp::seal(options.secret, state);
  return result;
}

}  // namespace plumbline::mcp
