#include <memory>
#include <string>
#include <utility>

#include "cli/command.h"
#include "cli/config/model_file.h"
#include "cli/options/authority.h"
#include "cli/serving.h"
#include "core/net/http_server.h"
#include "core/os/fd.h"
#include "core/os/interrupt.h"
#include "fakes/model/chat_server.h"

namespace plumbline::cli {

int serve_model(const std::string& file, const ServingPlace& place, Host& host) {
  const Result<std::string> text = host.files().read_file(file);
  if (!text.ok()) return host.complain(text.error(), kExitUsage);
  const Result<fakes::ModelScript> script = read_model_script(text.value(), file);
  if (!script.ok()) return host.complain(script.error(), kExitUsage);
  os::RealLoop& loop = host.world().loop();
  os::raise_descriptor_limit();
  fakes::ScriptedModel model(loop, script.value());
  fakes::ChatServer chat(loop, model);
  net::HttpServer server(loop, chat, access_at(place.at.host, place.hosts));
  Result<std::unique_ptr<net::Listener>> listener = host.world().network().listen(
      place.at, place.tls, [&server](auto pipe) { server.accept(std::move(pipe)); });
  if (!listener.ok()) return host.complain(listener.error(), kExitUsage);
  const net::Authority at{place.at.host, listener.value()->port()};
  host.out((place.tls ? "https://" : "http://") + describe(at) + "/v1\n");
  const os::Interrupt interrupt(loop, [&loop](int) { loop.stop(); });
  loop.run_until([] { return false; });
  return kExitOk;
}

}  // namespace plumbline::cli
