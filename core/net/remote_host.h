// RemoteHost is another machine on which commands run: one signed-in connection to it.
//
// os::SshDialer reaches one by SSH. A line goes to the shell of the user there: who means words
// quotes them, with quoted_line of core/agents/command_line/remote.

#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "core/base/loop.h"
#include "core/base/result.h"
#include "core/base/task.h"

namespace plumbline::net {

// RemoteAccess is where to, and as whom. Paths are of files here.
struct RemoteAccess {
  std::string host;  // A name, an address, or an alias of the configuration.
  int port = 0;      // 0: as the configuration says, else 22.
  std::string user;  // Empty: as the configuration says, else ours.
  std::string known_hosts_path;
  std::string config_path;  // Empty: no configuration is read.

  // With the first of these that is there: a password, a key from a file without a passphrase, the
  // keys of the agent at SSH_AUTH_SOCK.
  std::string password;
  std::string key_path;
};

// RemoteEnd is how a command ended there.
struct RemoteEnd {
  std::string out;  // At most so many bytes of each were kept, from the beginning.
  std::string err;
  bool truncated = false;
  std::optional<int> return_code;  // Nothing: it was ended by a signal, or nobody knows.

  // Why it is not known whether the command ran to its end: the connection was lost, or it did not
  // stop in time. Nothing: it ended.
  std::optional<Error> unknown;
};

class RemoteHost {
 public:
  virtual ~RemoteHost() = default;

  // run has `line` run, with no input, until it ends or `deadline`: then it is sent SIGTERM and the
  // channel is closed. An Error: it certainly did not run. One at a time; dropping the task leaves
  // it running there.
  virtual Task<Result<RemoteEnd>> run(std::string line, Instant deadline,
                                      std::size_t output_bytes_max) = 0;
};

class RemoteDialer {
 public:
  // resolve returns `access` as connect would dial it now, with what a configuration says of an
  // alias: one that is resolved is dialled as it stands. kInvalidInput: the configuration cannot be
  // read, or reaches the host by what is not supported.
  virtual Result<RemoteAccess> resolve(RemoteAccess access) { return access; }

  // connect reaches the host, makes sure that it is the one that is known, and signs in.
  // kInvalidInput: its key is unknown, or ANOTHER than the known one; nobody is let in; the key
  // file cannot be read. kDisconnected: it cannot be reached. kDeadlineExceeded: not in time.
  // Messages name the host and what is to be done, and never hold a password.
  virtual Task<Result<std::unique_ptr<RemoteHost>>> connect(RemoteAccess access,
                                                            Instant deadline) = 0;

 protected:
  ~RemoteDialer() = default;
};

}  // namespace plumbline::net
