// Floors inside rooms: the folders of a layer include each other in one direction.

#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/tidy_layers.h"

namespace plumbline::tidy {

// UpwardInclude is a folder that includes one above it: {lower, upper}.
using UpwardInclude = std::pair<std::string, std::string>;

// upward_includes are those that are left, none of which may come back once it is gone.
const std::set<UpwardInclude>& upward_includes();

// check_folders reports folders that include each other, whether directly or on a way round, those
// of `known` aside; and each of `known` that is no include any more, or closes no circle. Wrong
// peers lie beside what they are wrong about, and count as one folder of their own.
void check_folders(const Tree& tree, const std::set<UpwardInclude>& known,
                   std::vector<std::string>& report);

}  // namespace plumbline::tidy
