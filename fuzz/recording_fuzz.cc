// Any bytes as a recording, a server log and the file of a finding: reading never crashes, and what
// was read of a finding is written and read as the same.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "conformance/fuzz/fuzz_case.h"
#include "core/base/check.h"
#include "core/json/json.h"
#include "scenarios/judge/server_log.h"
#include "scenarios/record/recording.h"
#include "scenarios/record/replayer.h"

namespace {

using namespace plumbline;

void check_recording(const scenarios::Recording& recording) {
  check(!recording.sessions.empty(), "a recording has a session");
  const std::string once = scenarios::written(recording.sessions);
  const Result<scenarios::Recording> again = scenarios::read_recording(once);
  check(again.ok() && !again.value().torn, "what is written of a recording is read");
  check(scenarios::written(again.value().sessions) == once, "writing and reading keep a recording");
  scenarios::Replayer replayer(recording.sessions, scenarios::Match::kContent);
  for (const scenarios::RecordedEvent& event : recording.sessions.back().events) {
    using Kind = scenarios::RecordedEvent::Kind;
    if (event.to != scenarios::Side::kServer) continue;
    if (event.kind == Kind::kMessage) (void)replayer.take(event.message);
    if (event.kind == Kind::kText) (void)replayer.take(Json(event.what));
  }
  check(replayer.counts().played <= replayer.counts().recorded, "more is played than recorded");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<scenarios::Recording> recording = scenarios::read_recording(text);
  if (recording.ok()) check_recording(recording.value());
  fakes::ServerMemory memory("files");
  scenarios::remember(scenarios::read_server_log(text), memory);
  const Result<Json> file = parse_json(text);
  if (!file.ok()) return 0;
  const Result<conformance::FuzzCase> session = conformance::read_case(file.value());
  if (!session.ok()) return 0;
  const Json written = conformance::file_of(session.value(), "");
  const Result<conformance::FuzzCase> again = conformance::read_case(written);
  check(again.ok(), "what is written is read");
  check(conformance::file_of(again.value(), "") == written, "writing and reading keep a finding");
  return 0;
}
