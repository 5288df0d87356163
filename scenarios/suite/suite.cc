#include "scenarios/suite/suite.h"

#include <array>

#include "core/json/locate.h"

namespace plumbline::suite {

std::string_view name_of(Verb verb) {
  constexpr std::array<std::string_view, 6> kNames = {"call",     "read", "prompt",
                                                      "complete", "list", "send"};
  return kNames[static_cast<std::size_t>(verb)];
}

std::string Step::told() const {
  return std::string(name_of(verb)) + (what.empty() ? "" : " " + what);
}

std::string place_in(const std::string& file, Position at) {
  return file + ':' + std::to_string(at.line) + ':' + std::to_string(at.column);
}

std::string Suite::place_of(const Test& test) const {
  return place_in(file, locate(text, test.steps.front().pointer));
}

std::string Suite::snapshots_file() const {
  constexpr std::string_view kEnding = ".json";
  const std::string stem =
      file.ends_with(kEnding) ? file.substr(0, file.size() - kEnding.size()) : file;
  return stem + ".snap.json";
}

}  // namespace plumbline::suite
