#include "cli/options/selection_options.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/options/usage.h"
#include "conformance/catalogue/requirement.h"

namespace plumbline::cli {

namespace {

// read_ids takes "a,b" apart.
Status read_ids(std::string_view option, std::string_view text, std::vector<std::string>& ids) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view id = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool known = std::ranges::any_of(
        conformance::requirements(), [&](const auto& requirement) { return requirement.id == id; });
    if (!known) {
      return usage(std::string(option) + " " + std::string(id) +
                   ": no check has this id; plumbline list checks shows them");
    }
    ids.emplace_back(id);
  }
  return Done{};
}

}  // namespace

void declare_selection(CLI::App& app, CheckSelection& selection, SelectionTexts& texts) {
  std::vector<std::string> revisions = {"auto", "all"};
  for (const std::string_view revision : conformance::kRevisions) revisions.emplace_back(revision);
  app.add_option("--revision", selection.revision,
                 "auto: all it answers to, older ones by what only they say; all: all in full")
      ->check(CLI::IsMember(revisions))
      ->type_name("R|all|auto");
  app.add_option("--level", texts.level, "How strong a rule has to be: must, should or all")
      ->check(CLI::IsMember({"must", "should", "all"}))
      ->type_name("LEVEL");
  app.add_option("--only", texts.only, "Only these checks")->type_name("ID,...");
  app.add_option("--skip", texts.skip, "All but these checks")->type_name("ID,...");
  app.add_option("--concurrency", selection.concurrency,
                 "Checks at a time (default 32; of clients, runs: two more than there are cores)")
      ->check(CLI::Range(1, 64))
      ->type_name("N");
}

Status read_selection(const SelectionTexts& texts, CheckSelection& selection) {
  using conformance::Levels;
  selection.rules.levels = texts.level == "must"     ? Levels::kMust
                           : texts.level == "should" ? Levels::kShould
                                                     : Levels::kAll;
  const Status only = read_ids("--only", texts.only, selection.rules.only);
  if (!only.ok()) return only;
  return read_ids("--skip", texts.skip, selection.rules.skip);
}

}  // namespace plumbline::cli
