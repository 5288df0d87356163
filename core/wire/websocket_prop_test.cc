#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/wire/test_support.h"
#include "core/wire/websocket.h"

namespace plumbline::wire {
namespace {

using WsEvents = std::vector<WebSocketReader::Event>;

WsEvents ws_events_in(const std::vector<std::string>& pieces, WebSocketRole role,
                      std::size_t message_bytes_max) {
  WebSocketReader reader(role, message_bytes_max);
  WsEvents events;
  for (const std::string& piece : pieces) {
    reader.feed(std::string(piece));
    while (auto event = reader.next()) events.push_back(*std::move(event));
  }
  return events;
}

RC_GTEST_PROP(WebSocketPropTest, AnySplitOfAnyBytesGivesTheSameEvents, ()) {
  using namespace std::string_literals;
  const std::string text = any_of_words(
      {"\x81\x03"
       "abc"s,
       "\x01\x02\xC3\xA4"s, "\x80\x01x"s, "\x00\x01x"s, "\x89\x02hi"s, "\x82\x00"s,
       "\x88\x02\x03\xE8"s, "\x8A\x00"s, "\x81\x83\x01\x02\x03\x04xyz"s, "\x82\x7E\x00\x80"s,
       "\x82\x7F"s, "\x01\x01\xE2"s, "\x80\x02\x82\xAC"s, "a"s, "\xFF"s});
  const auto role = *rc::gen::element(WebSocketRole::kClient, WebSocketRole::kServer);
  const WsEvents expected = ws_events_in({text}, role, 8);
  RC_ASSERT(ws_events_in(cut_anywhere(text), role, 8) == expected);
  RC_ASSERT(ws_events_in(cut_to_bytes(text), role, 8) == expected);
}

// Writes messages in fragments with pings between them, as either side, and reads them again.
RC_GTEST_PROP(WebSocketPropTest, WhatIsWrittenIsRead, ()) {
  const bool as_client = *rc::gen::arbitrary<bool>();
  std::string wire;
  const auto write = [&](WebSocketOpcode opcode, std::string_view payload, bool final) {
    std::optional<WebSocketMask> mask;
    if (as_client) mask = *rc::gen::arbitrary<WebSocketMask>();
    append_ws_frame(wire, opcode, payload, mask, final);
  };
  WsEvents expected;
  const int count = *rc::gen::inRange(0, 4);
  for (int i = 0; i < count; ++i) {
    const bool long_one = *rc::gen::weightedElement<bool>({{9, false}, {1, true}});
    const std::string bytes = long_one
                                  ? std::string(*rc::gen::element(125U, 126U, 65535U, 65536U), 'x')
                                  : *rc::gen::container<std::string>(rc::gen::element('a', '\0'));
    const bool text = *rc::gen::arbitrary<bool>();
    const auto first = text ? WebSocketOpcode::kText : WebSocketOpcode::kBinary;
    const auto pieces = long_one ? std::vector<std::string>{bytes} : cut_anywhere(bytes);
    for (std::size_t at = 0; at < pieces.size(); ++at) {
      write(at == 0 ? first : WebSocketOpcode::kContinuation, pieces[at], at + 1 == pieces.size());
      if (at + 1 == pieces.size()) break;
      write(WebSocketOpcode::kPing, "p", true);
      expected.push_back(WebSocketReader::Ping{"p"});
    }
    expected.push_back(WebSocketReader::Message{text, bytes});
  }
  write(WebSocketOpcode::kPong, "", true);
  expected.push_back(WebSocketReader::Pong{""});
  const auto role = as_client ? WebSocketRole::kServer : WebSocketRole::kClient;
  RC_ASSERT(ws_events_in(cut_anywhere(wire), role, 100'000) == expected);
}

}  // namespace
}  // namespace plumbline::wire
