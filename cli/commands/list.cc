#include "cli/commands/list.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/catalogue.h"
#include "cli/options/choice.h"
#include "conformance/judge/coverage.h"
#include "core/base/words/joined_by.h"
#include "core/json/json.h"

namespace plumbline::cli {

namespace {

Json document(const std::string& kind, const std::vector<Entry>& entries) {
  Json list = Json::array();
  for (const Entry& entry : entries) {
    Json row = Json::object();
    row["id"] = entry.id;
    if (!entry.area.empty()) row["area"] = entry.area;
    row["what"] = entry.what;
    if (!entry.tags.empty()) row["tags"] = entry.tags;
    if (!entry.sources.empty()) row["source"] = entry.sources;
    list.push_back(std::move(row));
  }
  Json out = Json::object();
  out[kind] = std::move(list);
  return out;
}

// told_failures counts the scenarios of failures that somebody told of, by tag.
std::string told_failures(const std::vector<Entry>& entries) {
  std::map<std::string, int> by_tag;
  int all = 0;
  for (const Entry& entry : entries) {
    if (entry.sources.empty()) continue;
    ++all;
    for (const std::string& tag : entry.tags) {
      if (tag != entry.area) ++by_tag[tag];
    }
  }
  std::string out = std::to_string(all) + " of " + std::to_string(entries.size()) +
                    " scenarios stand for failures from the field";
  for (const auto& [tag, count] : by_tag) {
    out += (tag == by_tag.begin()->first ? ": " : ", ") + tag + " " + std::to_string(count);
  }
  return out + "\n";
}

// scenario_lines shows each scenario with its folder and tags, and where its failure was told.
std::string scenario_lines(const std::vector<Entry>& entries) {
  std::string text;
  for (const Entry& entry : entries) {
    text += entry.area + "/" + entry.id + "  [" + joined_by(" ", entry.tags) + "]\n    " +
            entry.what + "\n";
    if (!entry.sources.empty()) text += "    " + joined_by(" ", entry.sources) + "\n";
  }
  return text + told_failures(entries);
}

// coverage_lines counts what of the specification is judged.
std::string coverage_lines() {
  std::string text = "\nRules that a side can be seen to break, and how many are judged:\n";
  for (const std::string_view who : {"server", "client"}) {
    for (const bool should : {false, true}) {
      text += "  " + std::string(who) + (should ? " SHOULD:" : " MUST:  ");
      for (const std::string_view revision : conformance::kRevisions) {
        const conformance::Coverage part = conformance::coverage_of(who, revision, should);
        text += "  " + std::string(revision) + " " + std::to_string(part.judged) + "/" +
                std::to_string(part.rules);
      }
      text += "\n";
    }
  }
  return text;
}

}  // namespace

void ListOptions::declare(CLI::App& app) {
  app.add_option("WHAT", what,
                 "checks, scenarios, revisions, agents, faults, situations, errors or settings")
      ->required()
      ->transform(one_of({"checks", "scenarios", "revisions", "agents", "faults", "situations",
                          "errors", "settings"}));
  app.add_flag("--json", json, "Print one JSON document");
}

int run_list(const ListOptions& options, Host& host) {
  const std::vector<Entry> entries = entries_of(options.what);
  if (options.json) {
    host.out(pretty_json(document(options.what, entries)) + "\n");
    return kExitOk;
  }
  if (options.what == "scenarios") {
    host.out(scenario_lines(entries));
    return kExitOk;
  }
  std::size_t width = 0;
  for (const Entry& entry : entries) width = std::max(width, entry.id.size());
  std::string text;
  for (const Entry& entry : entries) {
    text += entry.id + std::string(width + 2 - entry.id.size(), ' ') + entry.what + "\n";
  }
  if (options.what == "checks") text += coverage_lines();
  host.out(text);
  return kExitOk;
}

}  // namespace plumbline::cli
