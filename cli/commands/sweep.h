// `sweep`: one world for each seed, under drawn weather.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/options/world_options.h"
#include "scenarios/sweep/expected_trace.h"

namespace plumbline::cli {

struct SweepOptions final : Options {
  std::vector<std::string> paths;
  SeedRange seeds{1, 1};
  int jobs = 1;
  std::uint64_t shard = 1;  // Of `shards`: 1 is the first.
  std::uint64_t shards = 1;
  std::string faults = "default";  // Or "none".
  std::string failures;            // A folder for what is shrunk; empty: nothing is written.
  bool until_failure = false;
  bool check_determinism = false;
  std::optional<scenarios::ExpectedTrace> expected_trace;  // Of the first world.
  std::vector<std::string> plants;
  Common common;

  void declare(CLI::App& app) override;
  Status read() override;
  const Common* judging() const override { return &common; }

 private:
  Status read_shard();

  CommonTexts texts_;
  SeedTexts seed_texts_;
  std::string shard_text_;
  std::string expected_trace_;
};

int run_sweep(const SweepOptions& options, Host& host);

}  // namespace plumbline::cli
