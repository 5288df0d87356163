#include "cli/options/selection_options.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/options/choice.h"
#include "cli/options/nearest_ids.h"
#include "conformance/catalogue/requirement.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/checks/gateway/check.h"
#include "core/base/errors/errors.h"
#include "core/base/text.h"
#include "core/base/wildcard.h"

namespace plumbline::cli {

namespace {

std::string known_revisions() {
  std::string all;
  for (const std::string_view revision : conformance::kRevisions) {
    all += (all.empty() ? "" : ", ") + std::string(revision);
  }
  return all;
}

std::vector<std::string> ids_of_rules() {
  std::vector<std::string> ids;
  for (const conformance::Requirement& rule : conformance::requirements()) {
    ids.emplace_back(rule.id);
  }
  return ids;
}

std::vector<std::string> ids_of_gateway_checks() {
  std::vector<std::string> ids;
  for (const conformance::GatewayCheck& check : conformance::all_gateway_checks()) {
    ids.emplace_back(check.id);
  }
  return ids;
}

// read_ids takes "a,b" apart. Each is one of `known`, a pattern such as "tools.*", or the area that
// ids begin with, such as "tools".
Status read_ids(std::string_view option, std::string_view text,
                const std::vector<std::string>& known, std::vector<std::string>& ids) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string id(trimmed(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t before = ids.size();
    for (const std::string& one : known) {
      const bool named = one == id || fits(id, one) || one.starts_with(id + ".");
      if (named && std::ranges::find(ids, one) == ids.end()) ids.push_back(one);
    }
    if (ids.size() == before) {
      const std::string near = did_you_mean(id, known);
      return the_error("check.unknown-id", std::string(option), id,
                       (near.empty() ? "; plumbline list checks shows them" : near));
    }
  }
  return Done{};
}

// read_revision puts the newest revision there for who asks for "latest".
Status read_revision(std::string& revision) {
  for (const std::string_view word : {"latest", "newest", "current"}) {
    if (equals_ignoring_case(revision, word)) revision = conformance::kRevisions.back();
  }
  if (conformance::is_revision_text(revision)) return Done{};
  std::vector<std::string> known = {"auto", "all", "latest"};
  for (const std::string_view one : conformance::kRevisions) known.emplace_back(one);
  return the_error("target.bad-revision", revision,
                   std::string("auto, all, latest, one of ") + known_revisions() +
                       ", or a span such as 2025-06-18.." + did_you_mean(revision, known));
}

}  // namespace

void declare_selection(CLI::App& app, CheckSelection& selection, SelectionTexts& texts) {
  app.add_option("--revision", selection.revision,
                 "Check all, latest, R or R..R in full; auto (default): newest, plus rules only "
                 "older ones have")
      ->type_name("R|R..|all|auto");
  using conformance::Levels;
  app.add_option("--level", selection.rules.levels,
                 "Check rules of this strength: must, should or all (default)")
      ->transform(choice<Levels>(
          {{"must", Levels::kMust}, {"should", Levels::kShould}, {"all", Levels::kAll}}))
      ->type_name("LEVEL");
  app.add_option("--only", texts.only,
                 "Run only these checks: ids, areas, or patterns such as 'tools.*'")
      ->type_name("ID,...")
      ->join(',');
  app.add_option("--skip", texts.skip, "Leave out these checks: ids, areas or patterns")
      ->type_name("ID,...")
      ->join(',');
  app.add_option("--concurrency", selection.concurrency,
                 "Run N checks at a time (default 32; for clients: cores + 2)")
      ->check(CLI::Range(1, 64))
      ->type_name("N");
}

Status read_selection(const SelectionTexts& texts, CheckSelection& selection) {
  const Status revision = read_revision(selection.revision);
  if (!revision.ok()) return revision;
  const std::vector<std::string> known = ids_of_rules();
  const Status only = read_ids("--only", texts.only, known, selection.rules.only);
  if (!only.ok()) return only;
  return read_ids("--skip", texts.skip, known, selection.rules.skip);
}

void declare_gateway_selection(CLI::App& app, CheckSelection& selection, SelectionTexts& texts) {
  std::vector<std::string> revisions = {"auto"};
  for (const std::string_view revision : conformance::kRevisions) revisions.emplace_back(revision);
  app.add_option("--revision", selection.revision,
                 "Check this revision (default auto: the newest of each era that works)")
      ->transform(one_of(revisions))
      ->type_name("R|auto");
  app.add_option("--only", texts.only,
                 "Run only these checks: ids, areas, or patterns such as 'tools.*'")
      ->type_name("ID,...")
      ->join(',');
  app.add_option("--skip", texts.skip, "Leave out these checks: ids, areas or patterns")
      ->type_name("ID,...")
      ->join(',');
}

Status read_gateway_selection(const SelectionTexts& texts, CheckSelection& selection) {
  const std::vector<std::string> known = ids_of_gateway_checks();
  const Status only = read_ids("--only", texts.only, known, selection.rules.only);
  if (!only.ok()) return only;
  return read_ids("--skip", texts.skip, known, selection.rules.skip);
}

}  // namespace plumbline::cli
