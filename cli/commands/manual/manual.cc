#include "cli/commands/manual/manual.h"

#include <algorithm>

#include "cli/options/version.h"

namespace plumbline::cli {

namespace {

constexpr std::string_view kBash = "plumbline.bash";
constexpr std::string_view kZsh = "_plumbline";
constexpr std::string_view kFish = "plumbline.fish";

constexpr std::string_view kMan = ".1";
constexpr std::string_view kMarkdown = ".md";

}  // namespace

std::string page_name(const CommandEntry& command, std::string_view ending) {
  std::string name = full_name(command);
  std::ranges::replace(name, ' ', '-');
  return name.append(ending);
}

std::vector<std::string> manual_files(const std::vector<CommandEntry>& commands) {
  std::vector<std::string> names;
  for (const std::string_view ending : {kMan, kMarkdown}) {
    for (const CommandEntry& command : commands) names.push_back(page_name(command, ending));
  }
  for (const std::string_view name : {kBash, kZsh, kFish}) names.emplace_back(name);
  return names;
}

std::optional<std::string> manual_file(const std::vector<CommandEntry>& commands,
                                       std::string_view name) {
  if (name == kBash) return bash_completion(commands);
  if (name == kZsh) return zsh_completion(commands);
  if (name == kFish) return fish_completion(commands);
  for (const CommandEntry& command : commands) {
    if (page_name(command, kMan) == name) return man_page(commands, command, kVersion);
    if (page_name(command, kMarkdown) == name) return markdown_page(commands, command);
  }
  return std::nullopt;
}

}  // namespace plumbline::cli
