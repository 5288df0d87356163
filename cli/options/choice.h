// choice is an option's value that has a name.

#pragma once

#include <map>
#include <string>
#include <type_traits>

#include <CLI/Error.hpp>
#include <CLI/Validators.hpp>

namespace plumbline::cli {

// choice puts the value of that name into the option's enumeration or bool, and refuses any other
// text with the names there are. --help says of it what the option says.
template <typename Value>
CLI::Validator choice(std::map<std::string, Value> names) {
  std::string known;
  for (const auto& [name, unused] : names) known += (known.empty() ? "" : ", ") + name;
  const auto take = [names = std::move(names), known](std::string& text) -> std::string {
    const auto found = names.find(text);
    if (found == names.end()) return text + ": expected one of " + known;
    text = std::to_string(static_cast<int>(found->second));
    return "";
  };
  return CLI::Validator(take, "");
}

}  // namespace plumbline::cli
