// Where in a project what was judged stands: CI shows alerts and annotations at a file.

#pragma once

#include <string>

#include "core/base/doors/file_store.h"
#include "core/events/report.h"

namespace plumbline::cli {

// file_shown_at returns a file below the current folder: the configuration that names the subject,
// else the package.json, pyproject.toml or the like of the program that was started, else that of
// the current folder. Empty: there is none.
std::string file_shown_at(FileStore& files, const Report& report);

}  // namespace plumbline::cli
