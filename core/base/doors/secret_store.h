// SecretStore keeps secrets by name for the user who runs us: tokens and keys, nothing that others
// may read.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/base/time.h"

namespace plumbline {

// Every Error: kInvalidInput, it cannot be read or written; kDeadlineExceeded, nobody unlocked it.
// Messages name the secret and never hold it.
class SecretStore {
 public:
  // get returns the secret, nothing when there is none of this name.
  virtual Task<Result<std::optional<std::string>>> get(std::string name) = 0;

  // set keeps `secret` under `name`, in place of any before. After Done it stands.
  virtual Task<Status> set(std::string name, std::string secret) = 0;

  // names returns what there is, in the order of the bytes.
  virtual Task<Result<std::vector<std::string>>> names() = 0;

  // remove forgets it. Done also when there was none.
  virtual Task<Status> remove(std::string name) = 0;

  // claim returns whether `name`, which need not be a secret's, is the caller's until release(), or
  // until its process has died, then by `time` at the latest, in which it has to be done: of
  // several, also in several processes, one is told true. It keeps nobody from anything but
  // claiming it.
  virtual Task<Result<bool>> claim(std::string name, Duration time) = 0;
  virtual Task<Status> release(std::string name) = 0;

 protected:
  ~SecretStore() = default;
};

}  // namespace plumbline
