// What `replay` is told: which recording, as what it is played, and against whom.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/judging/check_targets.h"
#include "cli/options/world_options.h"
#include "cli/serving.h"
#include "scenarios/record/recording.h"
#include "scenarios/record/replayer.h"

namespace plumbline::cli {

struct ReplayOptions final : Options {
  enum class Against { kNobody, kOrchestrator, kClient, kServer };

  std::string file;
  std::optional<std::size_t> session;  // From 1 on; nothing: every one, or see Replayer.

  // --serve
  std::string serve;  // "stdio", "http", "sse" or "ws"; empty: it is not served.
  ServingPlace place;
  scenarios::Match match = scenarios::Match::kContent;
  bool fast = false;  // Without the waits of the recording.

  // --against server, --diff
  Against against = Against::kNobody;
  bool diff = false;
  CheckedServer target;               // With --against client: its command.
  std::string old;                    // The older server: a URL or a command; empty: the recording.
  std::vector<std::string> learn;     // More recordings of the same server.
  std::vector<std::string> unsteady;  // Places whose values say nothing.

  // --against orchestrator
  std::vector<std::string> requests;  // In their order, in one conversation.
  std::string scenario_out;
  SeedRange seeds{1, 1};
  int jobs = 1;
  bool all_orders = false;
  bool mutate = false;  // Once for each deviation.

  Common common;

  void declare(CLI::App& app) override;
  Status read() override;
  std::vector<std::string>* behind_dashes() override { return &target.command; }
  const Common* judging() const override { return &common; }

 private:
  void declare_serving(CLI::App& app);
  void declare_target(CLI::App& app);
  void declare_orchestrator(CLI::App& app);
  Status read_serving();
  Status read_client();
  Status read_target();
  Status read_orchestrator();

  std::string listen_;
  std::string tls_cert_;
  std::string tls_key_;
  SeedTexts seed_texts_;
  CommonTexts texts_;
};

// read_recording_file reads one. kInvalidInput: "FILE, line 7: ..." says what is wrong.
Result<scenarios::Recording> read_recording_file(const std::string& path, Host& host);

}  // namespace plumbline::cli
