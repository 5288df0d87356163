// Any bytes as a recording, a server log and the file of a finding: reading never crashes, and what
// was read of a finding is written and read as the same.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "conformance/fuzz/fuzz_case.h"
#include "core/base/check.h"
#include "core/json/json.h"
#include "scenarios/judge/server_log.h"
#include "scenarios/record/recording.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plumbline;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<scenarios::Recording> recording = scenarios::read_recording(text);
  if (recording.ok()) check(!recording.value().sessions.empty(), "a recording has a session");
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
