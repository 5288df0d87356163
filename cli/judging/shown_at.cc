#include "cli/judging/shown_at.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "cli/options/shown_words.h"
#include "core/os/files/path_names.h"

namespace plumbline::cli {

namespace {

// What says in a project what it is.
constexpr std::array<std::string_view, 5> kManifests = {"package.json", "pyproject.toml", "go.mod",
                                                        "Cargo.toml", "pom.xml"};

bool is_inside(std::string_view path) {
  return !path.empty() && !os::is_absolute_path(path) && !path.starts_with('-') &&
         path.find("..") == std::string_view::npos;
}

// manifest_in returns that of `folder`, which is empty or ends in a slash.
std::string manifest_in(FileStore& files, const std::string& folder) {
  for (const std::string_view name : kManifests) {
    std::string path = folder + std::string(name);
    if (files.mode_of(path).ok()) return path;
  }
  return "";
}

// words_of returns the words of each command line that the target names.
std::vector<std::string> words_of(const Report& report) {
  std::vector<std::string> words;
  const Json* const servers = find(report.target, "servers");
  if (servers == nullptr || !servers->is_array()) return words;
  for (const Json& server : *servers) {
    const std::vector<std::string> its = words_in(string_or(server, "target", ""));
    words.insert(words.end(), its.begin(), its.end());
  }
  return words;
}

}  // namespace

std::string file_shown_at(FileStore& files, const Report& report) {
  const std::string config = string_or(report.target, "config", "");
  if (is_inside(config)) return config;
  for (std::string word : words_of(report)) {
    if (word.starts_with("./")) word.erase(0, 2);
    if (!is_inside(word) || !files.mode_of(word).ok()) continue;
    for (std::size_t slash = word.rfind('/'); slash != std::string::npos && slash != 0;
         slash = word.rfind('/', slash - 1)) {
      std::string manifest = manifest_in(files, word.substr(0, slash + 1));
      if (!manifest.empty()) return manifest;
    }
  }
  return manifest_in(files, "");
}

}  // namespace plumbline::cli
