// The parts of the HTML report: html/page.html with marks such as @DATA@ in it, its style and its
// script; and of the page of a recording, which asks for what it shows: html/recording.html.

#pragma once

#include <span>

#include "core/base/embedded/embedded_file.h"

namespace plumbline::reports {

// page_files returns every file of html/ that makes the page. cmake/embed.cmake writes the table.
std::span<const EmbeddedFile> page_files();

}  // namespace plumbline::reports
