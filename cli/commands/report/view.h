// `report view`: a report or a recording as a page, for a browser on this machine.

#pragma once

#include <string>

#include "cli/command.h"
#include "core/net/network.h"

namespace plumbline::cli {

struct ReportViewOptions final : Options {
  std::string file;
  std::string before;  // The report that FILE is compared with; empty: with none.
  net::Authority listen{"127.0.0.1", 0};

  void declare(CLI::App& app) override;
  Status read() override;

 private:
  std::string listen_;
};

// Prints the URL and shows the page until SIGINT or SIGTERM. Exit status 2: FILE is neither, or the
// place is none of this machine.
int run_report_view(const ReportViewOptions& options, Host& host);

}  // namespace plumbline::cli
