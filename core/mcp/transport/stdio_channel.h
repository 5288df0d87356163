// StdioChannel carries one JSON-RPC message a line over a Pipe: the stdio transport.
//
// Spec 2025-11-25, basic/transports, stdio: messages are delimited by newlines and must not
// contain any. A dump never does. A peer that opens with a Content-Length header, as language
// servers do, would wait for ours for ever: the channel ends at once and says so.

#pragma once

#include <cstddef>
#include <string_view>

#include "core/base/lifeline.h"
#include "core/base/limits.h"
#include "core/mcp/transport/channel_kit.h"
#include "core/mcp/transport/message_channel.h"
#include "core/net/pipe.h"
#include "core/wire/lines.h"

namespace plumbline::transport {

class StdioChannel final : public MessageChannel, private net::PipeReader {
 public:
  // `pipe` must outlive the channel, which is the one to start() it. A line of more than
  // `line_bytes_max` bytes is garbage; it is skipped, not kept. What the peer's requests take until
  // they are answered is taken from `share`: past it a line is answered with -32000, unread.
  explicit StdioChannel(net::Pipe& pipe, std::size_t line_bytes_max = limits::kMessageBytesMax,
                        Share share = {});

  // Destroying the channel closes the pipe.
  ~StdioChannel() override;

  // implements MessageChannel ---

  // The receiver may close or destroy the channel from any of its functions.
  void start(MessageReceiver& receiver) override;
  void send(Json message) override;
  void leave_unanswered(const rpc::RpcId& about) override { charges_.forget(about); }
  void close_send() override;
  void close() override;

 private:
  // implements PipeReader ---
  void on_bytes(std::string_view bytes) override;
  void on_end(const Error* error) override;

  // deliver hands over the lines that are complete. Returns whether the channel is still open.
  bool deliver();
  void deliver_line(const wire::Line& line);
  void refuse(std::uint64_t value_bytes);

  net::Pipe& pipe_;
  JsonLimits limits_;
  Share share_;
  AskedCharges charges_;
  wire::LineReader lines_;
  MessageReceiver* receiver_ = nullptr;  // Null before start() and once nothing may be called.
  bool closed_ = false;
  bool heard_ = false;  // A message: the peer knows how to frame them.
  Lifeline lifeline_;
};

}  // namespace plumbline::transport
