// `demo`: the built-in library, and our server before our judge.

#pragma once

#include "cli/command.h"

namespace plumbline::cli {

struct DemoOptions final : Options {
  Common common;
  bool tour = false;

  void declare(CLI::App& app) override;
  Status read() override;
  const Common* judging() const override { return &common; }

 private:
  CommonTexts texts_;
};

// run_demo prints the table and writes plumbline-report.html; with `tour` it shows five things one
// by one, and writes nothing.
int run_demo(const DemoOptions& options, Host& host);

}  // namespace plumbline::cli
