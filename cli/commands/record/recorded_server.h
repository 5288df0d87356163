// RecordedServer is the server of a recording as a client that is judged meets it: over a network,
// or as a program that the client starts.

#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands/record/replay_options.h"
#include "cli/host.h"
#include "core/base/result.h"
#include "core/json/json.h"
#include "scenarios/record/recording.h"

namespace plumbline::cli {

// AskedAgain is what a client has asked of it.
struct AskedAgain {
  std::size_t played = 0;           // Messages of the recording that came again.
  std::vector<std::string> missed;  // What was never recorded, in a few words each.
  std::vector<Json> unplayed;       // Requests of the recording that did not come again, in order.
};

class RecordedServer {
 public:
  virtual ~RecordedServer() = default;

  // offer lets clients come, and returns its entry in an mcpServers file. kInvalidInput: the place
  // is taken or not ours, or nothing can be written.
  virtual Result<Json> offer() = 0;

  // asked returns what came so far; with several clients, what any of them asked. kInvalidInput: it
  // cannot be read.
  virtual Result<AskedAgain> asked() const = 0;
};

// recorded_server makes the one that the options say. `options` and `host` must outlive it.
std::unique_ptr<RecordedServer> recorded_server(const ReplayOptions& options,
                                                std::vector<scenarios::RecordedSession> sessions,
                                                Host& host);

}  // namespace plumbline::cli
