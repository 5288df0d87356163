// Recorder makes the lines of a recording of what it is told of a session.

#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/json/json.h"
#include "core/wire/lines.h"
#include "scenarios/record/masker.h"
#include "scenarios/record/recording.h"

namespace plumbline::scenarios {

// LinesBefore is what came before a line that is no message: a secret may go over many lines, or
// stand below the one that names it.
struct LinesBefore {
  bool in_key = false;  // A private key has begun.
  std::string text;     // The last lines, each with its end; some kilobytes at most.
};

class Recorder {
 public:
  // `write` is given each line, with its end, without secrets, and returns whether it is kept: of
  // one that is not it is the last. `masker` must outlive the Recorder.
  Recorder(const Masker& masker, std::function<Status(std::string line)> write)
      : masker_(masker), write_(std::move(write)) {}

  // begin writes the head: `about` says the transport, and what was started or met.
  void begin(Json about);

  // bytes takes the next bytes of the way to `to`; stderr those of the server's stderr. A line is
  // written once it is whole; of one longer than limits::kMessageBytesMax its beginning.
  void bytes(Side to, std::string_view bytes, Duration at);
  void stderr_bytes(std::string_view bytes, Duration at);

  // end tells that nothing more goes to `to`; what was begun of a line is written.
  void end(Side to, Duration at);
  void stderr_end(Duration at);

  void signal(const std::string& name, Duration at);

  // frame takes what went to `to` in one piece: a body, an event, a text of a WebSocket. `about`
  // has what else is to be said of it.
  void frame(Side to, std::string_view text, Duration at, Json about = Json::object());

  // note writes what is no message, as `what` has it.
  void note(Json what, Duration at);

  // exited tells how the server has ended: "exit code 3".
  void exited(const std::string& how, Duration at);

  // kept returns Done as long as all of it stands in the recording, so that it may be passed on;
  // else why it does not.
  const Status& kept() const { return kept_; }

  // withheld returns how many lines were not written, because a secret was left in them.
  std::size_t withheld() const { return withheld_; }

 private:
  void take_lines(wire::LineReader& reader, Side to, Duration at);
  void take_stderr(Duration at);
  std::string masked(std::string_view line, bool cut, LinesBefore& before) const;
  void write(Json line);

  const Masker& masker_;
  std::function<Status(std::string line)> write_;
  Status kept_ = Done();
  wire::LineReader to_server_;
  wire::LineReader to_client_;
  wire::LineReader stderr_;
  LinesBefore to_server_before_;
  LinesBefore to_client_before_;
  LinesBefore stderr_before_;
  std::size_t withheld_ = 0;
};

}  // namespace plumbline::scenarios
