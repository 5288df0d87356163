// A recording is what went over a wire, as JSON Lines: a head for each session, then its events in
// order (docs/recording-format.md). A line stands for itself, so a recording may be cut, joined and
// searched; a line that was torn by the death of its writer, the last of it, is left out.

#pragma once

#include <cstddef>
#include <cstdint>
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
    kRequest,  // Of HTTP: "POST /mcp" is `what`, the headers are `message`.
    kStatus,   // Its answer begins: the status is `what`, the headers are `message`.
  };

  Duration at{};  // Since the head.
  Kind kind = Kind::kMessage;
  Side to = Side::kServer;  // Of messages, texts and ends.
  Json message{};           // Of a message.
  std::string what{};       // Of the others.
  std::int64_t exchange{};  // Of HTTP: which brought it, from 1 on. 0: there are none.
};

struct RecordedSession {
  Json head;
  std::vector<RecordedEvent> events;
};

struct Recording {
  // At least one: of each head, and below it of each client that a network brought.
  std::vector<RecordedSession> sessions;
  bool torn = false;  // A line was left out that was no whole one.
};

// read_recording reads one. kInvalidInput: "line 7: ..." says what is wrong, and what was expected.
// Members that it does not know are left alone.
Result<Recording> read_recording(std::string_view text);

// written returns the lines of a recording of these sessions: read again, they are the same.
std::string written(const std::vector<RecordedSession>& sessions);

}  // namespace plumbline::scenarios
