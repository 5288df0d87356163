// The doors of this machine for runs with real processes.

#pragma once

#include "cli/real_world.h"
#include "scenarios/real/real_doors.h"

namespace plumbline::cli {

// real_doors returns those of `world`, which must outlive them.
scenarios::RealDoors real_doors(RealWorld& world);

}  // namespace plumbline::cli
