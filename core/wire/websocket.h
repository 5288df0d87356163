// WebSocket frames without I/O, for both sides. The opening is in websocket_handshake.h.
//
// Source: RFC 6455, sections 5 to 7, without extensions. Randomness comes from outside: the caller
// gives a masking key for every frame that a client sends.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/limits.h"
#include "core/wire/utf8.h"

namespace plumbline::wire {

enum class WebSocketRole { kClient, kServer };

// WebSocketReader takes the frames apart that the other side sends. Any pieces of the bytes give
// the same events.
class WebSocketReader {
 public:
  // Message is whole, its fragments joined. Text is UTF-8.
  struct Message {
    bool text = true;
    std::string bytes;
    friend bool operator==(const Message&, const Message&) = default;
  };
  // Ping wants a Pong with the same bytes, at most 125. It may come between fragments.
  struct Ping {
    std::string bytes;
    friend bool operator==(const Ping&, const Ping&) = default;
  };
  struct Pong {
    std::string bytes;
    friend bool operator==(const Pong&, const Pong&) = default;
  };
  // Close wants the same code back, unless we closed first. `code` is 1005 where none was sent.
  // Nothing follows.
  struct Close {
    int code = 1005;
    std::string reason;
    friend bool operator==(const Close&, const Close&) = default;
  };
  // Broken: the other side breaks the protocol, or a limit. Send a close with `code` and end the
  // connection. Nothing follows.
  struct Broken {
    int code = 1002;
    std::string what;
    friend bool operator==(const Broken&, const Broken&) = default;
  };
  using Event = std::variant<Message, Ping, Pong, Close, Broken>;

  // `role` is ours: a server refuses frames without a mask, a client frames with one. A message
  // over `message_bytes_max` is Broken with 1009 as soon as a frame declares it.
  explicit WebSocketReader(WebSocketRole role,
                           std::size_t message_bytes_max = limits::kMessageBytesMax)
      : role_(role), message_bytes_max_(message_bytes_max) {}

  // feed takes the next bytes. Take what next() has after each feed, or it piles up.
  void feed(std::string_view bytes);

  std::optional<Event> next();

  // held_bytes returns how much memory a message that is not whole takes.
  std::size_t held_bytes() const { return message_.capacity() + control_.capacity(); }

 private:
  void take_header(std::string_view& bytes);
  void check_first_byte();
  void check_length_byte();
  void begin_payload();
  void take_payload(std::string_view& bytes);
  void finish_frame();
  void finish_message();
  void finish_close();
  void fail(int code, std::string what);

  bool is_control() const { return (opcode_ & 8U) != 0; }
  std::string& payload() { return is_control() ? control_ : message_; }

  WebSocketRole role_;
  std::size_t message_bytes_max_;
  std::deque<Event> events_;
  bool over_ = false;  // After Close and Broken.

  // The frame.
  std::array<unsigned char, 14> header_{};
  std::size_t header_bytes_ = 0;
  std::size_t header_bytes_wanted_ = 2;
  unsigned opcode_ = 0;
  bool final_ = false;
  std::uint64_t payload_left_ = 0;
  std::size_t payload_taken_ = 0;  // Decides which byte of the mask comes next.
  std::string control_;            // The payload of a control frame.

  // The message.
  bool in_message_ = false;  // Its last fragment is still to come.
  bool text_ = false;
  std::string message_;
  Utf8Check utf8_;
};

enum class WebSocketOpcode : std::uint8_t {
  kContinuation = 0,
  kText = 1,
  kBinary = 2,
  kClose = 8,
  kPing = 9,
  kPong = 10,
};

// WebSocketMask is four random bytes, new ones for every frame: section 5.3 says why.
using WebSocketMask = std::array<unsigned char, 4>;

// append_ws_frame writes one frame. A client gives a mask, a server none. Control frames are final
// and hold at most 125 bytes; text is UTF-8: the caller's to see to.
void append_ws_frame(std::string& out, WebSocketOpcode opcode, std::string_view payload,
                     const std::optional<WebSocketMask>& mask, bool final = true);

// append_ws_close writes a close frame; for code 1005 one without code and reason. A reason of more
// than 123 bytes is cut short between two characters.
void append_ws_close(std::string& out, int code, std::string_view reason,
                     const std::optional<WebSocketMask>& mask);

// is_ws_close_code returns whether a peer may send `code` (section 7.4 and the IANA registry).
bool is_ws_close_code(int code);

}  // namespace plumbline::wire
