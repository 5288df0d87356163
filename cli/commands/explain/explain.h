// `explain`: what an id means.

#pragma once

#include <string>
#include <string_view>

#include "cli/command.h"
#include "core/base/result.h"

namespace plumbline::cli {

struct ExplainOptions final : Options {
  std::string id;

  void declare(CLI::App& app) override;
};

// explanation_of returns what is to say of an id, or of an error line. kInvalidInput: nothing is
// called so; the message names what is nearest.
Result<std::string> explanation_of(std::string_view what);

int run_explain(const ExplainOptions& options, Host& host);

}  // namespace plumbline::cli
