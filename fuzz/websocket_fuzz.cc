// Any bytes, cut anywhere, as frames of either side: the events are the same as those of the whole,
// within the limit, and messages are the same after writing and reading.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/check.h"
#include "core/wire/websocket.h"

namespace {

using namespace plumbline::wire;
using plumbline::check;

constexpr std::size_t kMessageBytesMax = 300;

std::vector<WebSocketReader::Event> frames_of(std::string_view text, std::size_t piece,
                                              WebSocketRole role) {
  WebSocketReader reader(role, kMessageBytesMax);
  std::vector<WebSocketReader::Event> events;
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
    reader.feed(std::string(text.substr(0, piece)));
    while (auto event = reader.next()) events.push_back(*std::move(event));
  }
  return events;
}

// check_message writes `message` in two masked fragments and reads it again.
void check_message(const WebSocketReader::Message& message) {
  check(message.bytes.size() <= kMessageBytesMax, "a message is over the limit");
  check(!message.text || is_utf8(message.bytes), "a text is UTF-8");
  const std::string_view bytes = message.bytes;
  const WebSocketMask mask{0x12, 0x34, 0x56, 0x78};
  std::string wire;
  append_ws_frame(wire, message.text ? WebSocketOpcode::kText : WebSocketOpcode::kBinary,
                  bytes.substr(0, bytes.size() / 2), mask, false);
  append_ws_frame(wire, WebSocketOpcode::kContinuation, bytes.substr(bytes.size() / 2), mask);
  const auto again = frames_of(wire, wire.size(), WebSocketRole::kServer);
  check(again.size() == 1 && again[0] == WebSocketReader::Event(message),
        "writing and reading keep a message");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t piece = 1 + data[0] % 16U;
  const auto role = data[0] >= 128 ? WebSocketRole::kServer : WebSocketRole::kClient;
  const auto events = frames_of(text, size, role);
  check(frames_of(text, piece, role) == events, "where bytes are cut matters");
  for (const WebSocketReader::Event& event : events) {
    if (const auto* message = std::get_if<WebSocketReader::Message>(&event)) {
      check_message(*message);
    } else if (const auto* close = std::get_if<WebSocketReader::Close>(&event)) {
      std::string wire;
      append_ws_close(wire, close->code, close->reason, std::nullopt);
      const auto again = frames_of(wire, wire.size(), WebSocketRole::kClient);
      check(again.size() == 1 && again[0] == event, "writing and reading keep a close");
    }
  }
  return 0;
}
