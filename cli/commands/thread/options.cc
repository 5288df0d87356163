#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/commands/thread/thread.h"
#include "cli/options/store_uri.h"
#include "cli/telemetry/otlp_collector.h"
#include "core/base/errors/errors.h"

namespace plumbline::cli {

void OfThread::declare_thread(CLI::App& app) {
  app.add_option("ID", id, "The id of the thread")->required();
  add_store(app, store);
}

void ThreadListOptions::declare(CLI::App& app) {
  add_store(app, store);
  app.add_flag("--json", json, "Print one JSON document");
}

void ThreadShowOptions::declare(CLI::App& app) {
  declare_thread(app);
  app.add_option("--step", step, "Print the state at this step as JSON")->type_name("N");
  app.add_flag("--json", json, "Print one JSON document");
}

void ThreadResumeOptions::declare(CLI::App& app) {
  app.footer(kJobStatuses);
  declare_thread(app);
  app.add_option("--answer", answer_,
                 "Answer its question with this JSON, such as '{\"approve\": true}'")
      ->type_name("JSON");
  app.add_option("--config", configs,
                 "Use this configuration instead of the original one; repeatable")
      ->type_name("FILE")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  advisor.declare(app);
  app.add_flag("--json", job.json, "Print one JSON document");
  app.add_flag("--verbose,-v", job.verbose, "Print the route and the events to stderr");
  app.add_option("--trace", job.trace, "Write every event as JSON Lines")->type_name("FILE");
  add_otlp(app, job.otlp);
}

Status ThreadResumeOptions::read() {
  const Status traced = check_otlp(job.otlp);
  if (!traced.ok()) return traced;
  if (answer_.empty()) return Done{};
  Result<Json> parsed = parse_json(answer_);
  if (!parsed.ok()) {
    return the_error("thread.answer", answer_,
                     parsed.error().message + R"(; expected JSON such as {"approve": true})");
  }
  answer = std::move(parsed).value();
  return Done{};
}

void ThreadForkOptions::declare(CLI::App& app) {
  declare_thread(app);
  app.add_option("--step", step, "Start the new thread at this step")->required()->type_name("N");
  app.add_option("--as", as, "Give the new thread this id (default: ID-N or the next free one)")
      ->type_name("ID");
  app.add_flag("--again", again, "Allow the fork to repeat a call that a person approved");
}

void ThreadDeleteOptions::declare(CLI::App& app) { declare_thread(app); }

}  // namespace plumbline::cli
