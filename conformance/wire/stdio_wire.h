// StdioWire starts the subject as a child process and exchanges lines with it.

#pragma once

#include <memory>

#include "conformance/wire/wire.h"
#include "core/base/lifeline.h"
#include "core/net/spawner.h"
#include "core/wire/lines.h"

namespace plumbline::conformance {

class StdioWire final : public Wire, private net::PipeReader {
 public:
  // open starts `command`. kInvalidInput: it cannot be started. Everything given must outlive the
  // wire.
  static Result<std::unique_ptr<Wire>> open(Loop& loop, net::Spawner& spawner,
                                            const net::Command& command, WireLog& log);

  StdioWire(Loop& loop, WireLog& log, std::unique_ptr<net::Child> child);

  // implements Wire ---
  std::size_t send(std::string text, wire::HttpHeaders headers, std::uint32_t check) override;
  void end_input() override { child_->stdio().close_write(); }
  Task<void> close() override;
  std::string diagnosis() const override;
  std::optional<int> exit_code() const override;
  std::size_t memory_bytes() const override { return child_->memory_bytes(); }

 private:
  // implements transport::PipeReader ---
  void on_bytes(std::string_view bytes) override;
  void on_end(const Error* error) override;

  void take_lines();

  std::unique_ptr<net::Child> child_;
  wire::LineReader lines_{kJudgedMessageBytesMax};
};

}  // namespace plumbline::conformance
