// Agents that nobody has configured: a registry tells of them.

#pragma once

#include "cli/config/config.h"
#include "cli/host.h"

namespace plumbline::cli {

// add_found asks the registry of `config`, where it names one, and puts the agents that may be used
// behind its servers, under their ids. Those that may not, and look-alikes, are told of in a line
// each. An id that the file has for a server of its own stays that server's. kDisconnected: the
// registry cannot be asked, or somebody has interrupted it; one line.
Status add_found(Config& config, Host& host);

}  // namespace plumbline::cli
