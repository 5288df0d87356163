// Whether a prompt takes what its completion offers: spec, server/utilities/completion. Of a prompt
// that needs one argument alone. And whether it has any use for what it needs.

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/features/reasons.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/promises/said.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/name_words.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kOfferedMax = 4;  // Values that are tried.
constexpr std::size_t kUsesMax = 12;    // Arguments of which it is tried.

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

// What a prompt has in its messages, by the words of an argument's name.
constexpr std::array<std::string_view, 24> kWrittenOut = {
    "name",    "title",   "topic",   "subject",  "text",    "code",    "question", "query",
    "message", "content", "author",  "person",   "company", "product", "customer", "recipient",
    "idea",    "goal",    "problem", "sentence", "snippet", "excerpt", "headline", "keyword"};
// What is chosen from a few, or looked up.
constexpr std::array<std::string_view, 12> kChosen = {"style", "tone",     "format", "type",
                                                      "kind",  "language", "level",  "mode",
                                                      "id",    "file",     "table",  "user"};
// What says that it is not always so, or that it is one of a few.
constexpr std::array<std::string_view, 14> kNotAlways = {
    "if",      "only",       "when",     "unless", "ignored", "reserved", "unused",
    "default", "deprecated", "optional", "one of", "either",  "format",   "future"};

bool is_written_out(const Json& prompt, const Json& argument) {
  const std::string said = string_or(argument, "description", "");
  const std::vector<std::string> words = words_of(string_or(argument, "name", ""));
  const bool named = has_word(words, kWrittenOut) && !has_word(words, kChosen);
  const std::vector<Sentence> own = sentences_in(said);
  std::vector<Sentence> all = sentences_in(string_or(prompt, "description", ""));
  all.insert(all.end(), own.begin(), own.end());
  return named && std::ranges::none_of(all, [](const Sentence& one) {
           return says_word(one, kNotAlways) || mentions(one.low, "one of");
         });
}

// judge_use gets a prompt again with another text for one argument, and with a third: what is the
// same for all of them has none of them in it.
Task<Finding> judge_use(Client client, Json params, std::string name) {
  std::vector<Reply> replies;
  std::vector<Json> given;
  for (const char* const value : {"Plumbline Ada", "Plumbline Grace Hopper", "plumbline 7"}) {
    params["arguments"][name] = value;
    Reply reply = co_await client.request("prompts/get", params);
    const Json* const result = reply.result();
    const Json* const messages = result == nullptr ? nullptr : find(*result, "messages");
    if (messages == nullptr || messages->empty()) co_return not_for_it("");
    given.push_back(*messages);
    replies.push_back(std::move(reply));
  }
  if (given[0] != given[1] || given[1] != given[2]) co_return passes();
  co_return about(broken("the prompt \"" + shortened(string_or(params, "name", "")) +
                         "\" needs the argument \"" + shortened(name) +
                         "\", and gives the same messages whatever it is: it is ignored"),
                  replies[0], replies[1]);
}

Task<Finding> uses_what_it_needs(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Client client = probe.client();
  std::size_t judged = 0;
  std::size_t tried = 0;
  for (const Call* const call : exercise.completed("prompts/get")) {
    const std::string name = string_or(call->params, "name", "");
    const Json* const prompt = Survey::item(probe.survey().prompts, "name", name);
    const Json* const arguments = prompt == nullptr ? nullptr : find(*prompt, "arguments");
    if (arguments == nullptr || !arguments->is_array()) continue;
    for (const Json& argument : *arguments) {
      const bool needed = bool_or(argument, "required", false);
      if (!needed || !is_written_out(*prompt, argument)) continue;
      if (++tried > probe.as_many(kUsesMax)) break;
      Finding finding = co_await judge_use(client, call->params, string_or(argument, "name", ""));
      if (finding.verdict == Verdict::kFail) co_return std::move(finding);
      judged += finding.verdict == Verdict::kPass ? 1 : 0;
    }
  }
  co_return judged > 0 ? passes() : not_for_it("no prompt needs a text that it is to have in it");
}

constexpr ServerCheck kCompletionOffersChecks[] = {
    {"completion.offers-are-taken", Eras::kBoth, SessionUse::kShared, takes_what_it_offers},
    {"prompts.arguments-used", Eras::kBoth, SessionUse::kShared, uses_what_it_needs},
};

}  // namespace

ServerChecks completion_offers_checks() { return kCompletionOffersChecks; }

}  // namespace plumbline::conformance
