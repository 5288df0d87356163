// The composition root: the only place that decides what is real.

#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cli/baseline_file.h"
#include "cli/commands/commands.h"
#include "cli/host.h"
#include "cli/options/arguments.h"
#include "core/os/real_file_store.h"

namespace plumbline::cli {
namespace {

struct Dispatch {
  Host& host;
  int operator()(const DemoOptions& options) const { return run_demo(options, host); }
  int operator()(const RunOptions& options) const { return run_scenarios(options, host); }
  int operator()(const SweepOptions& options) const { return run_sweep(options, host); }
  int operator()(const ShrinkOptions& options) const { return run_shrink(options, host); }
  int operator()(const MergeOptions& options) const { return run_merge(options, host); }
  int operator()(const CheckServerOptions& options) const {
    return run_check_server(options, host);
  }
  int operator()(const CheckGatewayOptions& options) const {
    return run_check_gateway(options, host);
  }
  int operator()(const CheckClientOptions& options) const {
    return run_check_client(options, host);
  }
  int operator()(const RelayOptions& options) const { return run_relay(options, host); }
  int operator()(const AskOptions& options) const { return run_ask(options, host); }
  int operator()(const ServeOptions& options) const { return run_serve(options, host); }
  int operator()(const GraphOptions& options) const { return run_graph(options, host); }
  int operator()(const ListOptions& options) const { return run_list(options, host); }
  int operator()(const ExplainOptions& options) const { return run_explain(options, host); }
};

// check_common refuses what a judging command would only meet at its end.
template <typename Options>
Status check_common(const Options& options, Host& host) {
  if constexpr (requires { options.common; }) {
    return check_baseline_file(host, options.common);
  } else {
    return Done{};
  }
}

int run_program(const std::vector<std::string>& words) {
  os::RealFileStore files;
  Host host(files);
  Result<std::variant<Invocation, Answered>> parsed = parse_arguments(words);
  if (!parsed.ok()) {
    host.secrets().add_words(words);  // What is wrong may be one of them.
    return host.complain(parsed.error().message, kExitUsage);
  }
  if (const auto* const answered = std::get_if<Answered>(&parsed.value())) {
    host.out(answered->text);
    return host.finish(kExitOk);
  }
  const Invocation& invocation = std::get<Invocation>(parsed.value());
  const Status baseline =
      std::visit([&host](const auto& options) { return check_common(options, host); }, invocation);
  if (!baseline.ok()) return host.complain(baseline.error().message, kExitUsage);
  return host.finish(std::visit(Dispatch{host}, invocation));
}

}  // namespace
}  // namespace plumbline::cli

int main(int argc, char** argv) {
  try {
    return plumbline::cli::run_program(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& wrong) {
    std::fprintf(stderr, "plumbline: a fault of ours: %s\n", wrong.what());
    return plumbline::cli::kExitUnreachable;
  }
}
