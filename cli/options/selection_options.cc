#include "cli/options/selection_options.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/options/choice.h"
#include "cli/options/usage.h"
#include "conformance/catalogue/requirement.h"
#include "conformance/checks/gateway/check.h"

namespace plumbline::cli {

namespace {

std::string known_revisions() {
  std::string all;
  for (const std::string_view revision : conformance::kRevisions) {
    all += (all.empty() ? "" : ", ") + std::string(revision);
  }
  return all;
}

bool is_rule(std::string_view id) {
  return std::ranges::any_of(conformance::requirements(),
                             [&](const auto& requirement) { return requirement.id == id; });
}

bool is_gateway_check(std::string_view id) {
  return std::ranges::any_of(conformance::all_gateway_checks(),
                             [&](const auto& check) { return check.id == id; });
}

// read_ids takes "a,b" apart. `known` returns whether there is such a check.
Status read_ids(std::string_view option, std::string_view text, bool (*known)(std::string_view),
                std::vector<std::string>& ids) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view id = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!known(id)) {
      return usage(std::string(option) + " " + std::string(id) +
                   ": no check has this id; plumbline list checks shows them");
    }
    ids.emplace_back(id);
  }
  return Done{};
}

}  // namespace

void declare_selection(CLI::App& app, CheckSelection& selection, SelectionTexts& texts) {
  app.add_option("--revision", selection.revision,
                 "auto: all it answers to, older ones by what only they say; all: all in full; "
                 "R.. and R..R: those in full")
      ->type_name("R|R..|all|auto");
  using conformance::Levels;
  app.add_option("--level", selection.rules.levels,
                 "How strong a rule has to be: must, should or all")
      ->transform(choice<Levels>(
          {{"must", Levels::kMust}, {"should", Levels::kShould}, {"all", Levels::kAll}}))
      ->type_name("LEVEL");
  app.add_option("--only", texts.only, "Only these checks")->type_name("ID,...");
  app.add_option("--skip", texts.skip, "All but these checks")->type_name("ID,...");
  app.add_option("--concurrency", selection.concurrency,
                 "Checks at a time (default 32; of clients, runs: two more than there are cores)")
      ->check(CLI::Range(1, 64))
      ->type_name("N");
}

Status read_selection(const SelectionTexts& texts, CheckSelection& selection) {
  if (!conformance::is_revision_text(selection.revision)) {
    return usage("--revision " + selection.revision + ": expected auto, all, one of " +
                 known_revisions() + ", or a span of them such as 2025-06-18..");
  }
  const Status only = read_ids("--only", texts.only, is_rule, selection.rules.only);
  if (!only.ok()) return only;
  return read_ids("--skip", texts.skip, is_rule, selection.rules.skip);
}

void declare_gateway_selection(CLI::App& app, CheckSelection& selection, SelectionTexts& texts) {
  std::vector<std::string> revisions = {"auto"};
  for (const std::string_view revision : conformance::kRevisions) revisions.emplace_back(revision);
  app.add_option("--revision", selection.revision, "auto: the newest of each era that goes through")
      ->check(CLI::IsMember(revisions))
      ->type_name("R|auto");
  app.add_option("--only", texts.only, "Only these checks")->type_name("ID,...");
  app.add_option("--skip", texts.skip, "All but these checks")->type_name("ID,...");
}

Status read_gateway_selection(const SelectionTexts& texts, CheckSelection& selection) {
  const Status only = read_ids("--only", texts.only, is_gateway_check, selection.rules.only);
  if (!only.ok()) return only;
  return read_ids("--skip", texts.skip, is_gateway_check, selection.rules.skip);
}

}  // namespace plumbline::cli
