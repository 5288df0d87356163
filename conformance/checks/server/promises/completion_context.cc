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

// ask_for begins to ask for an argument beside a chosen value of another; beside none where that is
// empty.
Client::Begun ask_for(Client& client, const Json& ref, const std::string& argument,
                      const std::string& chosen, const std::string& value) {
  Json params = Json::object();
  params["ref"] = ref;
  params["argument"]["name"] = argument;
  params["argument"]["value"] = "";
  if (!value.empty()) params["context"]["arguments"][chosen] = value;
  return client.begin(client.request_of("completion/complete", std::move(params)));
}

Offer offer_in(const Reply& reply) { return {offered_in(reply.result()), reply.places}; }

// UseOfBoth is a request that two values make.
struct UseOfBoth {
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
std::vector<UseOfBoth> uses_of(const Survey& survey, const Pair& pair, const std::string& chosen,
                               const std::string& other) {
  std::vector<UseOfBoth> uses;
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

// BesideChosen is what is offered for one argument beside a few values of another.
struct BesideChosen {
  Texts chosen;
  std::vector<Offer> offers;

  // known returns whether there is something to compare, alike whether it is always the same.
  bool known() const { return offers.size() > 1 && !offers.front().values.empty(); }
  bool alike() const {
    return std::ranges::all_of(
        offers, [this](const Offer& one) { return one.values == offers.front().values; });
  }
};

Task<BesideChosen> ask_beside(Client client, Json ref, std::string chosen, std::string other) {
  BesideChosen beside;
  const Reply first = co_await client.finish(ask_for(client, ref, chosen, "", ""));
  beside.chosen = offer_in(first).values;
  beside.chosen.resize(std::min(beside.chosen.size(), kChosenMax));
  std::vector<Client::Begun> begun;
  for (const std::string& value : beside.chosen) {
    begun.push_back(ask_for(client, ref, other, chosen, value));
  }
  for (Client::Begun& each : begun) {
    const Reply reply = co_await client.finish(std::move(each));
    beside.offers.push_back(offer_in(reply));
  }
  co_return std::move(beside);
}

// UsedTogether is one value that is offered beside a chosen one, and what came of their use.
struct UsedTogether {
  std::string chosen;
  std::string value;
  std::size_t way = 0;  // Which of the ways to use them.
  std::string shown;
  Client::Begun begun;
  Reply reply = {};
};

// use_all uses each value beside each chosen one, all at once.
Task<std::vector<UsedTogether>> use_all(Probe& probe, Client client, Pair pair,
                                        BesideChosen beside) {
  Texts values = beside.offers.front().values;
  values.resize(std::min(values.size(), kTriedMax));
  std::vector<UsedTogether> uses;
  for (const std::string& chosen : beside.chosen) {
    for (const std::string& value : values) {
      std::size_t way = 0;
      for (UseOfBoth& use : uses_of(probe.survey(), pair, chosen, value)) {
        Json request = client.request_of(use.method, std::move(use.params));
        uses.push_back({chosen, value, way++, use.shown, client.begin(std::move(request))});
      }
    }
  }
  for (UsedTogether& each : uses) each.reply = co_await client.finish(std::move(each.begun));
  co_return std::move(uses);
}

// astray returns a use that came to an error where the same value goes with another one that may
// be chosen; nullptr: there is none.
const UsedTogether* astray(const std::vector<UsedTogether>& uses, const UsedTogether& good) {
  if (good.reply.result() == nullptr) return nullptr;
  const auto bad = std::ranges::find_if(uses, [&good](const UsedTogether& one) {
    return one.value == good.value && one.way == good.way && one.reply.error() != nullptr;
  });
  return bad == uses.end() ? nullptr : &*bad;
}

// judge_pair looks whether one of two arguments is completed by what the other is: which of them
// goes by which is the server's own choice.
Task<Finding> judge_pair(Probe& probe, Client client, Pair pair) {
  const BesideChosen beside = co_await ask_beside(client, pair.ref, pair.chosen, pair.other);
  if (!beside.known()) co_return not_for_it("");
  const BesideChosen back = co_await ask_beside(client, pair.ref, pair.other, pair.chosen);
  if (!beside.alike() || !back.known() || !back.alike()) co_return passes();
  const std::vector<UsedTogether> uses = co_await use_all(probe, client, pair, beside);
  for (const UsedTogether& good : uses) {
    const UsedTogether* const bad = astray(uses, good);
    if (bad == nullptr) continue;
    Finding finding =
        broken("completion of \"" + shortened(pair.other) + "\" offers \"" + shortened(bad->value) +
               "\" with " + shortened(pair.chosen) + " \"" + shortened(bad->chosen) +
               "\" in context.arguments as with \"" + shortened(good.chosen) + "\", and " +
               shortened(bad->shown) + " got " + bad->reply.describe() +
               ", expected what goes with the value that is chosen");
    const auto asked = std::ranges::find(beside.chosen, bad->chosen) - beside.chosen.begin();
    finding.about = beside.offers[static_cast<std::size_t>(asked)].places;
    const std::vector<std::size_t>& places = bad->reply.places;
    finding.about.insert(finding.about.end(), places.begin(), places.end());
    co_return std::move(finding);
  }
  co_return passes();
}

Task<Finding> goes_by_the_context(Probe& probe) {
  if (!probe.survey().declares("/completions")) {
    co_return not_for_it("it does not declare completions");
  }
  Client client = probe.client();
  const std::size_t most = probe.as_many(kPairsMax);
  std::size_t judged = 0;
  for (const Pair& pair : pairs_of(probe.survey())) {
    if (judged == most) break;
    Finding finding = co_await judge_pair(probe, client, pair);
    if (finding.verdict == Verdict::kFail) co_return std::move(finding);
    if (finding.verdict == Verdict::kPass) ++judged;
  }
  co_return judged > 0 ? passes() : not_for_it("nothing has two arguments that are both completed");
}

constexpr ServerCheck kCompletionContextChecks[] = {
    {"completion.context-respected", Eras::kBoth, SessionUse::kShared, goes_by_the_context},
};

}  // namespace

ServerChecks completion_context_checks() { return kCompletionContextChecks; }

}  // namespace plumbline::conformance
