// Any bytes as what people write for `ask`, `connect` and `sessions`: it is refused in one line
// that begins with the name of the file, or it can be used as it is.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/config/config.h"
#include "cli/config/sessions_config.h"
#include "core/base/check.h"

namespace {

using namespace plumbline;

void check_refusal(const Error& error) {
  check(error.message.starts_with("a.json:"), "a refusal says where");
  check(error.message.find('\n') == std::string::npos, "a refusal is one line");
}

void check_config(const cli::Config& config) {
  for (const std::string& name : config.servers) {
    check(config.commands.contains(name) != config.remotes.contains(name),
          "a server is a program or at a URL");
  }
  for (const auto& [name, command] : config.commands) {
    check(!command.argv.empty() && !command.argv.front().empty(), "a program has a name");
  }
  for (const auto& [name, remote] : config.remotes) {
    for (const auto& [header, value] : remote.headers.fields()) {
      check(cli::is_header(header, value), "a header can be sent");
    }
  }
  (void)cli::secrets_of(config);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<cli::Config> config = cli::parse_config(text, "a.json");
  if (config.ok()) {
    check_config(config.value());
  } else {
    check_refusal(config.error());
  }
  const auto sessions = cli::parse_sessions_config(text, "a.json");
  if (!sessions.ok()) check_refusal(sessions.error());
  return 0;
}
