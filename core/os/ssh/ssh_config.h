// What a configuration of OpenSSH says of a host: where it is, and who we are there. We read it
// ourselves, because libssh obeys what would undo our promises: StrictHostKeyChecking no, Match
// exec and ProxyCommand, which start programs, and other files of known keys.

#pragma once

#include <string>

#include "core/base/result.h"

namespace plumbline::os {

struct SshPlace {
  std::string host;  // A name or an address.
  int port = 0;      // 0: that of SSH.
  std::string user;  // Empty: that of this process.
};

// find_ssh_place returns what the file at `config_path` says of `alias`, which is its own host
// where the file says nothing, or is not there.
//
// HostName, Port and User are read, below Host and below Match with all, host and originalhost;
// Include is followed. What is below another Match does not hold, and no other keyword has an
// effect. kInvalidInput: `alias` is reached by ProxyCommand or ProxyJump, or a line cannot be read.
//
// Source: ssh_config(5).
Result<SshPlace> find_ssh_place(const std::string& config_path, const std::string& alias);

}  // namespace plumbline::os
