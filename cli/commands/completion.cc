#include "cli/commands/completion.h"

#include <map>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/catalogue.h"
#include "cli/options/choice.h"

namespace plumbline::cli {

void CompletionOptions::declare(CLI::App& app) {
  app.add_option("SHELL", what,
                 "bash, zsh or fish; checks and ids print the words that the scripts complete")
      ->required()
      ->transform(one_of({"bash", "zsh", "fish", "checks", "ids"}));
}

std::string CompletionOptions::script() const {
  const std::map<std::string, std::string> files = {
      {"bash", "plumbline.bash"}, {"zsh", "_plumbline"}, {"fish", "plumbline.fish"}};
  const auto file = files.find(what);
  return file == files.end() ? "" : file->second;
}

int run_completion(const CompletionOptions& options, Host& host) {
  std::vector<std::string_view> kinds = {"checks"};
  if (options.what == "ids") {
    kinds = {"checks",    "scenarios",  "faults", "agents",
             "revisions", "situations", "errors", "settings"};
  }
  std::string text;
  for (const std::string_view kind : kinds) {
    for (const Entry& entry : entries_of(kind)) text += entry.id + "\n";
  }
  host.out(text);
  return kExitOk;
}

}  // namespace plumbline::cli
