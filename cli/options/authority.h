// HOST:PORT on the command line, and who may call there.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/net/http_access.h"
#include "core/net/network.h"

namespace CLI {
class App;
}

namespace plumbline::cli {

// read_authority reads "127.0.0.1:8080" or "[::1]:0", which stands behind `option`.
Result<net::Authority> read_authority(std::string_view option, const std::string& text);

// add_allowed_hosts declares --allow-host; `hosts` outlives `app`.
void add_allowed_hosts(CLI::App& app, std::vector<std::string>& hosts);

// access_at returns who may call a server that listens at `host` and has `more` names.
net::HttpAccess access_at(const std::string& host, const std::vector<std::string>& more);

}  // namespace plumbline::cli
