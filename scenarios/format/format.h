// The scenario file: JSON with comments. Everything wrong with one is found when it is read, and
// told in one line that says where: "file:line:column: what, what was expected".

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/doors/file_store.h"
#include "core/base/result.h"
#include "core/json/json.h"
#include "scenarios/format/scenario.h"

namespace plumbline::scenarios {

// load_scenario reads one file. `file_name` is for messages, and its stem must be the scenario's
// id. kInvalidInput: syntax, a key that stands there twice or is unknown, a wrong type or value, an
// expected route that is no path of the assistant's graph.
Result<Scenario> load_scenario(std::string_view text, const std::string& file_name);

// read_scenario reads a file that was parsed already. Errors as above, but for the position.
Result<Scenario> read_scenario(const Json& document, const std::string& file_name);

// load_scenarios reads a file, or every .json file below a folder in the order of their paths.
// The first bad file is the error; also two scenarios of one id, and a folder without any.
Result<std::vector<Scenario>> load_scenarios(FileStore& files, const std::string& path);

// place_shape is the JSON Schema of what is around the script of a server.
Json place_shape();

}  // namespace plumbline::scenarios
