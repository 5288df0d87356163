// A recording is what went over a wire, as JSON Lines: a head for each session, then its events in
// order (docs/recording-format.md). A line stands for itself, so a recording may be cut, joined and
// searched; a last line that was torn by the death of its writer is left out.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/json/json.h"

namespace plumbline::scenarios {

inline constexpr int kRecordingVersion = 1;

// Side is who a message goes to.
enum class Side { kServer, kClient };

std::string_view name_of(Side side);

struct RecordedEvent {
  enum class Kind {
    kMessage,  // JSON, as a line of its own.
    kText,     // A line that is no JSON.
    kStderr,   // A line that the server wrote to its stderr.
    kEnd,      // Nothing more goes to `to`.
    kExit,     // The server has ended: `what`.
    kSignal,   // Whoever started it has sent one: `what`.
  };

  Duration at{};  // Since the head.
  Kind kind = Kind::kMessage;
  Side to = Side::kServer;  // Of messages, texts and ends.
  Json message{};           // Of a message.
  std::string what{};       // Of the others.
};

struct RecordedSession {
  Json head;
  std::vector<RecordedEvent> events;
};

struct Recording {
  std::vector<RecordedSession> sessions;  // At least one.
  bool torn = false;                      // The last line was no whole one.
};

// part_of returns what the JSON pointer finds in `message`, nullptr when that is nothing.
Json* part_of(Json& message, std::string_view pointer);

// read_recording reads one. kInvalidInput: "line 7: ..." says what is wrong, and what was expected.
// Members that it does not know are left alone.
Result<Recording> read_recording(std::string_view text);

}  // namespace plumbline::scenarios
