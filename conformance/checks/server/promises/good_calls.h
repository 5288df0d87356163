// Calls of tools that have gone well, to be made again: what the promises of tools are compared by.

#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/checks/server/probe.h"
#include "conformance/peer/name_words.h"

namespace plumbline::conformance {

// says_hint returns whether a tool has this hint in its annotations, with this value.
bool says_hint(const Json& tool, const char* hint, bool value);

// starts_with_one_of returns whether the name of a tool begins with one of `verbs`, as a word.
template <typename Verbs>
bool starts_with_one_of(const Json& tool, const Verbs& verbs) {
  const std::vector<std::string> words = words_of(string_or(tool, "name", ""));
  return !words.empty() && std::ranges::find(verbs, words.front()) != std::ranges::end(verbs);
}

// good_calls returns the calls of a tool that went well: the first, and the last with other
// arguments.
std::vector<const Call*> good_calls(const Exercise& exercise, std::string_view tool);

// known_params returns the params of a call of a tool that went well, or of one that may, with
// values that the server has shown: where it was called, what it needs may have been gone already,
// or not been known. Null: there are none.
Json known_params(Probe& probe, const Exercise& exercise, const Json& tool);

// reading_calls returns the params of good calls of tools that say that they only read, at most
// `most`.
std::vector<Json> reading_calls(Probe& probe, const Exercise& exercise, std::size_t most);

// answers_to makes calls of tools one after the other, and returns what each says; null: it did not
// go well.
Task<std::vector<Json>> answers_to(Client client, std::vector<Json> calls);

// call_mended makes a call; while it is refused, with other arguments, as the refusal says, a few
// times. `params` are then those of the last call.
Task<Reply> call_mended(Client client, const Json* tool, Json* params);

// tool_in and given_in say the tool and the arguments of a call in a few words: the tool "greet",
// and
// {"name":"Ada"}.
std::string tool_in(const Json& params);
std::string given_in(const Json& params);

// has_gone_well returns whether a tool has answered, and neither with isError nor with a task.
bool has_gone_well(const Reply& reply);

// is_refused returns whether a tool has failed for a reason of its own: no limit of calls in a
// time, and no network out of reach.
bool is_refused(const Reply& reply);

// answer_in returns what a reply says, without its _meta; texts that are JSON as such.
Json answer_in(const Reply& reply);

// FirstDifference is the first place in which two answers differ that both have.
struct FirstDifference {
  std::string member;  // What stands there is called so; empty: it has no name.
  Json before;
  Json after;
  bool any = false;
};

FirstDifference first_difference_of(const Json& before, const Json& after);

// tells_of_time returns whether a difference may come with time, with chance or with use: a clock,
// a count of calls, an id.
bool tells_of_time(const FirstDifference& difference);

// keeps_a_record returns whether a tool shows what has been done: that grows with any call.
bool keeps_a_record(std::string_view tool);

// shown returns a difference in a few words: "amount" is 200, then 100.
std::string shown(const FirstDifference& difference);

}  // namespace plumbline::conformance
