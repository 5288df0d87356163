#include "cli/commands/record/replay.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/record/against_client.h"
#include "cli/commands/record/against_orchestrator.h"
#include "cli/commands/record/against_server.h"
#include "cli/commands/record/served_recording.h"
#include "core/base/errors/errors.h"
#include "scenarios/compare/conversation.h"

namespace plumbline::cli {

namespace {

// asks returns whether a client asks something in `session`.
bool asks(const scenarios::RecordedSession& session) {
  return !scenarios::conversation_of(session).exchanges.empty();
}

// has_what_is_judged returns whether there is something to compare: of sessions that are played to
// a client, only the last one is.
bool has_what_is_judged(const ReplayOptions& options,
                        const std::vector<scenarios::RecordedSession>& sessions) {
  if (options.against == ReplayOptions::Against::kClient) return asks(sessions.back());
  return std::ranges::any_of(sessions, asks);
}

}  // namespace

int run_replay(const ReplayOptions& options, Host& host) {
  Result<scenarios::Recording> recording = read_recording_file(options.file, host);
  if (!recording.ok()) return host.complain(recording.error(), kExitUsage);
  std::vector<scenarios::RecordedSession> sessions = std::move(recording.value().sessions);
  if (options.session) {
    if (*options.session > sessions.size()) {
      return host.complain(the_error("replay.session", std::to_string(*options.session),
                                     options.file + " has " + std::to_string(sessions.size())),
                           kExitUsage);
    }
    sessions = {sessions[*options.session - 1]};
  }
  const bool judges = options.serve.empty() || options.against != ReplayOptions::Against::kNobody;
  if (judges && !has_what_is_judged(options, sessions)) {
    return host.complain(the_error("replay.nothing-recorded", options.file), kExitUnreachable);
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
