// Why a client cannot be judged in the revision that it was asked for.

#pragma once

#include <string>

#include "conformance/peer/client/record.h"

namespace plumbline::conformance {

// refusal_of says by its first run why a program cannot be judged; empty: it can.
std::string refusal_of(const Record& record);

}  // namespace plumbline::conformance
