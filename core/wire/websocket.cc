#include "core/wire/websocket.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/check.h"

namespace plumbline::wire {

namespace {

constexpr std::size_t kControlBytesMax = 125;
constexpr unsigned kFinalBit = 0x80;
constexpr unsigned kMaskBit = 0x80;

// apply_mask masks or unmasks `bytes`, the first of which is byte `at` of the payload.
void apply_mask(char* bytes, std::size_t size, const WebSocketMask& mask, std::size_t at) {
  std::array<char, 8> turned{};
  for (std::size_t i = 0; i < turned.size(); ++i) {
    turned[i] = static_cast<char>(mask[(at + i) % mask.size()]);
  }
  std::uint64_t key = 0;
  std::memcpy(&key, turned.data(), sizeof(key));
  std::size_t i = 0;
  for (; size - i >= sizeof(key); i += sizeof(key)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + i, sizeof(word));
    word ^= key;
    std::memcpy(bytes + i, &word, sizeof(word));
  }
  for (; i < size; ++i) bytes[i] = static_cast<char>(bytes[i] ^ turned[i % turned.size()]);
}

void append_big_endian(std::string& out, std::uint64_t number, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    out += static_cast<char>((number >> shift) & 0xFFU);
  }
}

}  // namespace

void WebSocketReader::feed(std::string_view bytes) {
  while (!bytes.empty() && !over_) {
    if (header_bytes_ < header_bytes_wanted_) {
      take_header(bytes);
    } else {
      take_payload(bytes);
    }
  }
}

std::optional<WebSocketReader::Event> WebSocketReader::next() {
  if (events_.empty()) return std::nullopt;
  Event event = std::move(events_.front());
  events_.pop_front();
  return event;
}

void WebSocketReader::take_header(std::string_view& bytes) {
  header_[header_bytes_++] = static_cast<unsigned char>(bytes.front());
  bytes.remove_prefix(1);
  if (header_bytes_ == 1) check_first_byte();
  if (header_bytes_ == 2) check_length_byte();
  if (header_bytes_ == header_bytes_wanted_ && !over_) begin_payload();
}

void WebSocketReader::check_first_byte() {
  const unsigned first = header_[0];
  opcode_ = first & 0x0FU;
  final_ = (first & kFinalBit) != 0;
  if ((first & 0x70U) != 0) return fail(1002, "a reserved bit is set");
  if ((opcode_ & 7U) > 2) return fail(1002, "an unknown opcode");
  if (is_control() && !final_) return fail(1002, "a control frame in fragments");
  if (opcode_ == 0 && !in_message_) return fail(1002, "a continuation of nothing");
  if ((opcode_ == 1 || opcode_ == 2) && in_message_) {
    fail(1002, "a message inside another one's fragments");
  }
}

void WebSocketReader::check_length_byte() {
  const bool masked = (header_[1] & kMaskBit) != 0;
  const unsigned length = header_[1] & 0x7FU;
  if (masked != (role_ == WebSocketRole::kServer)) {
    return fail(1002, masked ? "a frame of a server is masked" : "a frame of a client has no mask");
  }
  if (is_control() && length > kControlBytesMax) return fail(1002, "a control frame is too long");
  header_bytes_wanted_ = 2 + (length == 126 ? 2U : length == 127 ? 8U : 0U) + (masked ? 4U : 0U);
}

void WebSocketReader::begin_payload() {
  const unsigned short_length = header_[1] & 0x7FU;
  const std::size_t long_bytes = short_length == 126 ? 2 : short_length == 127 ? 8 : 0;
  std::uint64_t length = long_bytes == 0 ? short_length : 0;
  for (std::size_t i = 0; i < long_bytes; ++i) length = length << 8U | header_[2 + i];
  const std::uint64_t least = long_bytes == 0 ? 0 : long_bytes == 2 ? 126 : 0x10000;
  if (length < least || length >> 63U != 0) return fail(1002, "a length in too many bytes");
  if (!is_control()) {
    if (length > message_bytes_max_ - message_.size()) return fail(1009, "a message is too long");
    if (!in_message_) {
      text_ = opcode_ == 1;
      utf8_ = {};
    }
    in_message_ = true;
  }
  payload_left_ = length;
  payload_taken_ = 0;
  if (length == 0) finish_frame();
}

