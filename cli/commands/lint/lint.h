// `lint`: whether what a server offers is good for a language model, and safe.

#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/commands/lint/offers.h"
#include "conformance/catalogue/selection.h"
#include "core/events/report.h"

namespace plumbline::cli {

struct LintOptions final : Options {
  OfferSources sources;
  std::vector<std::string> hosts;
  conformance::Selection selection;
  std::vector<std::string> fail_on;
  char least = '\0';  // The grade below which the command fails; none: any will do.
  std::string badge;  // A path; empty: none is wanted.
  std::string pins;   // Likewise, of what was reviewed.
  bool update_pins = false;
  bool field = false;  // Tell the place among published servers.
  Common common;

  void declare(CLI::App& app) override;
  Status read() override;
  std::vector<std::string>* behind_dashes() override { return &sources.target.command; }
  const Common* judging() const override { return &common; }

 private:
  CommonTexts texts_;
  std::string only_;
  std::string skip_;
  std::string fail_on_;
};

// add_lint adds what `lint` says of servers to a report of something else about them; nothing of
// those that cannot be asked.
void add_lint(const CheckTargets& targets, Duration timeout, Report& report, Host& host);

// Exit status 3: a server could not be reached, or lists nothing.
int run_lint(const LintOptions& options, Host& host);

}  // namespace plumbline::cli
