// ChargedSpawner charges a budget for each child that another spawner starts, for as long as it is
// there: whatever peers, files and scenarios ask for, there are never more processes than that.

#pragma once

#include <memory>

#include "core/base/budget/budget.h"
#include "core/net/spawner.h"

namespace plumbline::net {

class ChargedSpawner final : public Spawner {
 public:
  // `inner` must outlive the spawner, and `budget` its children.
  ChargedSpawner(Spawner& inner, Budget& budget) : inner_(inner), budget_(budget) {}

  // implements Spawner --- kLimitReached: so many are at work.
  Result<std::unique_ptr<Child>> spawn(const Command& command) override;

 private:
  Spawner& inner_;
  Budget& budget_;
};

}  // namespace plumbline::net
