// Completion of one argument beside others that are chosen already: spec,
// server/utilities/completion, context.arguments. What a server offers is tried: in a template of
// the same variables, or in the prompt itself.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/shapes.h"
#include "core/wire/form.h"
#include "core/wire/uri_template.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kPairsMax = 8;   // That are asked about.
constexpr std::size_t kChosenMax = 3;  // Values of the argument that is chosen.
constexpr std::size_t kTriedMax = 6;   // Values that are offered beside it.

using Texts = std::vector<std::string>;

// Pair is two arguments of one prompt, or two variables of one template.
struct Pair {
  Json ref;
  std::string chosen;
  std::string other;
  Texts all;  // Arguments of the prompt that have to be given.
};

// variables_of returns those of a template; none where something else is in it.
Texts variables_of(const std::string& uri_template) {
  Texts names;
  bool plain = true;
  const auto note = [&](std::string_view expression) -> std::optional<std::string> {
    plain = plain && wire::is_plain_expression(expression);
    names.emplace_back(expression);
    return "x";
  };
  const auto made = wire::expand_template(uri_template, note);
  return plain && made ? names : Texts();
}

void add_pairs(std::vector<Pair>& pairs, const Json& ref, const Texts& names, const Texts& all) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = i + 1; j < names.size() && pairs.size() < kPairsMax; ++j) {
      pairs.push_back({ref, names[i], names[j], all});
    }
  }
}

std::vector<Pair> pairs_of(const Survey& survey) {
  std::vector<Pair> pairs;
  for (const Json& item : survey.templates.items) {
    const std::string uri = string_or(item, "uriTemplate", "");
    const Texts names = variables_of(uri);
    if (names.size() == 2) add_pairs(pairs, {{"type", "ref/resource"}, {"uri", uri}}, names, {});
  }
  for (const Json& prompt : survey.prompts.items) {
    const Json* const arguments = find(prompt, "arguments");
    if (arguments == nullptr || !arguments->is_array() || arguments->size() < 2) continue;
    Texts names;
    Texts needed;
    for (const Json& argument : *arguments) {
      names.push_back(string_or(argument, "name", ""));
      if (bool_or(argument, "required", false)) needed.push_back(names.back());
    }
    const std::string name = string_or(prompt, "name", "");
    add_pairs(pairs, {{"type", "ref/prompt"}, {"name", name}}, names, needed);
  }
  return pairs;
}

// Offer is what a completion gives.
struct Offer {
  Texts values;
  std::vector<std::size_t> places;  // In the log.
};

// offered asks for an argument beside a chosen value of another; beside none where that is empty.
Task<Offer> offered(Client& client, Json ref, std::string argument, std::string chosen,
                    std::string value) {
  Json params = Json::object();
  params["ref"] = std::move(ref);
  params["argument"]["name"] = std::move(argument);
  params["argument"]["value"] = "";
  if (!value.empty()) params["context"]["arguments"][chosen] = std::move(value);
  const Reply reply = co_await client.request("completion/complete", std::move(params));
  Offer offer{{}, reply.places};
  const Json* const result = reply.result();
  const Json* const found = result == nullptr ? nullptr : at_pointer(*result, "/completion/values");
  if (found == nullptr || !found->is_array()) co_return offer;
  for (const Json& one : *found) {
    if (one.is_string() && !one.get_ref<const std::string&>().empty()) offer.values.push_back(one);
  }
  co_return offer;
}

// Use is a request that two values make.
struct Use {
  std::string method;
  Json params;
  std::string shown;
};

// uri_with returns what a template of just these two variables makes; nothing: it is of others.
std::optional<std::string> uri_with(const std::string& uri_template, const Pair& pair,
                                    const std::string& chosen, const std::string& other) {
  const Texts names = variables_of(uri_template);
  const auto has = [&](const std::string& name) {
    return std::ranges::find(names, name) != names.end();
  };
  if (names.size() != 2 || !has(pair.chosen) || !has(pair.other)) return std::nullopt;
  return wire::expand_template(uri_template, [&](std::string_view name) {
    std::string text;
    wire::append_percent_encoded(text, name == pair.chosen ? chosen : other);
    return std::optional<std::string>(std::move(text));
  });
}

