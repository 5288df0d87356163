// ChargedSpawner charges a budget for each child that another spawner starts, for as long as it is
// there: whatever peers, files and scenarios ask for, there are never more processes than that.

#pragma once

#include <memory>

#include "core/base/budget/budget.h"
#include "core/net/spawner.h"

namespace plumbline::cli {

class ChargedSpawner final : public net::Spawner {
 public:
  // `inner` must outlive the spawner, and `budget` its children.
  ChargedSpawner(net::Spawner& inner, Budget& budget) : inner_(inner), budget_(budget) {}

  // implements Spawner --- kLimitReached: so many are at work.
  Result<std::unique_ptr<net::Child>> spawn(const net::Command& command) override;

 private:
  net::Spawner& inner_;
  Budget& budget_;
};

}  // namespace plumbline::cli
