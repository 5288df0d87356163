#include "core/wire/websocket.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace plumbline::wire {
namespace {

using Reader = WebSocketReader;
using Log = std::vector<std::string>;

std::string text_of_ws_event(const Reader::Event& event) {
  if (const auto* message = std::get_if<Reader::Message>(&event)) {
    return (message->text ? "text " : "binary ") + message->bytes;
  }
  if (const auto* ping = std::get_if<Reader::Ping>(&event)) return "ping " + ping->bytes;
  if (const auto* pong = std::get_if<Reader::Pong>(&event)) return "pong " + pong->bytes;
  if (const auto* close = std::get_if<Reader::Close>(&event)) {
    return "close " + std::to_string(close->code) + " " + close->reason;
  }
  return "broken " + std::to_string(std::get<Reader::Broken>(event).code);
}

Log read_ws(Reader& reader, std::string_view bytes) {
  Log log;
  reader.feed(bytes);
  while (const auto event = reader.next()) log.push_back(text_of_ws_event(*event));
  return log;
}

// from_server reads `bytes` as a client does, from_client as a server.
Log from_server(std::string_view bytes, std::size_t message_bytes_max = 1000) {
  Reader reader(WebSocketRole::kClient, message_bytes_max);
  return read_ws(reader, bytes);
}
Log from_client(std::string_view bytes) {
  Reader reader(WebSocketRole::kServer);
  return read_ws(reader, bytes);
}

std::string bytes_of(std::initializer_list<int> numbers) {
  std::string bytes;
  for (const int number : numbers) bytes += static_cast<char>(number);
  return bytes;
}

// frame_of is an unmasked frame with a short payload, valid or not.
std::string frame_of(int first, std::string_view payload) {
  return bytes_of({first, static_cast<int>(payload.size())}).append(payload);
}

// The examples of RFC 6455, section 5.7.
TEST(WebSocketReaderTest, TheExamplesOfTheStandard) {
  EXPECT_EQ(from_server(bytes_of({0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f})), Log{"text Hello"});
  EXPECT_EQ(
      from_client(bytes_of({0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58})),
      Log{"text Hello"});
  EXPECT_EQ(from_server(bytes_of({0x01, 0x03, 0x48, 0x65, 0x6c, 0x80, 0x02, 0x6c, 0x6f})),
            Log{"text Hello"});
  EXPECT_EQ(from_server(bytes_of({0x89, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f})), Log{"ping Hello"});
  EXPECT_EQ(
      from_client(bytes_of({0x8a, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58})),
      Log{"pong Hello"});
  const std::string long_payload(256, 'x');
  EXPECT_EQ(from_server(bytes_of({0x82, 0x7E, 0x01, 0x00}) + long_payload),
            Log{"binary " + long_payload});
}

TEST(WebSocketReaderTest, ControlFramesComeBetweenFragments) {
  EXPECT_EQ(from_server(frame_of(0x01, "a") + frame_of(0x89, "p") + frame_of(0x00, "b") +
                        frame_of(0x8A, "") + frame_of(0x80, "c") + frame_of(0x82, "d")),
            (Log{"ping p", "pong ", "text abc", "binary d"}));
}

TEST(WebSocketReaderTest, EmptyMessagesAreMessages) {
  EXPECT_EQ(from_server(frame_of(0x81, "") + frame_of(0x02, "") + frame_of(0x80, "")),
            (Log{"text ", "binary "}));
}

TEST(WebSocketReaderTest, WhatBreaksTheFramingIsRefusedAtItsFirstByte) {
  EXPECT_EQ(from_server(bytes_of({0xC1})), Log{"broken 1002"}) << "reserved bit";
  EXPECT_EQ(from_server(bytes_of({0x83})), Log{"broken 1002"}) << "opcode 3";
  EXPECT_EQ(from_server(bytes_of({0x8B})), Log{"broken 1002"}) << "opcode 11";
  EXPECT_EQ(from_server(bytes_of({0x09})), Log{"broken 1002"}) << "a ping in fragments";
  EXPECT_EQ(from_server(bytes_of({0x80})), Log{"broken 1002"}) << "a continuation of nothing";
  EXPECT_EQ(from_server(frame_of(0x01, "a") + bytes_of({0x81})), Log{"broken 1002"});
  EXPECT_EQ(from_server(bytes_of({0x89, 126})), Log{"broken 1002"}) << "a ping too long";
  EXPECT_EQ(from_server(bytes_of({0x82, 126, 0, 125})), Log{"broken 1002"});
  EXPECT_EQ(from_server(bytes_of({0x82, 127, 0, 0, 0, 0, 0, 0, 255, 255})), Log{"broken 1002"});
  EXPECT_EQ(from_server(bytes_of({0x82, 127, 128, 0, 0, 0, 0, 1, 0, 0})), Log{"broken 1002"});
}

TEST(WebSocketReaderTest, ClientsMaskAndServersDoNot) {
  EXPECT_EQ(from_server(bytes_of({0x81, 0x80})), Log{"broken 1002"});
  EXPECT_EQ(from_client(bytes_of({0x81, 0x00})), Log{"broken 1002"});
}

TEST(WebSocketReaderTest, AMessageOverTheLimitIsRefusedBeforeItsPayload) {
  EXPECT_EQ(from_server(frame_of(0x82, "abcd"), 4), Log{"binary abcd"});
  EXPECT_EQ(from_server(bytes_of({0x82, 5}), 4), Log{"broken 1009"});
  EXPECT_EQ(from_server(frame_of(0x02, "abc") + bytes_of({0x80, 2}), 4), Log{"broken 1009"});
  EXPECT_EQ(from_server(bytes_of({0x82, 127, 0, 0, 0, 1, 0, 0, 0, 0})), Log{"broken 1009"});
  EXPECT_EQ(from_server(frame_of(0x02, "abc") + frame_of(0x89, "ping") + frame_of(0x80, "d"), 4),
            (Log{"ping ping", "binary abcd"}));
}

TEST(WebSocketReaderTest, TextIsUtf8HoweverItIsFragmented) {
  EXPECT_EQ(from_server(frame_of(0x01, "\xC3") + frame_of(0x80, "\xA4")), Log{"text \xC3\xA4"});
  EXPECT_EQ(from_server(bytes_of({0x81, 100}) + "ab\xFF"), Log{"broken 1007"}) << "not waiting";
  EXPECT_EQ(from_server(frame_of(0x81, "\xC3")), Log{"broken 1007"});
  EXPECT_EQ(from_server(frame_of(0x82, "\xFF")), Log{"binary \xFF"});
  EXPECT_EQ(from_server(frame_of(0x81, "a") + frame_of(0x82, "\xC3") + frame_of(0x81, "b")),
            (Log{"text a", "binary \xC3", "text b"}));
}

TEST(WebSocketReaderTest, NothingFollowsAClose) {
  EXPECT_EQ(from_server(frame_of(0x88, "") + frame_of(0x81, "x")), Log{"close 1005 "});
  EXPECT_EQ(from_server(frame_of(0x88,
                                 "\x03\xE8"
                                 "bye")),
            Log{"close 1000 bye"});
  EXPECT_EQ(from_server(frame_of(0x88, "\x03")), Log{"broken 1002"});
  EXPECT_EQ(from_server(frame_of(0x88, "\x03\xE8\xFF")), Log{"broken 1007"});
}

TEST(WebSocketReaderTest, OnlyCodesThatMayBeSentAreTaken) {
  for (int code = 0; code < 5100; ++code) {
    const bool standard =
        code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006;
    const bool allowed = standard || (code >= 3000 && code < 5000);
    const Log expected{allowed ? "close " + std::to_string(code) + " " : "broken 1002"};
    EXPECT_EQ(from_server(frame_of(0x88, bytes_of({code >> 8, code & 255}))), expected);
  }
}

TEST(WebSocketWriterTest, FramesAreAsShortAsTheyCanBe) {
  const auto header_bytes = [](std::size_t size, const std::optional<WebSocketMask>& mask) {
    std::string out;
    append_ws_frame(out, WebSocketOpcode::kBinary, std::string(size, 'x'), mask);
    return out.size() - size;
  };
  EXPECT_EQ(header_bytes(125, std::nullopt), 2U);
  EXPECT_EQ(header_bytes(126, std::nullopt), 4U);
  EXPECT_EQ(header_bytes(65535, std::nullopt), 4U);
  EXPECT_EQ(header_bytes(65536, std::nullopt), 10U);
  EXPECT_EQ(header_bytes(65536, WebSocketMask{1, 2, 3, 4}), 14U);
  std::string out;
  append_ws_frame(out, WebSocketOpcode::kText, "Hello", WebSocketMask{0x37, 0xfa, 0x21, 0x3d});
  EXPECT_EQ(out, bytes_of({0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58}));
}

TEST(WebSocketWriterTest, AReasonIsCutBetweenTwoCharacters) {
  std::string reason(122, 'x');
  reason += "\xC3\xA4";
  std::string out;
  append_ws_close(out, 1000, reason, std::nullopt);
  append_ws_close(out, 1005, "unsaid", std::nullopt);
  EXPECT_EQ(out, frame_of(0x88, "\x03\xE8" + std::string(122, 'x')) + frame_of(0x88, ""));
}

}  // namespace
}  // namespace plumbline::wire
