// A server log is what the scripted servers of a scenario heard, said and did, as JSON Lines that
// `serve --log` writes: all that is known of a client that is not ours. A server that starts again
// with the same log goes on counting where the one before it has stopped.

#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "core/events/trace_event.h"
#include "core/json/json.h"
#include "fakes/peers/server_ear.h"
#include "fakes/peers/server_world.h"

namespace plumbline::scenarios {

struct ServerLogEntry {
  enum class Kind {
    kStarted,
    kHeard,
    kGarbage,
    kSaid,
    kSaidRaw,
    kLeft,
    kRule,      // It was met, followed or not.
    kFollowed,  // A rule was.
    kEffect,
    kFull,  // From here on no messages are written down.
    kEnded
  };

  Kind kind = Kind::kStarted;
  Duration at{};  // Since 1970.
  std::string server;
  std::int64_t process = 0;     // Its process id.
  std::int64_t connection = 0;  // Of that process, from 1; 0: of none.
  Json detail;       // The message; of kEffect "tool", "key", "idempotent"; of kRule and kFollowed
                     // the number of the rule; else a text or null.
  bool cut = false;  // Of a message that is longer than what is kept, this is the head.
};

// ServerLogWriter writes one server's part. It hears the server, and the effects it commits. Behind
// 24 MB of messages it writes the rest: by then a client has gone beyond every bound.
class ServerLogWriter final : public fakes::ServerEar, public EventSink {
 public:
  struct Doors {
    std::function<Duration()> now;  // Since 1970.
    std::function<void(const std::string& line)> write;
  };

  ServerLogWriter(std::string server, std::int64_t process, Doors doors)
      : server_(std::move(server)), process_(process), doors_(std::move(doors)) {}

  // started tells which key whoever started it has given it; empty: none.
  void started(const std::string& key) { write("started", 0, key); }
  void ended(const std::string& how) { write("ended", 0, how); }

  // implements ServerEar ---
  std::int64_t connected() override { return ++connections_; }
  void heard(std::int64_t connection, const Json& message) override;
  void heard_garbage(std::int64_t connection, std::string_view bytes) override;
  void said(std::int64_t connection, const Json& message) override;
  void said_raw(std::int64_t connection, std::string_view text) override;
  void client_left(std::int64_t connection) override { write("left", connection, nullptr); }
  void rule_met(std::size_t rule) override { write("rule", 0, rule); }
  void rule_followed(std::size_t rule) override { write("followed", 0, rule); }

  // implements EventSink --- Only effects are written.
  void on_event(const TraceEvent& event) override;

 private:
  void write(std::string_view kind, std::int64_t connection, const Json& detail, bool cut = false);
  void write_message(std::string_view kind, std::int64_t connection, const Json& message);

  std::string server_;
  std::int64_t process_;
  Doors doors_;
  std::int64_t connections_ = 0;
  std::size_t bytes_ = 0;        // Of messages that were written.
  bool full_ = false;            // More are not.
  std::set<std::int64_t> torn_;  // Connections in the middle of a line.
};

// read_server_log reads a log. What is no line of one, such as a torn last line, is left out.
std::vector<ServerLogEntry> read_server_log(std::string_view text);

// remember gives `memory` the starts and the counts of rules that the log of its server tells of.
void remember(const std::vector<ServerLogEntry>& log, fakes::ServerMemory& memory);

}  // namespace plumbline::scenarios
