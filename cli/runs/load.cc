#include "cli/runs/load.h"

#include <algorithm>
#include <iterator>

#include "scenarios/format/format.h"

namespace plumbline::cli {

Result<std::vector<scenarios::Scenario>> load_scenarios(const std::vector<std::string>& paths,
                                                        FileStore& files) {
  std::vector<scenarios::Scenario> all;
  for (const std::string& path : paths) {
    Result<std::vector<scenarios::Scenario>> loaded = scenarios::load_scenarios(files, path);
    if (!loaded.ok()) return loaded;
    std::ranges::move(loaded.value(), std::back_inserter(all));
  }
  return all;
}

}  // namespace plumbline::cli
