#include "conformance/checks/server/promises/lists/flags.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/listed.h"
#include "conformance/checks/server/promises/said.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/name_words.h"

namespace plumbline::conformance {

namespace {

constexpr std::array<std::string_view, 7> kSmallWords = {"only", "is",   "in",     "show",
                                                         "list", "just", "include"};
constexpr std::array<std::string_view, 9> kLeavesOut = {
    "only", "unless", "left", "out", "excluded", "without", "not", "except", "includes"};

// Flag is a switch that leaves something out, with the value with which it does.
struct Flag {
  std::string name;
  std::vector<std::string> of;  // The words of what it is about: "free", "archived".
  bool only = false;            // With true: nothing but that. Else with false: none of that.
};

// flag_of returns what a switch says that it leaves out; nothing: its name does not say so.
std::optional<Flag> flag_of(const std::string& name, const Json& property) {
  if (string_or(property, "type", "") != "boolean") return std::nullopt;
  std::vector<std::string> words = words_of(name);
  Flag flag{name, words, std::ranges::find(words, "only") != words.end()};
  const bool includes = words.size() > 1 && words.front() == "include";
  if (flag.only == includes) return std::nullopt;
  std::erase_if(flag.of, [](const std::string& word) { return has_word({word}, kSmallWords); });
  return flag.of.size() == 1 ? std::optional(std::move(flag)) : std::nullopt;
}

std::vector<Flag> flags_of(const Json& tool) {
  std::vector<Flag> found;
  const Json* const properties = properties_of(tool);
  if (properties == nullptr) return found;
  for (const auto& [name, property] : properties->items()) {
    if (auto flag = flag_of(name, property)) found.push_back(*std::move(flag));
  }
  return found;
}

// said_of_flag returns the words of what a tool says of a switch, one alike the other: "places" are
// "place" as well.
bool is_said(const Json& tool, const Flag& flag, const std::vector<std::string>& words) {
  std::vector<Sentence> said = sentences_in(string_or(tool, "description", ""));
  const Json* const property = at_pointer(tool, "/inputSchema/properties/" + flag.name);
  for (Sentence& one :
       sentences_in(property == nullptr ? "" : string_or(*property, "description", ""))) {
    one.names.insert(flag.name);
    said.push_back(std::move(one));
  }
  return std::ranges::any_of(said, [&](const Sentence& one) {
    const auto has = [&](const std::string& word) {
      return one.words.contains(word) || one.words.contains(singular(word));
    };
    return one.names.contains(flag.name) && says_word(one, kLeavesOut) &&
           std::ranges::all_of(words, has);
  });
}

// Tells is the member of an item by which it can be told whether a switch is about it.
enum class Tells { kNothing, kYes, kNo };

Tells tells_of(const Json& tool, const Flag& flag, const std::string& name, const Json& value) {
  std::vector<std::string> words = words_of(name);
  if (value.is_boolean()) {
    std::erase_if(words, [](const std::string& word) { return has_word({word}, kSmallWords); });
    if (words != flag.of) return Tells::kNothing;
    return value.get<bool>() ? Tells::kYes : Tells::kNo;
  }
  // A number of what is free: only where the description has the same words.
  const bool counted = flag.only && value.is_number_integer() && words.size() > 1 &&
                       words.front() == flag.of.front() && is_said(tool, flag, words);
  if (!counted) return Tells::kNothing;
  return value.get<double>() > 0 ? Tells::kYes : Tells::kNo;
}

// OddItem is an item that should have been left out, and the member by which that is told.
struct OddItem {
  std::string member;
  Json item;
};

// odd_in returns such an item of a list in which others are as they should be, or which are so in
// `all`.
std::optional<OddItem> odd_in(const Json& tool, const Flag& flag, const Json& list,
                              const Json& all) {
  const Tells wrong = flag.only ? Tells::kNo : Tells::kYes;
  const Tells right = flag.only ? Tells::kYes : Tells::kNo;
  if (!is_objects(list) || !is_objects(all)) return std::nullopt;
  for (const Json& item : list) {
    for (const auto& [name, value] : item.items()) {
      if (tells_of(tool, flag, name, value) != wrong) continue;
      const auto fits = [&, own = name](const Json& other) {
        const Json* const its = find(other, own);
        return its != nullptr && tells_of(tool, flag, own, *its) == right;
      };
      if (std::ranges::any_of(all, fits)) return OddItem{name, item};
    }
  }
  return std::nullopt;
}

std::string id_of_item(const Json& item) {
  for (const char* const name : {"id", "name", "title", "number", "code"}) {
    const Json* const its = find(item, name);
    if (its != nullptr && !its->is_structured()) return " " + shortened(dump_json(*its));
  }
  return {};
}

}  // namespace

bool has_flags(const Json& tool) { return !flags_of(tool).empty(); }

Task<Finding> judge_flags(Client client, const Json* tool, Json params) {
  std::size_t judged = 0;
  const Json* const required = at_pointer(*tool, "/inputSchema/required");
  Json arguments = Json::object();
  for (const Json& name : required == nullptr ? Json::array() : *required) {
    const Json* const given = name.is_string() && params.contains("arguments")
                                  ? find(params["arguments"], name.get<std::string>())
                                  : nullptr;
    if (given != nullptr) arguments[name.get<std::string>()] = *given;
  }
  for (const Flag& flag : flags_of(*tool)) {
    params["arguments"] = arguments;
    params["arguments"][flag.name] = !flag.only;
    const Reply wide = co_await client.request("tools/call", params);
    params["arguments"][flag.name] = flag.only;
    const Reply narrow = co_await client.request("tools/call", params);
    if (!has_gone_well(wide) || !has_gone_well(narrow)) continue;
    ++judged;
    const std::optional<OddItem> odd =
        odd_in(*tool, flag, listed_in(answer_in(narrow)), listed_in(answer_in(wide)));
    if (!odd) continue;
    co_return about(broken(tool_in(params) + ", called with " + given_in(params) + ", lists" +
                           id_of_item(odd->item) + ", of which it says that \"" +
                           shortened(odd->member) + "\" is " + dump_json(odd->item[odd->member])),
                    narrow);
  }
  co_return judged > 0 ? passes() : not_for_it("");
}

}  // namespace plumbline::conformance
