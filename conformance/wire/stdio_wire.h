// StdioWire starts the subject as a child process and exchanges lines with it.

#pragma once

#include <memory>

#include "conformance/wire/wire.h"
#include "core/base/lifeline.h"
#include "core/net/spawner.h"
#include "core/wire/lines.h"

namespace plumbline::conformance {

// Processes is what is known of those of one subject, kept by all wires with it.
struct Processes {
  int left = 0;                // Ended by themselves, or by others, before their input had ended.
  bool outlive_input = false;  // One did not end with its input.
};

class StdioWire final : public Wire, private net::PipeReader {
 public:
  // open starts `command`. kInvalidInput: it cannot be started. Everything given must outlive the
  // wire.
  static Result<std::unique_ptr<Wire>> open(Loop& loop, net::Spawner& spawner,
                                            const net::Command& command, WireLog& log,
                                            Processes& processes);

  StdioWire(Loop& loop, WireLog& log, std::unique_ptr<net::Child> child, Processes& processes);

  // implements Wire ---
  std::size_t send(std::string text, wire::HttpHeaders headers, std::uint32_t check) override;
  void end_input() override;
  // close waits for a subject to end with its input, unless that is known to be in vain.
  Task<void> close() override;
  std::string diagnosis() const override;
  std::string how_it_ended() const override;
  std::string last_words() const override { return child_->stderr_tail(); }
  bool has_exited() const override { return child_->exit_status().has_value(); }
  std::optional<int> exit_code() const override;
  std::size_t memory_bytes() const override { return child_->memory_bytes(); }

 private:
  // implements transport::PipeReader ---
  void on_bytes(std::string_view bytes) override;
  void on_end(const Error* error) override;

  void take_lines();

  std::unique_ptr<net::Child> child_;
  Processes& processes_;
  Instant input_ended_ = kNever;
  wire::LineReader lines_{kJudgedMessageBytesMax};
};

}  // namespace plumbline::conformance
