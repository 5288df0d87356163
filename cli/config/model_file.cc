#include "cli/config/model_file.h"

#include <utility>

#include "cli/config/json_text.h"

namespace plumbline::cli {

Result<fakes::ModelScript> read_model_script(const std::string& text, const std::string& file) {
  fakes::ModelScript out;
  const Status read = read_json_text(text, file, [&out](const Json& root, auto& problem) {
    Result<fakes::ModelScript, Problem> script = fakes::parse_model_script(root);
    if (script.ok()) {
      out = std::move(script).value();
    } else {
      problem = std::move(script).error();
    }
  });
  if (!read.ok()) return read.error();
  return out;
}

}  // namespace plumbline::cli
