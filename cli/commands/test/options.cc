#include "cli/commands/test/options.h"

#include <algorithm>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/judging/target.h"
#include "conformance/catalogue/revisions.h"
#include "core/base/errors/errors.h"
#include "core/os/child/real_paths.h"

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
  declare_target(app, target);
  app.get_option("TARGET")->description(
      "Test files, or folders of them (this folder), then a server in place of theirs");
  app.get_option("--server")
      ->description("Only this server of the test file, or of --config; repeatable");
  app.add_option("--start", target.start, "Start the server at the URL with this shell command")
      ->type_name("'COMMAND'");
  add_words(app, "--only", only, "TEXT", "Only tests with this in their name; repeatable");
  app.add_option(
         "--revision", revision,
         "Speak this revision, or all that the server supports (default: the newest with sessions)")
      ->type_name("R|all");
  app.add_option("--jobs,-j", jobs, "Run J servers at a time (default: half the cores)")
      ->check(CLI::Range(1, 64))
      ->type_name("J");
  app.add_option("--repeat", repeat,
                 "Run everything N times; tests with differing results fail as unsteady")
      ->check(CLI::Range(1, 1000))
      ->type_name("N");
  app.add_flag("--allow-writes", allow_writes, "Also call tools that are not marked read-only");
  app.add_flag("--update", update, "Update snapshots that differ and delete unused ones");
  declare_watching(app, watching);
  app.add_flag("--strict", strict, "Fail on skipped tests");
  app.add_option("--coverage", coverage, "Fail if fewer than this share of the tools is tested")
      ->check(CLI::Range(1, 100))
      ->type_name("PERCENT");
  app.add_option("--new", new_file, "Write a test file from what the server lists and answers")
      ->type_name("FILE");
  app.add_option("--from", from, "Write a test file from this recording to --out")
      ->type_name("RECORDING");
  app.add_option("--out", out, "Write the test file of --from here")->type_name("FILE");
  add_timeout(app, texts_);
  add_common(app, common, texts_);
}

Status TestOptions::read() {
  const Status shared = read_common(texts_, common);
  if (!shared.ok()) return shared;
  const Status targeted = read_target();
  if (!targeted.ok()) return targeted;
  if (from.empty() != out.empty()) return the_error("test.from-and-out");
  const bool writes = !new_file.empty() || !from.empty();
  if (!new_file.empty() && !from.empty())
    return the_error("test.new-or-from", "expected one of them");
  if (!new_file.empty() && !has_target) {
    return the_error("test.new-wants-server");
  }
  if (writes && !paths.empty()) {
    return the_error("test.new-or-from",
                     std::string("they read no test files, here is ") + paths.front());
  }
  const Status watched = read_watching(watching);
  if (!watched.ok()) return watched;
  if (writes && (watching.on || repeat > 1 || update || coverage > 0 || !only.empty())) {
    return the_error("test.new-or-from",
                     "they write a file; run it with --repeat, --update, --only, --coverage");
  }
  const bool known =
      revision.empty() || revision == "all" ||
      std::ranges::find(conformance::kRevisions, revision) != conformance::kRevisions.end();
  if (!known) {
    return the_error("target.bad-revision", revision,
                     "all, or one that `plumbline list revisions` shows");
  }
  return Done{};
}

Status TestOptions::read_target() {
  os::RealPaths real;
  std::vector<std::string>& words = target.words;
  const auto server = std::ranges::find_if_not(words, [&](const std::string& word) {
    return word.ends_with(".mcptest.json") || real.is_folder(word);
  });
  paths.assign(words.begin(), server);
  words.erase(words.begin(), server);
  has_target =
      !(words.empty() && target.command.empty() && target.url.empty() && target.config.empty());
  if (!has_target) {
    return target.stdio ? the_error("target.stdio-and-url", "test", "test files") : Status(Done{});
  }
  // Without --config they are servers of the test file.
  std::vector<std::string> of_file;
  if (target.config.empty()) of_file = std::exchange(target.servers, {});
  const Status taken = take_target("test", target, real);
  if (!of_file.empty()) target.servers = std::move(of_file);
  return taken;
}

}  // namespace plumbline::cli
