#include "cli/commands/service/advisor.h"

#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "core/base/errors/errors.h"

namespace plumbline::cli {

void AdvisorOptions::declare(CLI::App& app) {
  app.add_option("--model", model.name, "Let this model choose a tool and its arguments")
      ->type_name("NAME");
  app.add_option("--models", model.settings, "Use a model of this file (docs/models.md)")
      ->type_name("FILE");
  app.add_option("--model-script", script, "Let this scripted model choose")->type_name("FILE");
}

Result<Advisor> Advisor::open(const AdvisorOptions& options, const Config& config, Host& host) {
  std::optional<ChatModel> which = config.advisor;
  const bool real = !options.model.settings.empty() || !options.model.name.empty();
  if (!options.script.empty() && real) return the_error("ask.two-models");
  if (!options.script.empty() || real) {
    which = options.model;
    which->script = options.script;
  }
  Advisor out;
  if (!which) return out;
  Result<ChosenModel> chosen = choose_model(*which, host);
  if (!chosen.ok()) return chosen.error();
  if (!chosen.value().missing.empty()) return the_error("ask.no-key", chosen.value().missing);
  out.chosen_ = std::move(chosen).value();
  return out;
}

}  // namespace plumbline::cli
