#include "cli/options/authority.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/options/usage.h"
#include "core/base/errors/errors.h"

namespace plumbline::cli {

Result<net::Authority> read_authority(std::string_view option, const std::string& text) {
  const std::size_t colon = text.rfind(':');
  const auto port = colon == std::string::npos
                        ? std::nullopt
                        : number_of<std::uint16_t>(std::string_view(text).substr(colon + 1));
  std::string host = text.substr(0, std::min(colon, text.size()));
  const bool bracketed = host.starts_with('[') && host.ends_with(']');
  if (bracketed) host = host.substr(1, host.size() - 2);
  if (!port || host.empty() || (!bracketed && host.find(':') != std::string::npos)) {
    return the_error("serve.listen", std::string(option), text);
  }
  return net::Authority{std::move(host), *port};
}

void add_allowed_hosts(CLI::App& app, std::vector<std::string>& hosts) {
  app.add_option("--allow-host", hosts, "Also accept requests with this Host header; repeatable")
      ->type_name("NAME")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

net::HttpAccess access_at(const std::string& host, const std::vector<std::string>& more) {
  net::HttpAccess access = net::HttpAccess::at(host);
  access.hosts.insert(access.hosts.end(), more.begin(), more.end());
  return access;
}

}  // namespace plumbline::cli
