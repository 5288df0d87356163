#include "cli/commands/record/replay.h"

#include <string>
#include <utility>
#include <vector>

#include "cli/commands/record/against_client.h"
#include "cli/commands/record/against_orchestrator.h"
#include "cli/commands/record/against_server.h"
#include "cli/commands/record/served_recording.h"

namespace plumbline::cli {

int run_replay(const ReplayOptions& options, Host& host) {
  Result<scenarios::Recording> recording = read_recording_file(options.file, host);
  if (!recording.ok()) return host.complain(recording.error().message, kExitUsage);
  std::vector<scenarios::RecordedSession> sessions = std::move(recording.value().sessions);
  if (options.session) {
    if (*options.session > sessions.size()) {
      return host.complain("--session " + std::to_string(*options.session) + ": " + options.file +
                               " has " + std::to_string(sessions.size()),
                           kExitUsage);
    }
    sessions = {sessions[*options.session - 1]};
  }
  if (options.against == ReplayOptions::Against::kOrchestrator) {
    return replay_against_orchestrator(options, sessions, host);
  }
  if (options.against == ReplayOptions::Against::kClient) {
    return replay_against_client(options, std::move(sessions), host);
  }
  if (!options.serve.empty()) return serve_recording(options, std::move(sessions), host);
  return replay_against_server(options, std::move(sessions), host);
}

}  // namespace plumbline::cli
