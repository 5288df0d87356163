// What tests of command lines stand on: a world with programs, a fake shell and a file of the audit
// log.

#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/agents/command_line/command_desk.h"
#include "core/json/parse.h"
#include "fakes/shell/fake_shell.h"
#include "fakes/testing/event_log.h"
#include "fakes/world/sim_file_store.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_paths.h"

namespace plumbline::agents::command_line {

struct NineOClock final : WallClock {
  Duration since_1970() const override { return std::chrono::hours(9); }
};

// CommandWorld knows git (which says "clean"), npm (which hangs) and rm, and allows the first two.
struct CommandWorld {
  CommandWorld() {
    for (const char* name : {"git", "npm", "rm"}) paths.program(std::string("/usr/bin/") + name);
    paths.folder("/srv/project");
    rules.programs = {"git", "npm"};
    rules.runs_anything = {"npm"};
    rules.roots = {"/srv/project"};
    shell.add({"git"}, {.out = "clean\n"});
    shell.add({"npm"}, {.hangs = true});
  }

  CommandDesk& desk() {
    if (!made) {
      policy = std::make_unique<CommandPolicy>(CommandPolicy::make(rules, paths).value());
      made = std::make_unique<CommandDesk>(*policy, runner, &audit);
    }
    return *made;
  }

  // logged returns the lines of the audit log.
  std::vector<Json> logged() {
    std::vector<Json> lines;
    const std::string& text = files.files()["/audit"].bytes;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      lines.push_back(parse_json(text.substr(at, end - at)).value());
      at = end + 1;
    }
    return lines;
  }

  fakes::SimLoop loop;
  fakes::EventLog events;
  fakes::SimSpawner spawner{loop, Rng(1), events};
  fakes::FakeShell shell{loop, spawner};
  fakes::SimPaths paths;
  fakes::SimFileStore files;
  NineOClock clock;
  CommandRules rules;
  CommandRunner runner{loop, spawner, {}};
  AuditLog audit{files, clock, "/audit", "desk"};
  std::unique_ptr<CommandPolicy> policy;
  std::unique_ptr<CommandDesk> made;
};

}  // namespace plumbline::agents::command_line
