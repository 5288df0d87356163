// AgentProgram is a command that is somebody's agent or client, run once: what it is asked goes in,
// what it prints comes out.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/loop.h"
#include "core/base/task.h"
#include "core/base/wait.h"
#include "core/net/spawner.h"

namespace plumbline::scenarios {

// Placeholders are what stands in the words of a command for what each run gives it: "{config}".
using Placeholders = std::map<std::string, std::string>;

// filled returns `words` with their placeholders replaced; has_placeholder returns whether `name`
// stands in one of them.
std::vector<std::string> filled(const std::vector<std::string>& words, const Placeholders& values);
bool has_placeholder(const std::vector<std::string>& words, const std::string& name);

// filled_command returns the command of these words, in which, as in the variables, placeholders
// are replaced.
net::Command filled_command(const std::vector<std::string>& words,
                            const std::map<std::string, std::string>& env,
                            const Placeholders& values);

struct ProgramEnd {
  std::string printed;  // On its standard output, at most limits::kMessageBytesMax.
  std::string told;     // The end of its standard error.
  std::optional<net::ExitStatus> status;  // Nothing: it did not end in time.
};

class AgentProgram final : private net::PipeReader {
 public:
  // start starts it. Errors as of Spawner::spawn. `loop` must outlive it.
  static Result<std::unique_ptr<AgentProgram>> start(Loop& loop, net::Spawner& spawner,
                                                     const net::Command& command);

  // Takes over what start has started.
  AgentProgram(Loop& loop, std::unique_ptr<net::Child> child);

  // finish gives it `input`, and the end of its input, and waits for its end until `deadline`.
  Task<ProgramEnd> finish(std::string input, Instant deadline);

 private:
  // implements PipeReader ---
  void on_bytes(std::string_view bytes) override;
  void on_end(const Error* error) override;

  Loop& loop_;
  std::unique_ptr<net::Child> child_;
  std::string printed_;
  Event silent_;
  Event gone_;
};

}  // namespace plumbline::scenarios
