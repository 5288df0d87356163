// Git starts other programs when its words, its settings or the repository say so. Here it runs
// with settings in which most of that is off; what is left is told.

#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/agents/command_line/rules/disguises.h"
#include "core/base/doors/paths.h"

namespace plumbline::agents::command_line {

// harmless_git_settings returns variables with which git runs no hook, no monitor of files, no
// pager and no editor, asks nobody for a password, gets to other repositories by git, http, https
// and ssh alone, and takes no folder without ".git" for a repository. They win over what files say.
std::map<std::string, std::string> harmless_git_settings();

// git_disguise returns what `words`, those behind "git", would start in `folder` despite those
// settings: an option (-c alias.x=!id, grep -O), a command that is not known to be harmless (an
// alias, a program git-x), or a setting of the repository that names a program (filter.x.clean).
//
// Source: git-config(1), gitattributes(5), git(1) of git 2.39.
std::optional<Disguise> git_disguise(std::span<const std::string> words, const std::string& folder,
                                     Paths& paths);

// starting_setting returns the first setting in the text of a configuration file of git that starts
// programs or reads more settings: "filter.x.clean"; empty: there is none. "?" stands for what
// cannot be told for sure.
std::string starting_setting(std::string_view config);

}  // namespace plumbline::agents::command_line