void WebSocketReader::take_payload(std::string_view& bytes) {
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(payload_left_, bytes.size()));
  std::string& whole = payload();
  const std::size_t start = whole.size();
  whole.append(bytes.substr(0, size));
  bytes.remove_prefix(size);
  if (role_ == WebSocketRole::kServer) {
    WebSocketMask mask{};
    std::copy_n(header_.begin() + static_cast<std::ptrdiff_t>(header_bytes_wanted_ - mask.size()),
                mask.size(), mask.begin());
    apply_mask(whole.data() + start, size, mask, payload_taken_);
  }
  payload_taken_ += size;
  payload_left_ -= size;
  const std::string_view added = std::string_view(whole).substr(start);
  if (!is_control() && text_ && !utf8_.feed(added)) return fail(1007, "a text is not UTF-8");
  if (payload_left_ == 0) finish_frame();
}

void WebSocketReader::finish_frame() {
  header_bytes_ = 0;
  header_bytes_wanted_ = 2;
  if (!is_control()) {
    if (final_) finish_message();
    return;
  }
  if (opcode_ == 8) return finish_close();
  if (opcode_ == 9) {
    events_.push_back(Ping{std::exchange(control_, {})});
  } else {
    events_.push_back(Pong{std::exchange(control_, {})});
  }
}

void WebSocketReader::finish_message() {
  if (text_ && !utf8_.whole()) return fail(1007, "a text ends inside a character");
  in_message_ = false;
  events_.push_back(Message{text_, std::exchange(message_, {})});
}

void WebSocketReader::finish_close() {
  if (control_.size() == 1) return fail(1002, "half a close code");
  Close close;
  if (!control_.empty()) {
    close.code =
        static_cast<unsigned char>(control_[0]) << 8 | static_cast<unsigned char>(control_[1]);
    close.reason = control_.substr(2);
    if (!is_ws_close_code(close.code)) return fail(1002, "a close code that must not be sent");
    if (!is_utf8(close.reason)) return fail(1007, "the reason of a close is not UTF-8");
  }
  over_ = true;
  events_.push_back(std::move(close));
}

void WebSocketReader::fail(int code, std::string what) {
  if (over_) return;
  over_ = true;
  message_ = std::string();
  events_.push_back(Broken{code, std::move(what)});
}

void append_ws_frame(std::string& out, WebSocketOpcode opcode, std::string_view payload,
                     const std::optional<WebSocketMask>& mask, bool final) {
  const bool control = opcode >= WebSocketOpcode::kClose;
  check(!control || (final && payload.size() <= kControlBytesMax), "a control frame is short");
  const unsigned mask_bit = mask ? kMaskBit : 0;
  out += static_cast<char>((final ? kFinalBit : 0U) | static_cast<unsigned>(opcode));
  if (payload.size() <= 125) {
    out += static_cast<char>(mask_bit | payload.size());
  } else if (payload.size() <= 0xFFFF) {
    out += static_cast<char>(mask_bit | 126U);
    append_big_endian(out, payload.size(), 2);
  } else {
    out += static_cast<char>(mask_bit | 127U);
    append_big_endian(out, payload.size(), 8);
  }
  if (mask) out.append(mask->begin(), mask->end());
  const std::size_t start = out.size();
  out.append(payload);
  if (mask) apply_mask(out.data() + start, payload.size(), *mask, 0);
}

void append_ws_close(std::string& out, int code, std::string_view reason,
                     const std::optional<WebSocketMask>& mask) {
  std::string payload;
  if (code != 1005) {
    check(is_ws_close_code(code), "a close code that may be sent");
    append_big_endian(payload, static_cast<std::uint64_t>(code), 2);
    std::size_t size = std::min(reason.size(), kControlBytesMax - payload.size());
    const auto inside_character = [&] {
      return size < reason.size() && (static_cast<unsigned char>(reason[size]) & 0xC0U) == 0x80;
    };
    while (size > 0 && inside_character()) --size;
    payload.append(reason.substr(0, size));
  }
  append_ws_frame(out, WebSocketOpcode::kClose, payload, mask);
}

bool is_ws_close_code(int code) {
  return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) ||
         (code >= 3000 && code <= 4999);
}

}  // namespace plumbline::wire
