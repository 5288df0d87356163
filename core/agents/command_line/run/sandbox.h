// Sandbox puts a command into bubblewrap: no network, processes of its own, and of the file system
// everything to read but only the folder that it starts in to write.

#pragma once

#include <string>

#include "core/net/spawner.h"

namespace plumbline::agents::command_line {

// sandboxed returns `command` as bubblewrap at the path `bwrap` runs it. It keeps its environment,
// its folder and its words but the first: a program then sees its path there. /tmp is empty and its
// own, /dev has the harmless devices. `command` must name its program and its folder by absolute
// paths. Where user namespaces are not allowed bubblewrap says so on stderr and ends with 1.
net::Command sandboxed(net::Command command, const std::string& bwrap);

}  // namespace plumbline::agents::command_line
