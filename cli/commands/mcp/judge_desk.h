// JudgeDesk carries out the tools of `plumbline mcp`: each is a command line of this program
// against the server that the person has named, and its report as findings.

#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "cli/commands/mcp/kept_results.h"
#include "cli/commands/mcp/own_runs.h"
#include "cli/host.h"
#include "cli/judging/check_targets.h"
#include "core/base/doors/paths.h"

namespace plumbline::cli {

// JudgeSettings is what the person who started the server has decided: no caller changes it.
struct JudgeSettings {
  CheckedServer target;              // Without a url, command and config: nothing is judged.
  std::vector<std::string> servers;  // The names in the configuration.
  std::string config_digest;         // Of the bytes of the configuration when we were started.
  std::string root;                  // Absolute: files are read and written below it alone.
  std::string baseline;              // As --baseline has it; empty: what is usual.
  bool allow_writes = false;

  bool has_target() const {
    return !target.url.empty() || !target.command.empty() || !target.config.empty();
  }
};

// digest_of returns that of a configuration file. kInvalidInput: it cannot be read.
Result<std::string> digest_of(const std::string& path, Host& host);

class JudgeDesk {
 public:
  // All references must outlive it.
  JudgeDesk(JudgeSettings settings, OwnRuns& runs, Paths& paths, Host& host)
      : settings_(std::move(settings)), runs_(runs), paths_(paths), host_(host) {}

  // call returns the structured result of a tool. The arguments fit its schema. kInvalidInput: an
  // argument names what is not there, or no server was named; else see OwnRuns::run. An Error of a
  // server that could not be judged has what that said behind "said: ".
  Task<Result<Json>> call(std::string tool, Json arguments, OwnRuns::Tell tell);

 private:
  using Words = std::vector<std::string>;

  Result<Json> look_up(const std::string& tool, const Json& arguments) const;
  Result<Words> words_for(const std::string& tool, const Json& arguments);
  Result<Words> test_words(const Json& arguments);
  Result<Words> written_words(const Json& arguments);
  Status check_config() const;
  // inside returns the real path of `path`, which errors call `asked`.
  Result<std::string> inside(const std::string& path, const std::string& asked);
  Result<std::string> fresh(const std::string& path);
  Words with_target(Words words, const Json& arguments) const;
  Result<Json> judged(const std::string& tool, const OwnRun& run);
  Result<Json> written(const Json& arguments, const OwnRun& run) const;
  Error failure_of(const OwnRun& run) const;

  JudgeSettings settings_;
  OwnRuns& runs_;
  Paths& paths_;
  Host& host_;
  KeptResults kept_;
};

}  // namespace plumbline::cli
