#include "cli/catalogue.h"

#include <algorithm>
#include <utility>

#include "cli/known/known.h"
#include "cli/library.h"
#include "conformance/checks/gateway/check.h"
#include "conformance/fuzz/fuzz_oracles.h"
#include "conformance/judge/coverage.h"
#include "conformance/quality/rules.h"
#include "core/agents/all/agents.h"
#include "core/base/check.h"
#include "core/base/errors/errors.h"
#include "core/base/rare.h"
#include "core/connector/trial/connection_tests.h"
#include "core/mcp/protocol/revision.h"
#include "fakes/faults/deviations.h"
#include "scenarios/compare/differences.h"
#include "scenarios/format/fault_verbs.h"
#include "scenarios/judge/any_agent.h"
#include "scenarios/judge/invariants.h"
#include "scenarios/judge/situations.h"
#include "scenarios/spec/inner_faults.h"

namespace plumbline::cli {

namespace {

// judged_by returns who is judged by the rule: "server", "client", "server and client",
// "authorization server" or nobody.
std::string judged_by(const conformance::Requirement& rule) {
  const bool server = conformance::is_judged(rule, "server");
  const bool client = conformance::is_judged(rule, "client");
  if (conformance::is_judged(rule, "authorization-server")) return "authorization server";
  if (server && client) return "server and client";
  return server ? "server" : client ? "client" : "";
}

// add_rules appends each rule of the specification that a check judges. One id may stand for a rule
// of both eras, worded for each.
void add_rules(std::vector<Entry>& entries) {
  for (const conformance::Requirement& rule : conformance::requirements()) {
    const std::string judged = judged_by(rule);
    if (judged.empty()) continue;
    std::string level(rule.level);
    std::ranges::replace(level, '_', ' ');
    const std::string last = rule.until.empty() ? "" : std::string(rule.until);
    const std::string span = rule.since == rule.until ? std::string(rule.since)
                             : conformance::is_stateless(rule.since)
                                 ? std::string(rule.since)
                                 : std::string(rule.since) + ".." + last;
    Entry entry;
    entry.id = std::string(rule.id);
    entry.area = std::string(rule.area);
    entry.what = level + ", " + judged + ", " + span + ": " + std::string(rule.summary);
    entry.tags = {judged, level, span};
    entry.sources = {conformance::link_of(rule)};
    entries.push_back(std::move(entry));
  }
}

void add_gateway_rules(std::vector<Entry>& entries) {
  for (const conformance::GatewayCheck& check : conformance::all_gateway_checks()) {
    const conformance::Requirement& rule = check.rule();
    Entry entry;
    entry.id = std::string(rule.id);
    entry.area = std::string(rule.area);
    entry.what = std::string(rule.level) + ", gateway: " + std::string(rule.summary);
    entries.push_back(std::move(entry));
  }
}

}  // namespace

std::vector<Entry> entries_of(std::string_view kind) {
  std::vector<Entry> entries;
  const auto add = [&](std::string_view id, std::string_view area, std::string_view what) {
    entries.push_back(Entry{std::string(id), std::string(area), std::string(what), {}, {}});
  };
  if (kind == "agents") {
    for (const agents::Agent* const agent : agents::all_agents()) {
      add(agent->name(), "", agent->what());
    }
  } else if (kind == "checks") {
    add_rules(entries);
    add_gateway_rules(entries);
    for (const auto& rule : scenarios::all_agent_rules()) add(rule.id, "run --client", rule.what);
    for (const auto& oracle : conformance::fuzz_oracles()) {
      add(oracle.id, "fuzz server", oracle.what);
    }
    for (const auto& test : connector::connection_tests()) add(test.id, "connect test", test.title);
    for (const auto& difference : scenarios::difference_kinds()) {
      add(difference.id, "replay --diff", difference.what);
    }
    for (const auto& rule : conformance::quality_rules()) add(rule.id, "lint", rule.rule);
    for (const auto& invariant : scenarios::all_invariants())
      add(invariant.id, "run", invariant.what);
  } else if (kind == "errors") {
    for (const KnownError& error : kErrors) add(error.id, "", error.wording);
  } else if (kind == "settings") {
    for (const KnownSetting& setting : known_settings()) add(setting.name, "", setting.what);
  } else if (kind == "faults") {
    for (const auto& verb : scenarios::all_verbs()) add(verb.name, "link", verb.what);
    for (const auto& deviation : fakes::all_deviations()) {
      add(deviation.name, deviation.area, deviation.what);
    }
    for (const auto& point : scenarios::all_crash_points()) add(point.name, "crash", point.what);
    for (const RareSite& site : rare_sites()) {
      add(site.name, "rare", site.what);
    }
  } else if (kind == "revisions") {
    for (const mcp::Revision revision : mcp::all_revisions()) {
      if (mcp::is_stateless(revision)) {
        add(mcp::name_of(revision), "discover", "A revision whose requests stand alone.");
      } else {
        add(mcp::name_of(revision), "initialize",
            "A revision that opens with the initialize handshake.");
      }
    }
  } else if (kind == "situations") {
    for (const auto& situation : scenarios::all_situations()) {
      add(situation.name, "sweep", situation.what);
    }
  } else {
    check(kind == "scenarios", "a kind of catalogue entry");
    for (const scenarios::Scenario& scenario : library()) {
      entries.push_back(
          Entry{scenario.id, scenario.folder, scenario.title, scenario.tags, scenario.sources});
    }
  }
  return entries;
}

}  // namespace plumbline::cli
