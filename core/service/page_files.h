// The pages of our services, which the build puts into the program (cmake/embed.cmake).

#pragma once

#include <span>
#include <string_view>

#include "core/base/embedded/embedded_file.h"
#include "core/wire/http.h"

namespace plumbline::service {

// page_files returns the files of core/service/page, in the order of the paths.
std::span<const EmbeddedFile> page_files();

// page_reply returns the page of that name ("chat.html"), which may run its own script and speak
// with us, and nothing else.
wire::HttpResponse page_reply(std::string_view name);

}  // namespace plumbline::service
