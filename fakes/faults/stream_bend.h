// StreamBend changes the bytes of an answer on their way through a proxy: event by event of
// server-sent events, frame by frame of a WebSocket, or as one text.

#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plumbline::fakes {

// StreamEdits is what is done to a stream. "After n events" counts frames of a WebSocket.
struct StreamEdits {
  enum class LineEnds { kLf, kCrLf, kCr };
  // Kind is one of the edits below, for telling which of them changed anything.
  enum Kind { kLineEnds, kStrip, kRetry, kComments, kReplace, kInsert, kCut, kBuffer, kKinds };

  LineEnds line_ends = LineEnds::kLf;    // Of server-sent events.
  std::vector<std::string> strip;        // Fields of events that are left out: "id".
  std::optional<std::int64_t> retry_ms;  // Added to each event.
  bool comments = false;                 // One before each event.
  std::vector<std::pair<std::string, std::string>> replace;  // Text by other text.
  std::optional<std::size_t> insert_after;                   // Puts `insert` behind so many events.
  std::string insert;
  std::optional<std::size_t> cut_after_bytes;  // The rest is lost.
  std::optional<std::size_t> cut_after_events;
  bool cut_before_answer = false;  // The response of JSON-RPC and the rest are lost.
  std::size_t buffer_bytes = 0;    // Held back until so many are there, or the end.
};

class StreamBend {
 public:
  enum class Unit { kText, kEvents, kFrames };

  // `edits` must outlive the bend.
  StreamBend(const StreamEdits& edits, Unit unit) : edits_(edits), unit_(unit) {}

  // push takes what came and returns what goes on. Nothing once is_cut().
  std::string push(std::string_view bytes);

  // finish returns what was held back, at the end of the stream.
  std::string finish();

  // is_cut returns whether the stream ends here for the receiver.
  bool is_cut() const { return cut_; }

  // changed returns which edits have changed anything so far.
  std::bitset<StreamEdits::kKinds> changed() const { return changed_; }

 private:
  void take_events();
  void take_frames();
  void pass(std::string piece);
  std::string edited(std::string_view event);
  std::string let_go(bool all);

  const StreamEdits& edits_;
  Unit unit_;
  std::string input_;   // Not yet a whole event.
  std::string output_;  // Held back.
  std::size_t events_ = 0;
  std::size_t passed_bytes_ = 0;
  bool cut_ = false;
  std::bitset<StreamEdits::kKinds> changed_;
};

}  // namespace plumbline::fakes
