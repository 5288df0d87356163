// `shrink`: the world in which a scenario fails under a seed, made small and written as a file.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/options/world_options.h"

namespace plumbline::cli {

struct ShrinkOptions final : Options {
  std::string scenario;
  std::uint64_t seed = 0;
  std::vector<std::string> plants;
  std::string out;  // Empty: ID-seed-N.json.

  void declare(CLI::App& app) override;
  Status read() override;

 private:
  SeedTexts seed_texts_;
};

// Exit status 2 when nothing fails.
int run_shrink(const ShrinkOptions& options, Host& host);

}  // namespace plumbline::cli
