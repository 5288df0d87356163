#include <algorithm>
#include <array>

#include "scenarios/shrink/shrink.h"

namespace plumbline::scenarios {

namespace {

constexpr std::size_t kLineMax = 100;
constexpr std::size_t kNotNeededMax = 8;  // Named one by one.

// As people write a scenario file.
constexpr std::array<std::string_view, 14> kOrder = {
    "plumbline", "id",     "title",   "tags",    "sources", "agent",  "request",
    "approve",   "policy", "secrets", "servers", "world",   "faults", "expect"};

std::string one_line(const Json& value) {
  if (value.is_object()) {
    std::string text;
    for (const auto& [key, member] : value.items()) {
      text += (text.empty() ? "" : ", ") + dump_json(Json(key)) + ": " + one_line(member);
    }
    return '{' + text + '}';
  }
  if (!value.is_array()) return dump_json(value);
  std::string text;
  for (const Json& element : value) text += (text.empty() ? "" : ", ") + one_line(element);
  return '[' + text + ']';
}

// readable writes a value on one line where it fits behind `indent` and `taken` columns.
std::string readable(const Json& value, std::size_t indent, std::size_t taken) {
  std::string line = one_line(value);
  if (!value.is_structured() || value.empty() || indent + taken + line.size() < kLineMax) {
    return line;
  }
  const std::string margin = '\n' + std::string(indent + 2, ' ');
  std::string text;
  if (value.is_array()) {
    for (const Json& element : value) {
      text += (text.empty() ? "" : ",") + margin + readable(element, indent + 2, 1);
    }
    return '[' + text + '\n' + std::string(indent, ' ') + ']';
  }
  for (const auto& [key, member] : value.items()) {
    const std::string name = dump_json(Json(key)) + ": ";
    text += (text.empty() ? "" : ",") + margin + name + readable(member, indent + 2, name.size());
  }
  return '{' + text + '\n' + std::string(indent, ' ') + '}';
}

std::string readable_file(const Json& document) {
  std::vector<std::string> keys(kOrder.begin(), kOrder.end());
  for (const auto& [key, member] : document.items()) {
    if (std::ranges::find(kOrder, key) == kOrder.end()) keys.push_back(key);
  }
  std::string text;
  for (const std::string& key : keys) {
    const Json* const member = find(document, key);
    if (member == nullptr || (member->is_structured() && member->empty())) continue;
    const std::string name = dump_json(Json(key)) + ": ";
    text += (text.empty() ? "  " : ",\n  ") + name + readable(*member, 2, name.size());
  }
  return "{\n" + text + "\n}\n";
}

std::string describe(const FaultFound& fault) {
  std::string text = fault.what + (fault.needed ? ": needed" : ": not needed by itself");
  if (fault.unit.empty()) return text;
  text += "; fails for " + fault.unit + ' ' + std::to_string(fault.first);
  return text + (fault.last ? " to " + std::to_string(*fault.last) : " and any later");
}

std::string flat(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  std::ranges::replace(text, '\r', ' ');
  return text;
}

}  // namespace

std::vector<std::string> explain_shrunk(const Shrunk& shrunk) {
  std::vector<std::string> lines = {"fails " + shrunk.failure.check + ": " + flat(shrunk.message)};
  if (shrunk.document.is_null()) {
    lines.push_back("cannot be written as a file: the same choices, written out, pass");
    return lines;
  }
  const Json* const rare = find(shrunk.document, "rare");
  const bool rarely = rare != nullptr && !rare->empty();
  if (shrunk.faults.empty() && !rarely) lines.push_back("needs no fault");
  if (rarely) lines.push_back("rare branches " + dump_json(*rare) + ": needed");
  for (const FaultFound& fault : shrunk.faults) lines.push_back("fault " + describe(fault));
  for (std::size_t i = 0; i < std::min(shrunk.not_needed.size(), kNotNeededMax); ++i) {
    lines.push_back("did not matter: " + shrunk.not_needed[i]);
  }
  if (shrunk.not_needed.size() > kNotNeededMax) {
    lines.push_back("did not matter: " + std::to_string(shrunk.not_needed.size() - kNotNeededMax) +
                    " more");
  }
  if (!shrunk.complete) lines.push_back("the search was cut short: it may become smaller yet");
  return lines;
}

std::string write_shrunk(const Scenario& scenario, std::uint64_t seed, const Shrunk& shrunk,
                         std::string_view id) {
  Json document = shrunk.document;
  const std::string from = scenario.id + " under seed " + std::to_string(seed);
  document["id"] = id;
  document["title"] = from + ", shrunk: breaks " + shrunk.failure.check + ".";
  std::string text = "// Of " + scenario.file + " under seed " + std::to_string(seed) + ".\n";
  for (const std::string& line : explain_shrunk(shrunk)) text += "//   " + line + '\n';
  text += "// plumbline run " + std::string(id) + ".json";
  if (shrunk.run_seed != 1) text += " --seed " + std::to_string(shrunk.run_seed);
  return text + '\n' + readable_file(document);
}

}  // namespace plumbline::scenarios
