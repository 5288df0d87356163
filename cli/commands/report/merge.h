// `report merge`: one report of those of all shards of a sweep.

#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace plumbline::cli {

struct MergeOptions final : Options {
  std::vector<std::string> files;
  std::string out;  // A path, or "-".
  Common common;

  void declare(CLI::App& app) override;
  Status read() override;
  const Common* judging() const override { return &common; }

 private:
  CommonTexts texts_;
};

int run_merge(const MergeOptions& options, Host& host);

}  // namespace plumbline::cli
