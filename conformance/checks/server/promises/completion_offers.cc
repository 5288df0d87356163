// Whether a prompt takes what its completion offers: spec, server/utilities/completion. Of a prompt
// that needs one argument alone.

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/features/reasons.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/shapes.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kOfferedMax = 4;  // Values that are tried.

// only_argument_of returns the argument of a prompt where it is the only one that is needed; empty:
// there are more, or none.
std::string only_argument_of(const Json& prompt) {
  std::string found;
  const Json* const arguments = find(prompt, "arguments");
  if (arguments == nullptr || !arguments->is_array()) return found;
  for (const Json& argument : *arguments) {
    if (!bool_or(argument, "required", false)) continue;
    if (!found.empty()) return {};
    found = string_or(argument, "name", "");
  }
  return found;
}

// judge_offers gets a prompt with each value that is offered.
Task<Finding> judge_offers(Client client, std::string name, std::string argument) {
  Json asking = Json::object();
  asking["ref"] = {{"type", "ref/prompt"}, {"name", name}};
  asking["argument"] = {{"name", argument}, {"value", ""}};
  const Reply offer = co_await client.request("completion/complete", std::move(asking));
  std::vector<std::string> values = offered_in(offer.result());
  values.resize(std::min(values.size(), kOfferedMax));
  for (const std::string& value : values) {
    Json params = Json{{"name", name}};
    params["arguments"][argument] = value;
    const Reply reply = co_await client.request("prompts/get", std::move(params));
    // It speaks of this value, and of nothing else that may be amiss.
    const bool refused = reply.code() == -32602 && mentions(text_of_failure(reply), value);
    if (!refused) continue;
    co_return about(
        broken("the completion of \"" + shortened(argument) + "\" offers \"" + shortened(value) +
               "\", and the prompt \"" + shortened(name) + "\" with it got " + reply.describe()),
        offer, reply);
  }
  co_return values.empty() ? not_for_it("") : passes();
}

Task<Finding> takes_what_it_offers(Probe& probe) {
  if (!probe.survey().declares("/completions")) {
    co_return not_for_it("it does not declare completions");
  }
  Client client = probe.client();
  std::size_t judged = 0;
  for (const Json& prompt : probe.survey().prompts.items) {
    const std::string argument = only_argument_of(prompt);
    if (argument.empty()) continue;
    Finding finding = co_await judge_offers(client, string_or(prompt, "name", ""), argument);
    if (finding.verdict == Verdict::kFail) co_return std::move(finding);
    if (finding.verdict == Verdict::kPass) ++judged;
  }
  co_return judged > 0 ? passes()
                       : not_for_it("no prompt needs one argument alone that is completed");
}

constexpr ServerCheck kCompletionOffersChecks[] = {
    {"completion.offers-are-taken", Eras::kBoth, SessionUse::kShared, takes_what_it_offers},
};

}  // namespace

ServerChecks completion_offers_checks() { return kCompletionOffersChecks; }

}  // namespace plumbline::conformance
