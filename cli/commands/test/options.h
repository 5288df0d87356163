// What `test` is told: which files, against which server, and whether to write one.

#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/judging/check_targets.h"
#include "cli/judging/watching.h"

namespace plumbline::cli {

struct TestOptions final : Options {
  std::vector<std::string> paths;  // Files or folders; empty: this folder.
  CheckedServer target;            // In place of what the files name.
  bool has_target = false;
  std::vector<std::string> only;
  std::string revision;  // Empty: the newest with sessions; "all": each that it speaks.
  std::size_t jobs = 0;  // Servers at a time. 0: half the cores.
  int repeat = 1;
  bool allow_writes = false;
  bool update = false;
  bool strict = false;
  int coverage = 0;  // Per cent of the tools that have to be tested.

  Watching watching;

  std::string new_file;  // Write one of what the server lists and answers.
  std::string from;      // Write one of this recording
  std::string out;       // here.

  Common common;

  void declare(CLI::App& app) override;
  Status read() override;
  std::vector<std::string>* behind_dashes() override { return &target.command; }
  const Common* judging() const override { return &common; }

 private:
  Status read_target();

  CommonTexts texts_;
};

}  // namespace plumbline::cli
