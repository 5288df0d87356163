#include "cli/library.h"

#include <utility>

#include "cli/embedded_files.h"
#include "core/base/check.h"
#include "scenarios/format/format.h"

namespace plumbline::cli {

const std::vector<scenarios::Scenario>& library() {
  static const std::vector<scenarios::Scenario> kLibrary = [] {
    std::vector<scenarios::Scenario> out;
    for (const EmbeddedFile& file : embedded_files()) {
      Result<scenarios::Scenario> scenario =
          scenarios::load_scenario(file.text, std::string(file.path));
      check(scenario.ok(), scenario.ok() ? "" : scenario.error().message.c_str());
      out.push_back(std::move(scenario).value());
    }
    return out;
  }();
  return kLibrary;
}

}  // namespace plumbline::cli
