// --watch: again after each change of what a server is made of.

#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "cli/host.h"

namespace CLI {
class App;
}

namespace plumbline::cli {

// Watching is --watch and --watch-path.
struct Watching {
  bool on = false;
  std::vector<std::string> paths;
};

// declare_watching declares both. `watching` outlives `app`.
void declare_watching(CLI::App& app, Watching& watching);

// read_watching refuses --watch-path without --watch (kInvalidInput).
Status read_watching(const Watching& watching);

// paths_of returns what is watched: what --watch-path says; without it this folder, where servers
// are started, and the files that their commands name.
std::vector<std::string> paths_of(const Watching& watching,
                                  const std::vector<std::vector<std::string>>& commands);

// is_worth_a_round returns whether a change of a file may change what a server answers: not one of
// what servers and tests write themselves.
bool is_worth_a_round(const std::string& path);

// ChangedRound runs once and returns the exit status. `changed` are the files that did, none the
// first time. It may end early once `newer` returns true: more has changed.
using ChangedRound =
    std::function<int(const std::set<std::string>& changed, const std::function<bool()>& newer)>;

// watch_rounds runs a round, and another one after each change of `paths`, until somebody ends it:
// kExitInterrupted. kExitUsage: a path of --watch-path cannot be watched.
int watch_rounds(const Watching& watching, const std::vector<std::string>& paths, Host& host,
                 const ChangedRound& round);

}  // namespace plumbline::cli
