#include "conformance/checks/server/input/states.h"

#include <utility>

#include "conformance/checks/server/input/scripted.h"
#include "conformance/peer/answers.h"

namespace plumbline::conformance {

std::vector<std::string> tampered(const std::string& state) {
  std::vector<std::string> others = {state + "x", "x" + state};
  if (state.size() < 2) return others;
  others.push_back(state.substr(0, state.size() - 2));
  std::string flipped = state;
  char& middle = flipped[flipped.size() / 2];
  middle = middle == 'A' ? 'B' : 'A';
  others.push_back(std::move(flipped));
  return others;
}

Json with_another_argument(Json params, std::string& name) {
  const Json* const given = at_pointer(params, "/arguments");
  if (given == nullptr || !given->is_object()) return Json();
  for (auto& [key, value] : params["arguments"].items()) {
    name = key;
    if (value.is_boolean()) {
      value = !value.get<bool>();
    } else if (value.is_number_integer()) {
      value = value.get<std::int64_t>() + 1;
    } else if (value.is_string()) {
      value = value.get<std::string>() + "x";
    } else {
      continue;
    }
    return params;
  }
  return Json();
}

namespace {

Task<Finding> binds_to_arguments(Client& client, Call call) {
  const Reply asked = co_await client.request(call.method, call.params);
  const bool gives = asks_for_input(asked) && find(*asked.result(), "requestState") != nullptr;
  if (!gives) co_return undecided("the call no longer asks for input");
  std::string name;
  Json retry = with_another_argument(retry_of(call.params, *asked.result()), name);
  if (retry.is_null()) co_return not_for_it("no call with arguments gives a requestState");
  const Reply reply = co_await client.request(call.method, std::move(retry));
  if (!succeeded(reply)) co_return passes();
  co_return about(broken(call.method + " of \"" + string_or(call.params, "name", "") +
                         "\" succeeded with the requestState of the same call with another value "
                         "of the argument \"" +
                         name + "\", expected an error or the question again"),
                  reply);
}

}  // namespace

Task<Finding> binds_states_to_arguments(Client& client, std::vector<const Call*> calls) {
  Finding bound = not_for_it("there are no two calls that give a requestState");
  for (const Call* const call : calls) {
    Finding tried = co_await binds_to_arguments(client, *call);
    if (tried.verdict == Verdict::kFail) co_return std::move(tried);
    if (tried.verdict == Verdict::kPass) bound = std::move(tried);
  }
  co_return std::move(bound);
}

}  // namespace plumbline::conformance
