#include "cli/config/document.h"

#include <utility>

#include "cli/config/toml_text.h"
#include "core/base/errors/errors.h"
#include "core/json/locate.h"
#include "core/json/parse.h"
#include "core/os/child/environment.h"
#include "core/os/child/real_paths.h"
#include "core/os/files/path_names.h"

namespace plumbline::cli {

Result<Document> read_document(const std::string& text, const std::string& file_name,
                               Position& failed_at) {
  if (file_name.ends_with(".yaml") || file_name.ends_with(".yml")) {
    return the_error("config.yaml");
  }
  if (is_toml(file_name)) {
    Result<TomlText> toml = parse_toml(text, failed_at);
    if (!toml.ok()) return toml.error();
    Json root = toml.value().root;
    return Document{std::move(root), [toml = std::move(toml).value()](const std::string& pointer) {
                      return toml.place_of(pointer);
                    }};
  }
  JsonLimits limits;
  limits.comments = true;
  limits.duplicate_keys = false;
  Result<Json> json = parse_json(text, limits, failed_at);
  if (!json.ok()) return json.error();
  return Document{std::move(json).value(),
                  [&text](const std::string& pointer) { return locate(text, pointer); }};
}

std::string beside(const std::string& file_name, const std::string& path) {
  if (path.empty() || os::is_absolute_path(path)) return path;
  const std::size_t slash = file_name.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : file_name.substr(0, slash + 1);
  os::RealPaths paths;
  const Result<std::string> whole = paths.real_path(folder + "/" + path);
  if (whole.ok()) return whole.value();
  const Result<std::string> there = paths.real_path(folder);
  return (there.ok() ? there.value() + "/" : slash == std::string::npos ? "" : folder) + path;
}

Surroundings our_surroundings(const std::string& file_name) {
  Surroundings around;
  around.variable = os::environment_variable;
  around.folder = beside(file_name, ".");
  if (around.folder.ends_with("/.")) around.folder.resize(around.folder.size() - 2);
  const std::size_t slash = around.folder.rfind('/');
  const bool of_host = around.folder.compare(slash + 1, 1, ".") == 0;
  if (of_host && slash != std::string::npos && slash > 0) around.folder.resize(slash);
  return around;
}

}  // namespace plumbline::cli
