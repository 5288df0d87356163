#include "cli/commands/test/options.h"

#include <algorithm>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/config/load_config.h"
#include "cli/options/usage.h"
#include "conformance/catalogue/revisions.h"

namespace plumbline::cli {

namespace {

// add_texts declares an option that takes one text each time.
void add_words(CLI::App& app, const char* option, std::vector<std::string>& texts, const char* type,
               const char* what) {
  app.add_option(option, texts, what)
      ->type_name(type)
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

}  // namespace

void TestOptions::declare(CLI::App& app) {
  app.add_option("PATH", paths,
                 "Test files, or folders with *.mcptest.json (default: this folder)");
  // Whatever stands behind "--" is taken before; two options of any number of words are too many.
  app.add_option("COMMAND", target.command, "A server with its arguments, behind --")
      ->expected(0, 1);
  app.add_flag("--stdio", stdio_, "A server that is started: -- COMMAND ARGS... at the end");
  add_environment(app, target.environment);
  app.add_option("--url", target.url, "A server at a URL, in place of those that the files name")
      ->type_name("URL");
  add_words(app, "--header", target.headers, "'NAME: VALUE'",
            "Sent with every request; repeatable");
  app.add_option("--start", target.start, "Starts the server at the --url, by a shell")
      ->type_name("'COMMAND'");
  app.add_option("--config", target.config, "The mcpServers file of desktop clients")
      ->type_name("FILE");
  add_words(app, "--server", target.servers, "NAME",
            "Only this server of the test file, or of --config; repeatable");
  add_inputs(app, target.inputs);
  add_words(app, "--only", only, "TEXT", "Only tests with this in their name; repeatable");
  app.add_option("--revision", revision,
                 "Which one to speak, or all that the server does (default: the newest with "
                 "sessions)")
      ->type_name("R|all");
  app.add_option("--jobs,-j", jobs, "Servers at a time (default: half the cores)")
      ->check(CLI::Range(1, 64))
      ->type_name("J");
  app.add_option("--repeat", repeat, "Run everything so often: what differs is unsteady and fails")
      ->check(CLI::Range(1, 1000))
      ->type_name("N");
  app.add_flag("--allow-writes", allow_writes,
               "Call tools, too, that do not say they are read-only");
  app.add_flag("--update", update, "Write the snapshots that differ, and forget the unused");
  app.add_flag("--watch", watch, "Run again after each change of the server or of the tests");
  add_words(app, "--watch-path", watch_paths, "PATH",
            "What to watch, in place of this folder and the files that the command names");
  app.add_flag("--strict", strict, "What is skipped fails");
  app.add_option("--coverage", coverage, "Fail where fewer of the tools are tested")
      ->check(CLI::Range(1, 100))
      ->type_name("PERCENT");
  app.add_option("--new", new_file, "Write a test file of what the server lists and answers")
      ->type_name("FILE");
  app.add_option("--from", from, "Write a test file of this recording, with --out")
      ->type_name("RECORDING");
  app.add_option("--out", out, "Where --from writes")->type_name("FILE");
  add_timeout(app, texts_);
  add_common(app, common, texts_);
}

Status TestOptions::read() {
  const Status shared = read_common(texts_, common);
  if (!shared.ok()) return shared;
  const Status targeted = read_target();
  if (!targeted.ok()) return targeted;
  if (from.empty() != out.empty()) return usage("--from and --out: expected both");
  const bool writes = !new_file.empty() || !from.empty();
  if (!new_file.empty() && !from.empty()) return usage("--new and --from: expected one of them");
  if (!new_file.empty() && !has_target) {
    return usage("--new: expected a server: --url URL, --config FILE, or -- COMMAND ARGS...");
  }
  if (writes && !paths.empty()) {
    return usage("--new and --from: they read no test files, here is " + paths.front());
  }
  if (!watch && !watch_paths.empty()) return usage("--watch-path: expected --watch as well");
  if (writes && (watch || repeat > 1 || update || coverage > 0 || !only.empty())) {
    return usage(
        "--new and --from: they write a file; run it with --repeat, --update, --only, "
        "--coverage");
  }
  const bool known =
      revision.empty() || revision == "all" ||
      std::ranges::find(conformance::kRevisions, revision) != conformance::kRevisions.end();
  if (!known) {
    return usage("--revision " + revision +
                 ": expected all, or one that `plumbline list "
                 "revisions` shows");
  }
  return Done{};
}

Status TestOptions::read_target() {
  const bool commanded = !target.command.empty();
  const int ways =
      (target.url.empty() ? 0 : 1) + (commanded ? 1 : 0) + (target.config.empty() ? 0 : 1);
  if (ways > 1) {
    return usage("test: expected at most one of --url URL, --config FILE and -- COMMAND ARGS...");
  }
  if (stdio_ && !commanded) {
    return usage("test: expected --stdio together with -- COMMAND ARGS...");
  }
  if (target.url.empty() && !(target.headers.empty() && target.start.empty())) {
    return usage("--header, --start: only a server at a --url has them");
  }
  if (!target.environment.is_default() && !commanded) {
    return usage("--env: only a COMMAND of the command line gets variables");
  }
  has_target = ways == 1;
  return Done{};
}

}  // namespace plumbline::cli
