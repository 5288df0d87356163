#include "conformance/wire/stdio_wire.h"

#include <chrono>
#include <utility>

#include "core/base/limits.h"

namespace plumbline::conformance {

namespace {

// What a subject gets to end by itself, each time it is asked more firmly.
constexpr Duration kStopGrace = std::chrono::milliseconds(500);

}  // namespace

Result<std::unique_ptr<Wire>> StdioWire::open(Loop& loop, net::Spawner& spawner,
                                              const net::Command& command, WireLog& log,
                                              Processes& processes) {
  Result<std::unique_ptr<net::Child>> child = spawner.spawn(command);
  if (!child.ok()) return std::move(child).error();
  return std::unique_ptr<Wire>(
      std::make_unique<StdioWire>(loop, log, std::move(child).value(), processes));
}

StdioWire::StdioWire(Loop& loop, WireLog& log, std::unique_ptr<net::Child> child,
                     Processes& processes)
    : Wire(loop, log), child_(std::move(child)), processes_(processes) {
  child_->stdio().start(*this);
  child_->on_exit([this] {
    if (input_ended_ == kNever) ++processes_.left;
    inbox().changed();
  });
}

std::size_t StdioWire::send(std::string text, wire::HttpHeaders, std::uint32_t check) {
  sent(text, 0, check);
  text += '\n';
  child_->stdio().write(std::move(text));
  return 0;
}

void StdioWire::end_input() {
  child_->stdio().close_write();
  if (input_ended_ == kNever) input_ended_ = inbox().loop().now();
}

Task<void> StdioWire::close() {
  end_input();
  const bool runs = !child_->exit_status();
  const auto find_out = [this, runs] {
    const bool late = inbox().loop().now() >= after(input_ended_, kStopGrace);
    processes_.outlive_input = processes_.outlive_input || (runs && late);
  };
  find_out();
  if (runs && processes_.outlive_input) child_->signal(net::Signal::kTerminate);
  const Result<net::ExitStatus> stopped = co_await net::stop(inbox().loop(), *child_, kStopGrace);
  find_out();
  ended(stopped.ok() ? "closed by the judge, " + describe(stopped.value()) : "cannot be ended");
}

std::string StdioWire::how_it_ended() const {
  const std::optional<net::ExitStatus> status = child_->exit_status();
  return status ? describe(*status) : std::string();
}

std::string StdioWire::diagnosis() const {
  std::string text = how_it_ended();
  std::string tail = child_->stderr_tail();
  if (tail.empty()) return text;
  if (tail.size() >= limits::kStderrBytesMax) tail = "..." + tail;
  return text + (text.empty() ? "its stderr: " : ", its stderr: ") + tail;
}

std::optional<int> StdioWire::exit_code() const {
  const std::optional<net::ExitStatus> status = child_->exit_status();
  if (!status || status->signal != 0) return std::nullopt;
  return status->code;
}

void StdioWire::take_lines() {
  while (const std::optional<wire::Line> line = lines_.next()) {
    if (line->kind == wire::Line::Kind::kTooLong) return too_long();
    arrived(line->bytes, Frame{}, 0);
  }
}

void StdioWire::on_bytes(std::string_view bytes) {
  if (inbox().closed) return;
  lines_.feed(bytes);
  take_lines();
  if (flooded()) child_->stdio().close();  // Nobody listens any longer.
}

void StdioWire::on_end(const Error* error) {
  lines_.finish();
  take_lines();
  ended(error == nullptr ? "the subject closed its stdout" : error->message);
}

}  // namespace plumbline::conformance
