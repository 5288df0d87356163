// HOST:PORT on the command line.

#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/net/network.h"

namespace plumbline::cli {

// read_authority reads "127.0.0.1:8080" or "[::1]:0", which stands behind `option`.
Result<net::Authority> read_authority(std::string_view option, const std::string& text);

}  // namespace plumbline::cli
