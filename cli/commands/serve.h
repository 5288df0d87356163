// `serve`: the scripted server of a scenario, the reference server, or a scripted language model,
// until its input ends.

#pragma once

#include <string>

#include "cli/command.h"
#include "cli/serving.h"

namespace plumbline::cli {

struct ServeOptions final : Options {
  std::string scenario;  // Empty: the reference server.
  bool model = false;    // `scenario` is the script of a language model.
  std::string server;    // Which of its servers; empty: the only one.
  ServingPlace place;
  std::string trace;
  std::string log;  // Of a scripted server. Empty: none.

  void declare(CLI::App& app) override;
  Status read() override;

 private:
  bool reference_ = false;
  bool stdio_ = false;
  std::string http_;
  std::string sse_;
  std::string ws_;
  std::string tls_cert_;
  std::string tls_key_;
  std::string auth_;
};

int run_serve(const ServeOptions& options, Host& host);

}  // namespace plumbline::cli
