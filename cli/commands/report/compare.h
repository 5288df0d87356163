// `report compare`: what became of each result from one report to a later one.

#pragma once

#include <string>

#include "cli/command.h"

namespace plumbline::cli {

struct CompareOptions final : Options {
  std::string before;
  std::string after;
  std::string html;  // A path; empty: no page.

  void declare(CLI::App& app) override;
};

// Prints what differs, and writes the page of both where one is asked for. Exit status 1: something
// fails that did not fail before, or was not there; 2: a file is no report, or they are of
// different commands; 3: the page could not be written.
int run_compare(const CompareOptions& options, Host& host);

}  // namespace plumbline::cli
