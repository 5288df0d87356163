// Any bytes, cut anywhere: the events are the same as those of the whole, none is over the limit,
// and writing and reading keep them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/wire/sse.h"

namespace {

using plumbline::wire::SseEvent;
using plumbline::wire::SseReader;

constexpr std::size_t kEventBytesMax = 64;

std::vector<SseEvent> sse_events_of(std::string_view text, std::size_t piece, bool& too_long) {
  SseReader reader(kEventBytesMax);
  std::vector<SseEvent> events;
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
    reader.feed(std::string(text.substr(0, piece)));
    while (auto event = reader.next()) {
      plumbline::check(event->data.size() <= kEventBytesMax, "an event is over the limit");
      events.push_back(*std::move(event));
    }
  }
  too_long = reader.too_long();
  return events;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t piece = 1 + data[0] % 16U;
  bool too_long = false, cut_too_long = false;
  const std::vector<SseEvent> events = sse_events_of(text, size, too_long);
  plumbline::check(sse_events_of(text, piece, cut_too_long) == events && too_long == cut_too_long,
                   "where bytes are cut matters");
  for (const SseEvent& event : events) {
    std::string bytes;
    plumbline::wire::append_sse(bytes, event);
    SseReader reader;
    reader.feed(bytes);
    plumbline::check(reader.next() == event && !reader.next(), "writing and reading keep an event");
  }
  return 0;
}
