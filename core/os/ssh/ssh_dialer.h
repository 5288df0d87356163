// SshDialer reaches remote hosts by SSH, with libssh. Nothing of it blocks but the look-up of names
// and the reading of files.

#pragma once

#include <memory>

#include "core/net/remote_host.h"
#include "core/os/real_loop.h"

namespace plumbline::os {

// is_ssh_loadable returns whether libssh is here.
bool is_ssh_loadable();

class SshDialer final : public net::RemoteDialer {
 public:
  // `loop` must outlive the dialer and its hosts.
  explicit SshDialer(RealLoop& loop) : loop_(loop) {}

  // implements RemoteDialer ---
  Result<net::RemoteAccess> resolve(net::RemoteAccess access) override;

  // The key of a host has to be among the known ones of `access`, whatever a configuration says of
  // it: see find_ssh_place. kUnsupported: there is no libssh here.
  Task<Result<std::unique_ptr<net::RemoteHost>>> connect(net::RemoteAccess access,
                                                         Instant deadline) override;

 private:
  RealLoop& loop_;
};

}  // namespace plumbline::os
