// The file of a scripted model (docs/models.md).

#pragma once

#include <string>

#include "core/base/result.h"
#include "fakes/model/model_script.h"

namespace plumbline::cli {

// read_model_script reads the text of `file`. kInvalidInput: "file:line:column: what, what was
// expected".
Result<fakes::ModelScript> read_model_script(const std::string& text, const std::string& file);

}  // namespace plumbline::cli
