// Options whose value has a name.

#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <CLI/Error.hpp>
#include <CLI/Validators.hpp>

#include "cli/options/nearest_ids.h"
#include "core/base/text.h"

namespace plumbline::cli {

// one_of takes one of `names`, in whatever capitals, and refuses any other text with the names that
// there are and the one that may be meant. Help and completion show the names.
inline CLI::Validator one_of(std::vector<std::string> names) {
  std::string known;
  std::string shown;
  for (const std::string& name : names) {
    known += (known.empty() ? "" : ", ") + name;
    shown += (shown.empty() ? "{" : ",") + name;
  }
  const auto take = [names = std::move(names), known](std::string& text) -> std::string {
    const auto is_meant = [&text](const std::string& name) {
      return equals_ignoring_case(name, text);
    };
    const auto found = std::ranges::find_if(names, is_meant);
    if (found == names.end()) {
      return text + ": expected one of " + known + did_you_mean(text, names);
    }
    text = *found;
    return "";
  };
  return CLI::Validator(take, shown + "}");
}

// choice puts the value of such a name into the option's enumeration or bool.
template <typename Value>
CLI::Validator choice(std::map<std::string, Value> values) {
  std::vector<std::string> names;
  for (const auto& [name, unused] : values) names.push_back(name);
  const CLI::Validator named = one_of(names);
  const auto take = [values = std::move(values), named](std::string& text) -> std::string {
    std::string wrong = named(text);
    if (wrong.empty()) text = std::to_string(static_cast<int>(values.at(text)));
    return wrong;
  };
  return CLI::Validator(take, named.get_description());
}

}  // namespace plumbline::cli
