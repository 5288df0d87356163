#include "core/mcp/transport/stdio_channel.h"

#include <string>
#include <utility>

#include "core/base/check.h"
#include "core/base/rare.h"
#include "core/base/text.h"
#include "core/json/value_bytes.h"

namespace plumbline::transport {

namespace {

// is_length_header returns whether a line says how many bytes follow, as HTTP has it.
bool is_length_header(std::string_view line) {
  constexpr std::string_view kName = "content-length:";
  if (line.size() <= kName.size()) return false;
  if (!equals_ignoring_case(line.substr(0, kName.size()), kName)) return false;
  return line.find_first_not_of(" 0123456789\r", kName.size()) == std::string_view::npos;
}

}  // namespace

StdioChannel::StdioChannel(net::Pipe& pipe, std::size_t line_bytes_max, Share share)
    : pipe_(pipe), share_(std::move(share)), lines_(line_bytes_max) {
  limits_.bytes_max = line_bytes_max;
}

StdioChannel::~StdioChannel() { close(); }

void StdioChannel::start(MessageReceiver& receiver) {
  check(receiver_ == nullptr && !closed_, "a channel is started once");
  receiver_ = &receiver;
  pipe_.start(*this);
}

void StdioChannel::send(Json message) {
  if (closed_) return;
  charges_.answered(message);
  constexpr std::size_t kUsualBytes = 255;
  std::string line;
  line.reserve(kUsualBytes);
  append_json(line, message);
  line += '\n';
  if (rare(Rare::kStdioWrite)) {
    pipe_.write(line.substr(0, line.size() / 2));
    line.erase(0, line.size() / 2);
  }
  pipe_.write(std::move(line));
}

void StdioChannel::close_send() {
  if (!closed_) pipe_.close_write();
}

void StdioChannel::close() {
  if (std::exchange(closed_, true)) return;
  receiver_ = nullptr;
  pipe_.close();
}

void StdioChannel::on_bytes(std::string_view bytes) {
  constexpr std::size_t kFewBytes = 7;
  while (bytes.size() > kFewBytes && rare(Rare::kStdioRead)) {
    lines_.feed(bytes.substr(0, kFewBytes));
    if (!deliver()) return;
    bytes.remove_prefix(kFewBytes);
  }
  lines_.feed(bytes);
  deliver();
}

void StdioChannel::on_end(const Error* error) {
  lines_.finish();
  if (!deliver()) return;
  std::exchange(receiver_, nullptr)->on_closed(error);
}

bool StdioChannel::deliver() {
  const Lifeline::Guard guard(lifeline_);
  while (const std::optional<wire::Line> line = lines_.next()) {
    deliver_line(*line);
    if (!guard.alive() || receiver_ == nullptr) return false;
  }
  return true;
}

void StdioChannel::refuse(std::uint64_t value_bytes) {
  const std::string what = share_.refusal(Resource::kValueBytes, value_bytes).what;
  send({{"jsonrpc", "2.0"}, {"id", nullptr}, {"error", {{"code", kBusy}, {"message", what}}}});
}

void StdioChannel::deliver_line(const wire::Line& line) {
  switch (line.kind) {
    case wire::Line::Kind::kComplete: {
      const std::size_t bytes = value_bytes_of_text(line.bytes);
      std::optional<Held> charge = share_.take(Resource::kValueBytes, bytes);
      if (!charge) return refuse(bytes);
      Result<Json> message = parse_json(line.bytes, limits_);
      heard_ = heard_ || message.ok();
      if (message.ok()) {
        charges_.keep(message.value(), *std::move(charge));
        return receiver_->on_message(std::move(message).value());
      }
      if (!heard_ && is_length_header(line.bytes)) {
        const Error error{ErrorCode::kInvalidInput,
                          "the peer frames its messages with Content-Length headers, and stdio has "
                          "one message a line"};
        MessageReceiver& receiver = *receiver_;
        close();
        return receiver.on_closed(&error);
      }
      return receiver_->on_garbage(line.bytes, message.error());
    }
    case wire::Line::Kind::kTooLong: {
      const Error error{ErrorCode::kLimitReached,
                        "a line of more than " + std::to_string(limits_.bytes_max) + " bytes"};
      return receiver_->on_garbage(line.bytes, error);
    }
    case wire::Line::Kind::kUnterminated: {
      const Error error{ErrorCode::kDisconnected, "the stream ended inside a line"};
      return receiver_->on_garbage(line.bytes, error);
    }
  }
}

}  // namespace plumbline::transport
