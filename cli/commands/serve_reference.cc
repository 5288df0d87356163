#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "cli/serving.h"
#include "core/os/fd.h"
#include "core/os/interrupt.h"
#include "core/os/random.h"
#include "core/os/wall_clock.h"
#include "fakes/world/trace_recorder.h"
#include "reference/reference_server.h"

namespace plumbline::cli {

namespace {

constexpr std::size_t kSecretBytes = 16;

// serve_web serves whoever connects, until a signal.
Status serve_web(reference::ReferenceServer& reference, const ServingPlace& place, Host& host) {
  os::RealLoop& loop = host.world().loop();
  mcp::Server& server = reference.server();
  os::raise_descriptor_limit();
  transport::WebServerOptions web_place = web_options(place);
  web_place.mirrored_params = [&](const std::string& tool) {
    return reference.mirrored_params(tool);
  };
  std::unique_ptr<Door> door;
  if (place.auth) {
    Result<std::unique_ptr<Door>> opened = Door::open(*place.auth, host);
    if (!opened.ok()) return opened.error();
    door = std::move(opened).value();
    web_place.gate = &door->gate();
  }
  Result<std::unique_ptr<transport::WebServer>> web = transport::WebServer::listen(
      loop, host.world().network(), std::move(web_place), [&](auto channel, std::string principal) {
        server.accept(std::move(channel), std::move(principal));
      });
  if (!web.ok()) return std::move(web).error();
  const os::Interrupt interrupt(loop, [&](int) { loop.stop(); });
  host.out(web.value()->url() + "\n");
  loop.run_until([] { return false; });
  close(loop, server);
  return Done{};
}

}  // namespace

int serve_reference(const ServingPlace& place, const std::string& trace, Host& host) {
  os::RealLoop& loop = host.world().loop();
  fakes::TraceRecorder recorder(fakes::Keep::kText);
  reference::ReferenceServer reference(loop, os::random_bytes(kSecretBytes),
                                       trace.empty() ? nullptr : &recorder,
                                       os::wall_clock_since_1970() - (loop.now() - Instant{}));
  if (place.over == mcp::Transport::kStdio) {
    serve_stdio(loop, reference.server());
  } else {
    const Status served = serve_web(reference, place, host);
    if (!served.ok()) return host.complain(served.error().message, kExitUsage);
  }
  if (trace.empty()) return kExitOk;
  recorder.finish(0);
  const Status written = host.files().write_file(trace, recorder.text());
  return written.ok() ? kExitOk : host.complain(written.error().message, kExitUsage);
}

}  // namespace plumbline::cli
