// `fuzz server`: one session after the other for a server, made of what it says of itself, with
// things put wrong.

#pragma once

#include <cstdint>
#include <string>

#include "cli/command.h"
#include "cli/judging/check_targets.h"
#include "cli/options/common_options.h"

namespace plumbline::cli {

struct FuzzServerOptions final : Options {
  CheckedServer target;
  std::uint64_t runs = 0;  // Sessions; 0: any number.
  std::uint64_t seed = 1;
  Duration time_max{};  // 0: any time.
  std::string revision;
  std::string out = "plumbline-fuzz";  // The folder of what is found.
  std::string again;                   // A file of it, that is played once. Empty: none.
  bool allow_writes = false;
  Common common;

  void declare(CLI::App& app) override;
  Status read() override;
  std::vector<std::string>* behind_dashes() override { return &target.command; }
  const Common* judging() const override { return &common; }

 private:
  CommonTexts texts_;
  std::uint64_t seconds_ = 0;
};

// Exit status 3: the server could not be reached, or cannot be met any more.
int run_fuzz_server(const FuzzServerOptions& options, Host& host);

}  // namespace plumbline::cli
