// The manual that the program makes of itself: man pages and completions for packages, and pages in
// Markdown for the site (./plumb manual).

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/manual/command_tree.h"

namespace plumbline::cli {

// manual_files returns the names of all files of the manual: "plumbline.1",
// "plumbline-check-server.1", "plumbline-check-server.md", "plumbline.bash", "_plumbline" (zsh),
// "plumbline.fish".
std::vector<std::string> manual_files(const std::vector<CommandEntry>& commands);

// manual_file returns the text of one of them; nothing: there is none of that name.
std::optional<std::string> manual_file(const std::vector<CommandEntry>& commands,
                                       std::string_view name);

// page_name returns what the page of a command is called: "plumbline-check-server" and `ending`.
std::string page_name(const CommandEntry& command, std::string_view ending);

// help_page returns what --help prints.
std::string help_page(const std::vector<CommandEntry>& commands, const CommandEntry& command);

// These are its parts. `version` is that of the program.
std::string man_page(const std::vector<CommandEntry>& commands, const CommandEntry& command,
                     std::string_view version);
std::string markdown_page(const std::vector<CommandEntry>& commands, const CommandEntry& command);
std::string bash_completion(const std::vector<CommandEntry>& commands);
std::string zsh_completion(const std::vector<CommandEntry>& commands);
std::string fish_completion(const std::vector<CommandEntry>& commands);

}  // namespace plumbline::cli
