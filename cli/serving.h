// What the ways to `serve` share at their end.

#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/host.h"
#include "core/auth/admission/admission.h"
#include "core/auth/admission/introspection.h"
#include "core/auth/admission/key_source.h"
#include "core/auth/admission/signed_tokens.h"
#include "core/base/limits.h"
#include "core/mcp/server/server.h"
#include "core/mcp/transport/server/web_server.h"
#include "core/net/network.h"
#include "core/os/real_loop.h"
#include "core/os/standard_streams.h"
#include "core/os/wall_clock.h"

namespace plumbline::cli {

// ServingAuth is whose access tokens are wanted.
struct ServingAuth {
  std::string jwks;           // A URL, or a file; or else
  std::string introspection;  // a URL,
  std::string client;         // and what we are there.
  auth::AdmissionOptions options;
};

// read_auth reads "jwks=URL|FILE,issuer=URL[,audience=URL][,scope=S]...", or, in place of jwks,
// "introspection=URL,client=ID". "METHOD=S" and "METHOD:TARGET=S" are scopes of one method, or of
// one of its tools, prompts or resources. kInvalidInput: one line.
Result<ServingAuth> read_auth(const std::string& text);

// ServingPlace is where `serve` can be reached.
struct ServingPlace {
  mcp::Transport over = mcp::Transport::kStdio;
  net::Authority at{};                  // Unless kStdio.
  std::vector<std::string> hosts{};     // Other names by which it may be called.
  std::optional<net::TlsServer> tls{};  // Unless kStdio.
  std::optional<ServingAuth> auth{};    // Unless kStdio; nothing: anybody may come in.
};

// Door lets in who shows a good token.
class Door {
 public:
  // open makes it. What we are at the place of introspection is proved by the variable
  // PLUMBLINE_CLIENT_SECRET. kInvalidInput: the keys are no URL, and no file with keys in it; the
  // place may not be asked, or the variable is not set.
  static Result<std::unique_ptr<Door>> open(const ServingAuth& auth, Host& host);

  net::HttpGate& gate() { return *admission_; }

 private:
  Status open_keys(const std::string& jwks, Host& host);
  Status open_introspection(const ServingAuth& auth, Host& host);

  os::RealWallClock clock_;
  std::unique_ptr<auth::KeySource> keys_;
  std::optional<auth::SignedTokens> signed_;
  std::optional<auth::Introspection> introspection_;
  std::optional<auth::Admission> admission_;
};

// serve_stdio serves whoever started us, until our input ends.
void serve_stdio(os::RealLoop& loop, mcp::Server& server);

// ServingExtras is what a server may want besides.
struct ServingExtras {
  // Which arguments of a tool a client repeats as headers; nullptr: none.
  std::function<const std::vector<transport::ParamHeader>*(const std::string& tool)> mirrored{};
  std::map<std::string, net::HttpHandler*> beside{};  // See WebServerOptions.
};

// serve_web serves whoever connects to `place`, whose URL it prints, until a signal. kInvalidInput:
// the place is taken, or a file of TLS or of `place.auth` cannot be used.
Status serve_web(mcp::Server& server, const ServingPlace& place, ServingExtras extras, Host& host);

// serve_reference is `serve --reference`. `trace`: where its trace goes, empty for none. Returns
// the exit status of the program.
int serve_reference(const ServingPlace& place, const std::string& trace, Host& host);

// serve_model is `serve FILE --model`: the scripted model of a file over HTTP, until a signal.
// Returns the exit status of the program.
int serve_model(const std::string& file, const ServingPlace& place, Host& host);

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

// kFarewell is what each step of the end gets after a signal, so that all of it is over within a
// second.
inline constexpr Duration kFarewell = std::chrono::milliseconds(300);

// flush gives what was answered `span` to leave: a client that no longer reads must not keep us.
inline void flush(os::RealLoop& loop, const net::Pipe& streams,
                  Duration span = std::chrono::milliseconds(800)) {
  run_at_most(loop, span, [&] { return streams.queued_bytes() == 0; });
}

// close ends the sessions of `server`: in good order those that end within `span`.
inline void close(os::RealLoop& loop, mcp::Server& server, Duration span) {
  server.close();
  run_at_most(loop, span, [&] { return server.sessions() == 0; });
  server.drop();
}

}  // namespace plumbline::cli
