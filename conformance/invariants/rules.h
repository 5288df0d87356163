// The rules of oracle.cc. Each returns not_for_it() when nothing that it is about was said.

#pragma once

#include "conformance/invariants/oracle.h"

namespace plumbline::conformance {

Finding says_version(const Conversation& conversation);

}  // namespace plumbline::conformance
