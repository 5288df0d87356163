// How a hub goes about the servers of a configuration.

#pragma once

#include "cli/config/config.h"
#include "core/connector/mcp_hub.h"

namespace plumbline::cli {

connector::HubOptions hub_options_of(const Config& config);

}  // namespace plumbline::cli
