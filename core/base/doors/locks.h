// Locks keep processes of one user out of each other's way.
//
// os::FileLocks are the locks of a file; fakes::SimLocks those of a simulated machine.

#pragma once

#include <string>

#include "core/base/result.h"

namespace plumbline {

class Locks {
 public:
  // take returns whether the lock `name`, any text, is ours now, also if it was before: until
  // give_back, or until these Locks are destroyed or their process ends, however it does. It never
  // waits. kInvalidInput: there is no place for locks.
  virtual Result<bool> take(const std::string& name) = 0;
  virtual void give_back(const std::string& name) = 0;

 protected:
  ~Locks() = default;
};

}  // namespace plumbline
