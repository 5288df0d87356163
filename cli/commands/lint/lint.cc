#include "cli/commands/lint/lint.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/judging/target.h"
#include "cli/options/nearest_ids.h"
#include "cli/options/version.h"
#include "cli/publish.h"
#include "conformance/quality/field.h"
#include "conformance/quality/hosts.h"
#include "conformance/quality/lint.h"
#include "conformance/quality/rules.h"
#include "conformance/quality/safety/pins.h"
#include "core/base/errors/errors.h"
#include "core/base/words/joined_by.h"
#include "core/os/child/real_paths.h"
#include "core/os/wall_clock.h"

namespace plumbline::cli {

namespace {

using conformance::quality_rules;

constexpr std::size_t kOtherToolsMax = 1'000;  // Of the servers beside one that it is held to.

void add_list(CLI::App& app, const char* name, std::vector<std::string>& out, const char* says,
              const char* type) {
  app.add_option(name, out, says)
      ->type_name(type)
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

bool is_part(std::string_view word) {
  return std::ranges::any_of(quality_rules(), [word](const auto& rule) {
    return rule.part == word || rule.level == word;
  });
}

std::vector<std::string> rule_ids() {
  std::vector<std::string> ids;
  for (const conformance::QualityRule& rule : quality_rules()) ids.emplace_back(rule.id);
  return ids;
}

Error no_rule(std::string_view option, const std::string& id) {
  const std::string near = joined_by(", ", nearest_ids(id, rule_ids()));
  return the_error(
      "lint.rule", std::string(option), id,
      (near.empty() ? "" : ", the nearest are " + near) + "; plumbline list checks shows them");
}

std::vector<std::string> words_between_commas(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

Status read_ids(std::string_view option, std::string_view text, std::vector<std::string>& ids) {
  for (std::string& id : words_between_commas(text)) {
    if (conformance::find_quality_rule(id) == nullptr) return no_rule(option, id);
    ids.push_back(std::move(id));
  }
  return Done{};
}

Json shown_sources(const LintOptions& options, const Offers& offers) {
  Json shown(Json::value_t::object);
  Json& list = shown["servers"] = Json::array();
  for (const SourcedOffer& offer : offers.all) {
    Json one(Json::value_t::object);
    if (!offer.name.empty()) one["name"] = offer.name;
    one["target"] = offer.shown;
    list.push_back(std::move(one));
  }
  if (!options.sources.target.config.empty()) shown["config"] = options.sources.target.config;
  return shown;
}

// around returns what else there is beside the server at `place`.
conformance::Around around(const LintOptions& options, const Offers& offers, std::size_t place) {
  conformance::Around found;
  found.server = offers.all[place].name;
  found.hosts = options.hosts;
  if (options.sources.target.config.empty()) return found;
  for (std::size_t i = 0; i < offers.all.size(); ++i) {
    if (i == place) continue;
    found.other_servers.push_back(offers.all[i].name);
    for (const Json& tool : offers.all[i].offer.tools) {
      if (found.other_tools.size() == kOtherToolsMax) break;
      found.other_tools.push_back(string_or(tool, "name", ""));
      found.owners.push_back(offers.all[i].name);
    }
  }
  return found;
}

// pinned_name returns what a server is called in a file of pins.
std::string pinned_name(const SourcedOffer& source) {
  if (!source.name.empty()) return source.name;
  return source.offer.name.empty() ? "server" : source.offer.name;
}

// read_pins reads the file of --pins; one that is to be written need not be there. kInvalidInput:
// it cannot be read, is no such file, or knows none of the servers.
Result<conformance::Pins> read_pins(const LintOptions& options, const Offers& offers, Host& host) {
  if (options.pins.empty()) return conformance::Pins();
  const Result<std::string> text = host.files().read_file(options.pins);
  if (!text.ok() && options.update_pins) return conformance::Pins();
  if (!text.ok()) return the_error("lint.pins", options.pins, text.error().message);
  Result<conformance::Pins> pins = conformance::Pins::read(text.value());
  if (!pins.ok()) return the_error("lint.pins", options.pins, pins.error().message);
  for (const SourcedOffer& source : offers.all) {
    if (options.update_pins || pins.value().has(pinned_name(source))) continue;
    return the_error(
        "lint.pins", options.pins,
        std::string("it keeps nothing of ") + pinned_name(source) + "; --update-pins adds it");
  }
  return pins;
}

// write_pins keeps what is listed now, where that is asked for.
Status write_pins(const LintOptions& options, const Offers& offers, conformance::Pins pins,
                  Host& host) {
  if (!options.update_pins) return Done{};
  for (const SourcedOffer& source : offers.all) pins.pin(pinned_name(source), source.offer);
  return host.files().write_file(options.pins, pins.text());
}

void add_linted(const LintOptions& options, const Offers& offers, const conformance::Pins& pins,
                Report& report) {
  Json& shown = report.target["lint"] = Json::array();
  for (std::size_t place = 0; place < offers.all.size(); ++place) {
    const SourcedOffer& source = offers.all[place];
    conformance::LintOptions how;
    how.around = around(options, offers, place);
    how.selection = options.selection;
    how.fail_on = options.fail_on;
    how.fails_below = options.least != '\0';
    how.least = options.least;
    how.reproduce = [&source](std::string_view id) {
      return "plumbline lint --only " + std::string(id) + " " + source.shown;
    };
    conformance::Notes changes;
    if (!options.update_pins) pins.compare(pinned_name(source), source.offer, changes);
    conformance::Linted linted = conformance::lint(source.offer, how, changes);
    Json numbers = conformance::json_of(linted);
    if (options.field) numbers["field"] = conformance::place_in_field(linted);
    shown.push_back(std::move(numbers));
    for (CheckResult& row : linted.results) report.results.push_back(std::move(row));
  }
}

}  // namespace

namespace {

// take_files takes the words of TARGET where all are files of messages: no server is needed.
void take_files(OfferSources& sources) {
  std::vector<std::string>& words = sources.target.words;
  const auto is_file = [](const std::string& word) {
    const bool local = word.find("://") == word.npos;
    return local && (word.ends_with(".json") || word.ends_with(".jsonl") || word.ends_with(".har"));
  };
  const bool alone =
      sources.target.command.empty() && sources.target.url.empty() && sources.target.config.empty();
  if (alone && std::ranges::all_of(words, is_file)) sources.files = std::exchange(words, {});
}

}  // namespace

void LintOptions::declare(CLI::App& app) {
  declare_target(app, sources.target);
  app.get_option("TARGET")->description(
      "A URL, a configuration file, recordings, saved answers to tools/list, or -- COMMAND "
      "ARGS...");
  add_list(app, "--host", hosts, "Only what this host takes or refuses; repeatable (all)", "NAME");
  app.add_option("--only", only_, "Check only these rules")->type_name("ID,...")->join(',');
  app.add_option("--skip", skip_, "Leave out these rules")->type_name("ID,...")->join(',');
  app.add_option("--fail-on", fail_on_,
                 "Also fail on these: rules, parts, warning, advice, or below a grade")
      ->type_name("ID|PART|GRADE,...")
      ->join(',');
  app.add_option("--badge", badge, "Write the grade as a badge: --report badge=FILE")
      ->type_name("FILE");
  app.add_option("--pins", pins, "Fail if the tools differ from those saved in this file")
      ->type_name("FILE");
  app.add_flag("--update-pins", update_pins, "Save the current tools in the --pins file");
  app.add_flag("--field", field, "Rank the server among published servers");
  add_timeout(app, texts_);
  add_common(app, common, texts_);
}

Status LintOptions::read() {
  const Status shared = read_common(texts_, common);
  if (!shared.ok()) return shared;
  sources.timeout = common.timeout;
  take_files(sources);
  os::RealPaths paths;
  const Status taken =
      sources.files.empty() ? take_target("lint", sources.target, paths) : Status(Done{});
  if (!taken.ok()) return taken;
  const std::vector<std::string> known = conformance::known_hosts();
  for (const std::string& one : hosts) {
    if (std::ranges::find(known, one) != known.end()) continue;
    return the_error("lint.host", one, joined_by(", ", known));
  }
  const Status only = read_ids("--only", only_, selection.only);
  if (!only.ok()) return only;
  const Status skip = read_ids("--skip", skip_, selection.skip);
  if (!skip.ok()) return skip;
  for (std::string& word : words_between_commas(fail_on_)) {
    if (word.size() == 1 && std::string_view("ABCD").find(word[0]) != std::string_view::npos) {
      least = word[0];
    } else if (is_part(word) || conformance::find_quality_rule(word) != nullptr) {
      fail_on.push_back(std::move(word));
    } else {
      return no_rule("--fail-on", word);
    }
  }
  if (update_pins && pins.empty()) return the_error("lint.pins-alone");
  if (!badge.empty()) common.reports.push_back({"badge", badge});
  return Done{};
}

void add_lint(const CheckTargets& targets, Duration timeout, Report& report, Host& host) {
  add_linted(LintOptions(), ask_servers(targets, timeout, host), conformance::Pins(), report);
}

int run_lint(const LintOptions& options, Host& host) {
  const Duration begin = os::wall_clock_since_1970();
  Report report;
  report.version = kVersion;
  report.command = "lint";
  report.started = os::wall_clock_rfc3339();
  const Result<Offers> offers = gather(options.sources, host);
  if (!offers.ok()) return host.complain(offers.error(), kExitUsage);
  if (offers.value().interrupted) return kExitInterrupted;
  const Error& complaint = offers.value().complaint;
  if (offers.value().all.empty()) return host.complain(complaint, kExitUnreachable);
  const Result<conformance::Pins> pins = read_pins(options, offers.value(), host);
  if (!pins.ok()) return host.complain(pins.error(), kExitUsage);
  report.target = shown_sources(options, offers.value());
  add_linted(options, offers.value(), pins.value(), report);
  const std::vector<SourcedOffer>& all = offers.value().all;
  if (all.size() == 1) report.revision = all.front().offer.revision;
  const Status kept = write_pins(options, offers.value(), pins.value(), host);
  if (!kept.ok()) return host.complain(kept.error(), kExitUnreachable);
  const Duration took = os::wall_clock_since_1970() - begin;
  report.duration_ms = static_cast<double>(took.count()) / 1e6;
  const int status = publish(host, options.common, report);
  return complaint.message.empty() ? status : host.complain(complaint, kExitUnreachable);
}

}  // namespace plumbline::cli
