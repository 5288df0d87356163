// What a request and its conversation name of files and images, and which files that means.

#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/agents/supervisor/state/supervisor_state.h"
#include "core/agents/supervisor/supervisor_services.h"

namespace plumbline::agents::supervisor {

// named_files and named_images return what the conversation and the request name, without doubles,
// newest first. A file whose name says that it is an image is among the images.
std::vector<std::string> named_files(const SupervisorState& state);
std::vector<std::string> named_images(const SupervisorState& state);

// FoundFiles are the files that names stand for, in the order of the names.
struct FoundFiles {
  std::vector<std::string> files;  // Without doubles.
  std::vector<Json> left_out;      // {"file", "why"}.
  std::set<std::string> named;     // Those of `files` that were named themselves.
};

// find_files returns what each name stands for: a file; of a folder all files below it; of a
// pattern all that fit. In one, * and ? stand for anything within the name of a file or folder, and
// ** for anything. A path that is not absolute begins at the only root. Folders outside of the
// roots are not looked into. Of a folder and a pattern come no hidden files, none of folders that
// are made by tools (node_modules, build, ...), no lock files and none above 1 MB: a line for each
// kind says how many. At most limits.files_max.
FoundFiles find_files(const std::vector<std::string>& names, SupervisorServices& services);

// read_named_file returns the file, links followed. kInvalidInput says why it is not to be read:
// the path is not absolute, where it leads is outside of the roots, or nothing is there.
Result<std::string> read_named_file(const std::string& file, SupervisorServices& services);

// fits_glob returns whether `path` is one of a pattern's.
bool fits_glob(std::string_view pattern, std::string_view path);

}  // namespace plumbline::agents::supervisor
