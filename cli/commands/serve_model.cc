#include <memory>
#include <string>
#include <utility>

#include "cli/commands/command.h"
#include "cli/serving.h"
#include "core/json/locate.h"
#include "core/net/http_server.h"
#include "core/os/fd.h"
#include "core/os/interrupt.h"
#include "fakes/model/chat_server.h"

namespace plumbline::cli {

namespace {

Result<fakes::ModelScript> read_script(const std::string& text, const std::string& file) {
  JsonLimits limits;
  limits.comments = true;
  limits.duplicate_keys = false;
  const auto refused = [&file](const Position& at, const std::string& why) {
    return Error{ErrorCode::kInvalidInput, file + ":" + std::to_string(at.line) + ":" +
                                               std::to_string(at.column) + ": " + why};
  };
  Position failed_at;
  const Result<Json> json = parse_json(text, limits, failed_at);
  if (!json.ok()) return refused(failed_at, json.error().message);
  Result<fakes::ModelScript, Problem> script = fakes::parse_model_script(json.value());
  if (script.ok()) return std::move(script).value();
  return refused(locate(text, script.error().pointer), script.error().message);
}

}  // namespace

int serve_model(const std::string& file, const ServingPlace& place, Host& host) {
  const Result<std::string> text = host.files().read_file(file);
  if (!text.ok()) return host.complain(text.error().message, kExitUsage);
  const Result<fakes::ModelScript> script = read_script(text.value(), file);
  if (!script.ok()) return host.complain(script.error().message, kExitUsage);
  os::RealLoop& loop = host.world().loop();
  os::raise_descriptor_limit();
  fakes::ScriptedModel model(loop, script.value());
  fakes::ChatServer chat(loop, model);
  net::HttpServer server(loop, chat);
  Result<std::unique_ptr<net::Listener>> listener = host.world().network().listen(
      place.at, place.tls, [&server](auto pipe) { server.accept(std::move(pipe)); });
  if (!listener.ok()) return host.complain(listener.error().message, kExitUsage);
  const net::Authority at{place.at.host, listener.value()->port()};
  host.out((place.tls ? "https://" : "http://") + describe(at) + "/v1\n");
  const os::Interrupt interrupt(loop, [&loop](int) { loop.stop(); });
  loop.run_until([] { return false; });
  return kExitOk;
}

}  // namespace plumbline::cli
