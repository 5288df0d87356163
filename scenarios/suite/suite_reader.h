// From the text of a file to a Suite.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/doors/file_store.h"
#include "core/base/result.h"
#include "scenarios/suite/suite.h"

namespace plumbline::suite {

// read_suite reads one. kInvalidInput: "FILE:LINE:COLUMN: what, what was expected".
Result<Suite> read_suite(std::string_view text, const std::string& file_name);

// load_suites reads the file at `path`, or every *.mcptest.json below the folder.
Result<std::vector<Suite>> load_suites(FileStore& files, const std::string& path);

}  // namespace plumbline::suite
