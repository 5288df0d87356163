#include "conformance/checks/gateway/carried/carriage.h"

#include <algorithm>

#include "core/json/dump.h"

namespace plumbline::conformance {

namespace {

std::string data_lines(const std::string& text, std::string_view field) {
  std::string lines;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t to = std::min(text.find('\n', begin), text.size());
    lines += std::string(field) + text.substr(begin, to - begin) + "\n";
    begin = to + 1;
  }
  return lines;
}

}  // namespace

std::string carried(const Json& message, Carriage::Text text) {
  using Text = Carriage::Text;
  const std::string plain = dump_json(message);
  std::string event = data_lines(plain, text == Text::kTight ? "data:" : "data: ") + "\n";
  if (text == Text::kIndented) return data_lines(pretty_json(message), "data: ") + "\n";
  if (text == Text::kNamed) return "event: message\n" + event;
  if (text == Text::kBom) return "\xef\xbb\xbf" + event;
  if (text == Text::kComments) return ": one\n\n\n:\n: two\n\n" + event;
  if (text == Text::kIds) return "id: mirror/é?1\nretry: 3000\n" + event;
  if (text == Text::kUnknown) return "plumbline: 1\nplumbline\n" + event;
  if (text == Text::kOther) return "event: plumbline\ndata: for somebody else\n\n" + event;
  if (text != Text::kCr) return event;
  // A comment follows: behind the last CR a reader may wait for LF.
  event += ":\n";
  std::ranges::replace(event, '\n', '\r');
  return event;
}

std::size_t first_piece(std::string_view events) {
  const auto letter = std::ranges::find_if(
      events, [](char byte) { return static_cast<unsigned char>(byte) >= 0x80; });
  if (letter == events.end()) return events.size() / 2;
  return static_cast<std::size_t>(letter - events.begin()) + 1;
}

}  // namespace plumbline::conformance
