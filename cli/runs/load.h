// The scenarios that a command line names.

#pragma once

#include <string>
#include <vector>

#include "core/base/doors/file_store.h"
#include "core/base/result.h"
#include "scenarios/format/scenario.h"

namespace plumbline::cli {

// load_scenarios reads the files and folders `paths`, one after the other. Errors as of
// scenarios::load_scenarios.
Result<std::vector<scenarios::Scenario>> load_scenarios(const std::vector<std::string>& paths,
                                                        FileStore& files);

}  // namespace plumbline::cli
