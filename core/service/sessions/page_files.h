// The page of the worker, which the build puts into the program (cmake/embed.cmake).

#pragma once

#include <span>

#include "core/base/embedded_file.h"

namespace plumbline::service {

// page_files returns the files of core/service/page, in the order of the paths.
std::span<const EmbeddedFile> page_files();

}  // namespace plumbline::service
