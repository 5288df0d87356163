// What the ways to `serve` share at their end.

#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cli/host.h"
#include "core/auth/admission.h"
#include "core/base/limits.h"
#include "core/mcp/server/server.h"
#include "core/mcp/transport/server/web_server.h"
#include "core/net/network.h"
#include "core/os/real_loop.h"
#include "core/os/real_pipe.h"
#include "core/os/wall_clock.h"

namespace plumbline::cli {

// ServingAuth is whose access tokens are wanted.
struct ServingAuth {
  std::string jwks;  // A URL, or a file.
  auth::AdmissionOptions options;
};

// read_auth reads "jwks=URL,issuer=URL[,audience=URL][,scope=S]...". kInvalidInput: one line.
Result<ServingAuth> read_auth(const std::string& text);

// ServingPlace is where `serve` can be reached.
struct ServingPlace {
  mcp::Transport over = mcp::Transport::kStdio;
  net::Authority at{};                  // Unless kStdio.
  std::optional<net::TlsServer> tls{};  // Unless kStdio.
  std::optional<ServingAuth> auth{};    // Unless kStdio; nothing: anybody may come in.
};

// Door lets in who shows a good token.
class Door {
 public:
  // open makes it. kInvalidInput: the keys are no URL, and no file with keys in it.
  static Result<std::unique_ptr<Door>> open(const ServingAuth& auth, Host& host);

  Door(std::unique_ptr<auth::KeySource> keys, auth::AdmissionOptions options)
      : keys_(std::move(keys)), admission_(*keys_, clock_, std::move(options)) {}

  net::HttpGate& gate() { return admission_; }

 private:
  os::RealWallClock clock_;
  std::unique_ptr<auth::KeySource> keys_;
  auth::Admission admission_;
};

// serve_reference is `serve --reference`. `trace`: where its trace goes, empty for none. Returns
// the exit status of the program.
int serve_reference(const ServingPlace& place, const std::string& trace, Host& host);

// web_options returns how to serve at `place` of a network, in every revision. Not for
// kStdio.
transport::WebServerOptions web_options(const ServingPlace& place);

// run_at_most runs `loop` until `finished()` or until `span` has passed.
template <typename Finished>
void run_at_most(os::RealLoop& loop, Duration span, Finished finished) {
  bool late = false;
  Alarm alarm([&late] { late = true; });
  loop.arm(alarm, loop.now() + span);
  loop.run_until([&] { return late || finished(); });
}

// flush gives what was answered a second to leave: a client that no longer reads must not keep us.
inline void flush(os::RealLoop& loop, const os::RealPipe& streams) {
  run_at_most(loop, std::chrono::seconds(1), [&] { return streams.queued_bytes() == 0; });
}

// close ends the sessions of `server` in good order, in bounded time.
inline void close(os::RealLoop& loop, mcp::Server& server) {
  server.close();
  run_at_most(loop, limits::kStopGrace + std::chrono::seconds(1),
              [&] { return server.sessions() == 0; });
}

}  // namespace plumbline::cli
