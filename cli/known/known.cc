#include "cli/known/known.h"

#include <map>
#include <span>

#include "cli/known/tables.h"
#include "cli/options/settings.h"
#include "conformance/catalogue/columns.h"
#include "core/base/wildcard.h"

namespace plumbline::cli {

namespace {

conformance::Columns table(std::string_view name) {
  return conformance::Columns(embedded_text(known_tables(), name));
}

}  // namespace

std::string_view current_id(std::string_view id) {
  static const std::map<std::string_view, std::string_view> renamed = [] {
    std::map<std::string_view, std::string_view> out;
    conformance::Columns columns = table("ids.tsv");
    while (columns.next_line()) {
      columns.next();  // Its kind.
      const std::string_view name = columns.next();
      if (const std::string_view now = columns.next(); !now.empty()) out.emplace(name, now);
    }
    return out;
  }();
  const auto found = renamed.find(id);
  return found == renamed.end() ? id : found->second;
}

std::string_view meant_by(std::string_view kind, std::string_view typed, std::string_view of) {
  conformance::Columns columns = table("synonyms.tsv");
  while (columns.next_line()) {
    const std::string_view row_kind = columns.next();
    const std::string_view word = columns.next();
    const std::string_view commands = columns.next();
    if (row_kind == kind && word == typed && fits(commands, of)) return columns.next();
  }
  return {};
}

namespace {

constexpr std::string_view kOtherOptions = "Options";

struct HelpRow {
  std::string_view kind, name, of, text;
};

std::span<const HelpRow> help_rows() {
  static const std::vector<HelpRow> rows = [] {
    std::vector<HelpRow> out;
    conformance::Columns columns = table("help.tsv");
    while (columns.next_line()) {
      HelpRow& row = out.emplace_back();
      row.kind = columns.next();
      row.name = columns.next();
      row.of = columns.next();
      row.text = columns.next();
    }
    return out;
  }();
  return rows;
}

}  // namespace

std::vector<std::string_view> option_groups() {
  return {"Target", "What to check", kOtherOptions, "Behaviour", "Output"};
}

std::string_view group_of_option(std::string_view name) {
  for (const HelpRow& row : help_rows()) {
    if (row.kind == "option" && row.name == name) return row.of;
  }
  return kOtherOptions;
}

std::vector<CommandGroup> command_groups() {
  std::vector<CommandGroup> groups;
  for (const HelpRow& row : help_rows()) {
    if (row.kind != "command") continue;
    if (groups.empty() || groups.back().heading != row.of) groups.push_back({row.of, {}});
    groups.back().commands.push_back(row.name);
  }
  return groups;
}

std::vector<CommandExample> examples_of(std::string_view command) {
  std::vector<CommandExample> examples;
  for (const HelpRow& row : help_rows()) {
    if (row.kind == "example" && row.of == command) examples.push_back({row.name, row.text});
  }
  return examples;
}

std::vector<KnownSetting> known_settings() {
  std::vector<KnownSetting> settings;
  for (const Setting& setting : all_settings()) {
    const std::string name = std::string(setting.section) + "." + std::string(setting.key);
    const std::string what(setting.what);
    settings.push_back({name, what + "; the variable " + variable_of(setting) + " goes over it"});
    settings.push_back({variable_of(setting), what + "; goes over " + name + " of a file"});
  }
  conformance::Columns columns = table("variables.tsv");
  while (columns.next_line()) {
    KnownSetting& setting = settings.emplace_back();
    setting.name = columns.next();
    setting.what = columns.next();
  }
  return settings;
}

}  // namespace plumbline::cli
