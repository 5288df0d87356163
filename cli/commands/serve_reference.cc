#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "cli/serving.h"
#include "core/events/redacting_sink.h"
#include "core/os/random.h"
#include "core/os/wall_clock.h"
#include "fakes/world/trace_recorder.h"
#include "reference/reference_server.h"

namespace plumbline::cli {

namespace {

constexpr std::size_t kSecretBytes = 16;

}  // namespace

int serve_reference(const ServingPlace& place, const std::string& trace, Host& host) {
  os::RealLoop& loop = host.world().loop();
  fakes::TraceRecorder recorder(fakes::Keep::kText);
  RedactingSink shown(host.secrets().redactor(), recorder);
  reference::ReferenceServer reference(loop, os::random_bytes(kSecretBytes),
                                       trace.empty() ? nullptr : &shown,
                                       os::wall_clock_since_1970() - (loop.now() - Instant{}));
  if (place.over == mcp::Transport::kStdio) {
    serve_stdio(loop, reference.server());
  } else {
    ServingExtras extras;
    extras.mirrored = [&](const std::string& tool) { return reference.mirrored_params(tool); };
    const Status served = serve_web(reference.server(), place, std::move(extras), host);
    if (!served.ok()) return host.complain(served.error(), kExitUsage);
  }
  if (trace.empty()) return kExitOk;
  recorder.finish(0);
  const Status written = host.files().write_file(trace, recorder.text());
  return written.ok() ? kExitOk : host.complain(written.error(), kExitUsage);
}

}  // namespace plumbline::cli
