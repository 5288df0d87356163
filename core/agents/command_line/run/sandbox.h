// Sandbox puts a command into bubblewrap, which shows it nothing but what is bound: no network, no
// process and no socket of the system, no file of anybody's, no terminal, no capability.

#pragma once

#include <string>

#include "core/net/spawner.h"

namespace plumbline::agents::command_line {

// sandboxed returns `command` as bubblewrap at the path `bwrap` runs it. To read there are the
// system's programs and libraries and the program itself; to write, its folder and an empty /tmp.
// /run and the folder that HOME names are empty, /dev has the harmless devices, /etc holds
// only what programs need to start. A command in "/" has nothing to write but /tmp. It keeps its
// environment, its folder and its words but the first: a program then sees its path there.
//
// It has no capability, also where root starts it, gains none by a setuid program, and cannot type
// into the terminal that we were started from. It makes no Unix sockets, so that one that lies in
// its folder is out of reach too (see socket_filter). `command` must name its program and its
// folder by absolute paths. Where user namespaces are not allowed bubblewrap says so on stderr and
// ends with 1.
net::Command sandboxed(net::Command command, const std::string& bwrap);

}  // namespace plumbline::agents::command_line
