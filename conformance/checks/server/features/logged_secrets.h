// Secrets in log messages that are known beyond doubt: what is only hidden to be safe is no reason
// to blame a server.

#pragma once

#include <string>

#include "core/json/json.h"

namespace plumbline::conformance {

// secret_logged returns by what a secret in the data of a log message is known: its name, or what
// it begins with; empty: there is none.
std::string secret_logged(const Json& data);

}  // namespace plumbline::conformance
