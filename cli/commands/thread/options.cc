#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/commands/thread/thread.h"
#include "cli/options/store_uri.h"
#include "cli/options/usage.h"
#include "cli/telemetry/otlp_collector.h"

namespace plumbline::cli {

void OfThread::declare_thread(CLI::App& app) {
  app.add_option("ID", id, "The thread")->required();
  add_store(app, store);
}

void ThreadListOptions::declare(CLI::App& app) {
  add_store(app, store);
  app.add_flag("--json", json, "Print a JSON document");
}

void ThreadShowOptions::declare(CLI::App& app) {
  declare_thread(app);
  app.add_option("--step", step, "Print what it knew at this step, as JSON")->type_name("N");
  app.add_flag("--json", json, "Print a JSON document");
}

void ThreadResumeOptions::declare(CLI::App& app) {
  app.footer(kJobStatuses);
  declare_thread(app);
  app.add_option("--answer", answer_, "What its question wants: '{\"approve\": true}'")
      ->type_name("JSON");
  app.add_option("--config", config, "In place of the configuration that it was begun with")
      ->type_name("FILE");
  app.add_flag("--json", job.json, "Print the final output as one JSON document");
  app.add_flag("--verbose,-v", job.verbose, "Show the route and the events on stderr");
  app.add_option("--trace", job.trace, "Write every event as JSON Lines")->type_name("FILE");
  add_otlp(app, job.otlp);
}

Status ThreadResumeOptions::read() {
  const Status traced = check_otlp(job.otlp);
  if (!traced.ok()) return traced;
  if (answer_.empty()) return Done{};
  Result<Json> parsed = parse_json(answer_);
  if (!parsed.ok()) {
    return usage("--answer " + answer_ + ": " + parsed.error().message +
                 R"(; expected JSON such as {"approve": true})");
  }
  answer = std::move(parsed).value();
  return Done{};
}

void ThreadForkOptions::declare(CLI::App& app) {
  declare_thread(app);
  app.add_option("--step", step, "The step from which the new thread goes on")
      ->required()
      ->type_name("N");
  app.add_option("--as", as, "The id of the new thread; without it, ID-N or the next free one")
      ->type_name("ID");
  app.add_flag("--again", again, "Also where this does again what a person has approved");
}

void ThreadDeleteOptions::declare(CLI::App& app) { declare_thread(app); }

}  // namespace plumbline::cli
