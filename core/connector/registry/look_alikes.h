// Look-alikes: names that a person takes for each other. A registry that lists "ernail-agent"
// beside "email-agent" wants somebody to pick the wrong one.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plumbline::registry {

// skeleton_of returns what is left of a name when all that looks alike is written alike: without
// case, accents, spaces and separators, with letters of other scripts, digits and groups of letters
// ("rn") as the Latin letters that they look like. Two names with one skeleton are look-alikes.
//
// Source: Unicode Technical Standard 39, section 4; of its table what looks like ASCII.
std::string skeleton_of(std::string_view name);

// look_alikes returns a line for each name of `names` that looks like another one, but is not it:
// one of `known`, which the user has chosen, or else one before it.
std::vector<std::string> look_alikes(const std::vector<std::string>& known,
                                     const std::vector<std::string>& names);

}  // namespace plumbline::registry