// uses_of returns how two values may be used together: read, and got as a prompt.
std::vector<Use> uses_of(const Survey& survey, const Pair& pair, const std::string& chosen,
                         const std::string& other) {
  std::vector<Use> uses;
  for (const Json& item : survey.templates.items) {
    const auto uri = uri_with(string_or(item, "uriTemplate", ""), pair, chosen, other);
    if (uri) uses.push_back({"resources/read", {{"uri", *uri}}, "resources/read of " + *uri});
  }
  const std::string prompt = string_or(pair.ref, "name", "");
  if (prompt.empty()) return uses;
  Json params = {{"name", prompt}};
  for (const std::string& name : pair.all) params["arguments"][name] = "plumbline";
  params["arguments"][pair.chosen] = chosen;
  params["arguments"][pair.other] = other;
  uses.push_back({"prompts/get", std::move(params), "prompts/get with both"});
  return uses;
}

// goes_astray looks for a value that is offered beside two chosen ones alike, and that goes with
// the first of them alone.
Task<Finding> goes_astray(Probe& probe, Client client, Pair pair, std::string fits,
                          std::string chosen, Offer offer) {
  offer.values.resize(std::min(offer.values.size(), kTriedMax));
  for (const std::string& value : offer.values) {
    std::vector<Use> good = uses_of(probe.survey(), pair, fits, value);
    std::vector<Use> bad = uses_of(probe.survey(), pair, chosen, value);
    for (std::size_t i = 0; i < good.size(); ++i) {
      const Reply right = co_await client.request(good[i].method, std::move(good[i].params));
      if (right.result() == nullptr) continue;
      const Reply wrong = co_await client.request(bad[i].method, std::move(bad[i].params));
      if (wrong.error() == nullptr) continue;
      Finding finding =
          broken("completion of \"" + shortened(pair.other) + "\" offers \"" + shortened(value) +
                 "\" with " + shortened(pair.chosen) + " \"" + shortened(chosen) +
                 "\" in context.arguments as with \"" + shortened(fits) + "\", and " +
                 shortened(bad[i].shown) + " got " + wrong.describe() +
                 ", expected what goes with the value that is chosen");
      finding.about = offer.places;
      finding.about.insert(finding.about.end(), wrong.places.begin(), wrong.places.end());
      co_return std::move(finding);
    }
  }
  co_return passes();
}

// Beside is what is offered for one argument beside a few values of another.
struct Beside {
  Texts chosen;
  std::vector<Offer> offers;

  // known returns whether there is something to compare, alike whether it is always the same.
  bool known() const { return offers.size() > 1 && !offers.front().values.empty(); }
  bool alike() const {
    return std::ranges::all_of(
        offers, [this](const Offer& one) { return one.values == offers.front().values; });
  }
};

Task<Beside> ask_beside(Client client, Json ref, std::string chosen, std::string other) {
  Beside beside;
  Offer first = co_await offered(client, ref, chosen, "", "");
  beside.chosen = std::move(first.values);
  beside.chosen.resize(std::min(beside.chosen.size(), kChosenMax));
  for (const std::string& value : beside.chosen) {
    beside.offers.push_back(co_await offered(client, ref, other, chosen, value));
  }
  co_return std::move(beside);
}

// judge_pair looks whether one of two arguments is completed by what the other is: which of them
// goes by which is the server's own choice.
Task<Finding> judge_pair(Probe& probe, Client client, Pair pair) {
  const Beside beside = co_await ask_beside(client, pair.ref, pair.chosen, pair.other);
  if (!beside.known()) co_return not_for_it("");
  const Beside back = co_await ask_beside(client, pair.ref, pair.other, pair.chosen);
  if (!beside.alike() || !back.known() || !back.alike()) co_return passes();
  for (const std::string& fits : beside.chosen) {
    for (std::size_t i = 0; i < beside.chosen.size(); ++i) {
      const std::string& other = beside.chosen[i];
      if (other == fits) continue;
      Finding finding = co_await goes_astray(probe, client, pair, fits, other, beside.offers[i]);
      if (finding.verdict != Verdict::kPass) co_return std::move(finding);
    }
  }
  co_return passes();
}

Task<Finding> goes_by_the_context(Probe& probe) {
  if (!probe.survey().declares("/completions")) {
    co_return not_for_it("it does not declare completions");
  }
  Client client = probe.client();
  bool seen = false;
  for (const Pair& pair : pairs_of(probe.survey())) {
    Finding finding = co_await judge_pair(probe, client, pair);
    if (finding.verdict == Verdict::kFail) co_return std::move(finding);
    seen = seen || finding.verdict == Verdict::kPass;
  }
  co_return seen ? passes() : not_for_it("nothing has two arguments that are both completed");
}

constexpr ServerCheck kCompletionContextChecks[] = {
    {"completion.context-respected", Eras::kBoth, SessionUse::kShared, goes_by_the_context},
};

}  // namespace

ServerChecks completion_context_checks() { return kCompletionContextChecks; }

}  // namespace plumbline::conformance
