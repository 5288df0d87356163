// SocketFilter is a program of seccomp, which holds for a command and all that it starts.

#pragma once

#include <string>

namespace plumbline::agents::command_line {

// socket_filter returns the program as bubblewrap's --seccomp reads it. It refuses every socket but
// those of IPv4, IPv6 and netlink, so that a Unix socket that lies in a folder, or a machine below
// this one, cannot be reached, and allows pairs of connected streams. io_uring, which makes sockets
// unseen, is as if the system had none. A process of a processor that it does not know is ended.
//
// Source: seccomp(2); linux/filter.h, linux/audit.h and the tables of system calls of Linux 6.1.
std::string socket_filter();

}  // namespace plumbline::agents::command_line
