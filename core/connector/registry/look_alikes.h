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

// OwnedName is a name and the id of the agent that goes by it.
struct OwnedName {
  std::string owner;
  std::string name;
};

// look_alikes returns a line for each name of `names` that a person can take for one of another
// owner: one of `known`, which the user has chosen and each of which is its own, or else one before
// it. What an agent calls itself is never held against its own id.
std::vector<std::string> look_alikes(const std::vector<std::string>& known,
                                     const std::vector<OwnedName>& names);

}  // namespace plumbline::registry
