#include "cli/commands/manual/command_tree.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

namespace plumbline::cli {

namespace {

// take_choices cuts ":{http,stdio}" off a type as CLI11 describes it, and returns what is in it.
std::vector<std::string> take_choices(std::string& type) {
  std::vector<std::string> choices;
  const std::size_t open = type.find(":{");
  if (open == std::string::npos) return choices;
  std::string rest = type.substr(open + 2);
  type.resize(open);
  while (!rest.empty() && rest.front() != '}') {
    const std::size_t end = std::min(rest.find_first_of(",}"), rest.size());
    choices.push_back(rest.substr(0, end));
    rest.erase(0, end + (rest[end] == ',' ? 1U : 0U));
  }
  return choices;
}

OptionEntry entry_of(const CLI::Option& option) {
  OptionEntry entry;
  for (const std::string& name : option.get_snames()) entry.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) entry.names.push_back("--" + name);
  entry.what = option.get_description();
  entry.required = option.get_required();
  if (option.get_items_expected_max() == 0) return entry;
  std::string type = option.get_type_name();
  entry.choices = take_choices(type);
  entry.value = entry.names.empty() ? option.get_name(true) : value_of(option);
  if (entry.names.empty() && option.get_expected_max() > 1) entry.value += "...";
  return entry;
}

void add_commands(const CLI::App& app, const std::string& name, std::vector<CommandEntry>& out) {
  CommandEntry entry;
  entry.name = name;
  entry.what = app.get_description();
  for (const CLI::Option* const option :
       app.get_options([](const CLI::Option* one) { return !one->get_group().empty(); })) {
    OptionEntry told = entry_of(*option);
    (told.names.empty() ? entry.positionals : entry.options).push_back(std::move(told));
  }
  const auto below =
      app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); });
  for (const CLI::App* const one : below) entry.commands.push_back(one->get_name());
  out.push_back(std::move(entry));
  for (const CLI::App* const one : below) {
    add_commands(*one, (name.empty() ? "" : name + " ") + one->get_name(), out);
  }
}

}  // namespace

std::string value_of(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return "";
  std::string type = option.get_type_name();
  // CLI11 adds what its validators say.
  for (const char* const validator : {":{", ":INT in [", ":UINT in [", ":FLOAT in ["}) {
    type.resize(std::min(type.find(validator), type.size()));
  }
  return type;
}

std::string full_name(const CommandEntry& command) {
  return command.name.empty() ? "plumbline" : "plumbline " + command.name;
}

std::vector<CommandEntry> commands_of(const CLI::App& app) {
  std::vector<CommandEntry> commands;
  add_commands(app, "", commands);
  return commands;
}

}  // namespace plumbline::cli
