#include "cli/commands/explain/explain.h"
#include "core/base/errors/errors.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/catalogue.h"
#include "cli/known/known.h"
#include "cli/library.h"
#include "cli/options/nearest_ids.h"
#include "cli/options/shown_words.h"
#include "conformance/catalogue/examples.h"
#include "conformance/catalogue/records.h"
#include "conformance/catalogue/sdks.h"
#include "conformance/checks/gateway/check.h"
#include "conformance/judge/coverage.h"
#include "conformance/quality/rules.h"
#include "core/base/words/joined_by.h"
#include "scenarios/suite/suite.h"

namespace plumbline::cli {

namespace {

// about_scenario returns what a scenario does and what is expected of it.
std::string about_scenario(const scenarios::Scenario& scenario) {
  std::string text = scenario.title + "\n\n";
  for (const scenarios::ClientScript& client : scenario.clients) {
    text += "client:   " + client.name + ", against a server of ours\n";
  }
  if (scenario.fleet) {
    text += "fleet:    " + std::to_string(scenario.fleet->agents) + " agents, for " +
            std::to_string(milliseconds_of(scenario.fleet->lasts) / 1'000) + " s\n";
  }
  if (!scenario.has_agent()) return text + "file:     " + scenario.file + "\n";
  for (const scenarios::UserSpec& user : scenario.users) {
    text += "request:  " + (user.name.empty() ? "" : user.name + " asks: ") + user.input + "\n";
  }
  std::vector<std::string> servers;
  for (const scenarios::ServerSpec& server : scenario.servers) servers.push_back(server.name);
  text += "servers:  " + (servers.empty() ? "none" : joined_by(", ", servers)) + "\n";
  if (scenario.expect.status) text += "status:   " + *scenario.expect.status + "\n";
  if (scenario.expect.route)
    text += "route:    " + joined_by(" -> ", *scenario.expect.route) + "\n";
  if (scenario.expect.effects) {
    text += "effects:  " + std::to_string(*scenario.expect.effects) + "\n";
  }
  return text + "file:     " + scenario.file + "\n";
}

// habits_of_sdks says on which SDKs every server breaks the rule, and how users of one set it
// right.
std::string habits_of_sdks(std::string_view id) {
  std::string text;
  for (const conformance::Sdk& sdk : conformance::sdks()) {
    const std::string name = std::string(sdk.name) + " (seen in " + std::string(sdk.seen) + ")";
    std::string over;
    std::string_view words;
    for (const conformance::SdkHabit& habit : sdk.habits) {
      if (habit.id != id) continue;
      over += (over.empty() ? "" : ", ") + std::string(habit.over);
      words = habit.words;
    }
    if (!over.empty()) text += "  " + name + ", every server over " + over;
    if (!words.empty()) text += "; " + std::string(words);
    if (!over.empty()) text += "\n";
    for (const conformance::SdkHabit& setting : sdk.settings) {
      if (setting.id == id) text += "  " + name + ": " + std::string(setting.words) + "\n";
    }
  }
  return text.empty() ? text : "\nin SDKs\n" + text;
}

// about_rules returns what the specification says under one id, in every revision; empty when there
// is no such rule.
std::string about_rules(std::string_view id) {
  std::string text;
  for (const conformance::Requirement& rule : conformance::requirements()) {
    if (rule.id != id) continue;
    std::string level(rule.level);
    std::ranges::replace(level, '_', ' ');
    text += (text.empty() ? "" : "\n") + level + " (" + std::string(rule.role) + "), " +
            std::string(rule.since) +
            (rule.until.empty()         ? " on"
             : rule.until == rule.since ? " only"
                                        : " to " + std::string(rule.until)) +
            ", transport " + std::string(rule.transport) + "\n  " + std::string(rule.summary) +
            "\n  " + conformance::link_of(rule) + "\n";
    if (!rule.contested.empty()) text += "  disputed: " + std::string(rule.contested) + "\n";
    if (conformance::is_judged(rule, "authorization-server")) {
      text += "  authorization servers: judged by check auth\n";
    }
    for (const std::string_view who : {"server", "client"}) {
      if (!rule.binds(who)) continue;
      const std::string_view excuse = conformance::excuse_for(rule, who);
      text += "  " + std::string(who) + "s: " +
              (conformance::is_judged(rule, who) ? "judged by check " + std::string(who)
               : excuse.empty()                  ? "not judged yet"
                                                 : "not judged: " + std::string(excuse)) +
              "\n";
    }
  }
  return text;
}

// mends_of says what to change, whatever is wrong, and where a message has certain words.
std::string mends_of(std::string_view id) {
  const conformance::RuleRecord* const record = conformance::find_record(id);
  if (record == nullptr || record->mend.empty()) return {};
  std::string text = "\nhow to mend it\n  " + std::string(record->mend) + "\n";
  for (const conformance::WhenSaid& mend : record->mends) {
    text += "  Where the message has \"" + std::string(mend.words) +
            "\": " + std::string(mend.text) + "\n";
  }
  return text;
}

// with_reason adds why a rule matters, an example of a peer that breaks it, and which SDKs do.
std::string with_reason(std::string text, std::string_view id) {
  if (text.empty()) return text;
  const std::string_view why = conformance::why_it_matters(id);
  if (!why.empty()) text += "\nwhy it matters\n  " + std::string(why) + "\n";
  text += mends_of(id);
  if (const conformance::Example* const example = conformance::example_of(id)) {
    text += "\nfor example: " + std::string(example->what) + "\n";
    if (!example->sent.empty()) text += "  sent  " + std::string(example->sent) + "\n";
    text += "  got   " + std::string(example->got.empty() ? "nothing" : example->got) + "\n";
    text += "  said  " + std::string(example->said) + "\n";
    const std::string mend = conformance::mend_in_words(*example);
    if (!mend.empty()) text += "  mend  " + mend + "\n";
  }
  return text + habits_of_sdks(id);
}

// about_gateway_check returns what a check of gateways says; empty when there is no such check.
std::string about_gateway_check(std::string_view id) {
  for (const conformance::GatewayCheck& check : conformance::all_gateway_checks()) {
    if (check.id != id) continue;
    return std::string(check.rule().level) +
           " (gateway), newest revision of each era that goes through\n  " +
           std::string(check.rule().summary) +
           "\n  judged by check gateway; docs/judge-your-gateway.md\n";
  }
  return {};
}

// about_quality returns what a rule of lint says; empty when there is no such rule.
std::string about_quality(std::string_view id) {
  const conformance::QualityRule* const rule = conformance::find_quality_rule(id);
  if (rule == nullptr) return {};
  std::string text = std::string(rule->level) + " (lint, " + std::string(rule->part) + ")\n  " +
                     std::string(rule->rule) + "\n\nwhy it matters\n  " + std::string(rule->why) +
                     "\n";
  if (!rule->advice.empty()) text += "\nwhat to do\n  " + std::string(rule->advice) + "\n";
  if (!rule->source.empty()) text += "\nsource\n  " + std::string(rule->source) + "\n";
  return text;
}

// about_error says what to do about a complaint of the program, of which `text` is the id or the
// line, with or without the id at its end; empty when it is neither.
std::string about_error(std::string_view text) {
  if (const std::size_t at = text.rfind(" ["); at != text.npos && text.ends_with(']')) {
    const std::string of_line = about_error(text.substr(at + 2, text.size() - at - 3));
    if (!of_line.empty()) return of_line;
  }
  const KnownError* error = known_error(current_id(text));
  if (error == nullptr && text.find(' ') != std::string_view::npos) error = pasted_error(text);
  if (error == nullptr) return {};
  return std::string(error->id) + " (error)\n" + std::string(error->wording) + "\n  " +
         std::string(error->advice) + "\n";
}

// known_ids returns everything that can be explained.
std::vector<std::string> known_ids() {
  std::vector<std::string> ids;
  for (const scenarios::Scenario& scenario : library()) ids.push_back(scenario.id);
  for (const conformance::Requirement& rule : conformance::requirements()) {
    ids.emplace_back(rule.id);
  }
  for (const conformance::GatewayCheck& check : conformance::all_gateway_checks()) {
    ids.emplace_back(check.id);
  }
  for (const conformance::QualityRule& rule : conformance::quality_rules()) {
    ids.emplace_back(rule.id);
  }
  for (const std::string_view kind :
       {"faults", "agents", "revisions", "situations", "errors", "settings"}) {
    for (Entry& entry : entries_of(kind)) ids.push_back(std::move(entry.id));
  }
  return ids;
}

// about_test explains the id that reports give a test of a file: test.FILE/NAME.
std::string about_test(const std::string& id) {
  const std::size_t slash = id.find('/');
  if (!id.starts_with("test.") || slash == std::string::npos) return "";
  constexpr std::size_t kBefore = std::string_view("test.").size();
  const std::string file = id.substr(kBefore, slash - kBefore) + std::string(suite::kSuiteEnding);
  const std::string name = id.substr(slash + 1);
  return id + " (test)\nThe test \"" + name + "\" of " + file +
         ": what it sends and expects stands there.\nAlone: plumbline test " + quoted(file) +
         " --only " + quoted(name) + "\n";
}

}  // namespace

void ExplainOptions::declare(CLI::App& app) {
  app.add_option("ID", id,
                 "The id of a check, scenario, fault, agent, error or setting; or an error line")
      ->required();
}

Result<std::string> explanation_of(std::string_view what) {
  const std::string id(current_id(what));
  for (const scenarios::Scenario& scenario : library()) {
    if (scenario.id == id) return id + " (scenario)\n" + about_scenario(scenario);
  }
  if (const std::string rules = about_rules(id); !rules.empty()) {
    return id + " (check)\n" + with_reason(rules, id);
  }
  if (const std::string about = about_gateway_check(id); !about.empty()) {
    return id + " (check)\n" + with_reason(about, id);
  }
  if (const std::string about = about_quality(id); !about.empty()) return id + " (check)\n" + about;
  if (std::string about = about_test(id); !about.empty()) return about;
  if (std::string about = about_error(id); !about.empty()) return about;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kKinds = {
      {{"checks", "check"},
       {"faults", "fault"},
       {"agents", "agent"},
       {"revisions", "revision"},
       {"situations", "situation"},
       {"settings", "setting"}}};
  for (const auto& [kind, singular] : kKinds) {
    for (const Entry& entry : entries_of(kind)) {
      // Behind a colon stands the place of a difference.
      if (entry.id != id.substr(0, id.find(':'))) continue;
      std::string text = entry.id + " (" + std::string(singular);
      if (!entry.area.empty()) text += ", " + entry.area;
      return text + ")\n" + entry.what + "\n";
    }
  }
  const std::string near = joined_by(", ", nearest_ids(id, known_ids()));
  return the_error(
      "explain.unknown", id,
      (near.empty() ? "" : ", the nearest are " + near) +
          "; plumbline list checks|scenarios|revisions|agents|faults|situations|errors|settings "
          "shows the ids");
}

int run_explain(const ExplainOptions& options, Host& host) {
  const Result<std::string> text = explanation_of(options.id);
  if (!text.ok()) return host.complain(text.error(), kExitUsage);
  host.out(text.value());
  return kExitOk;
}

}  // namespace plumbline::cli
