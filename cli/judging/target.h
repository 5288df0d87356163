// TARGET: how a command line names the server that it is about, and what people mean who name it in
// another way.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/judging/check_targets.h"
#include "core/base/doors/paths.h"

namespace CLI {
class App;
}

namespace plumbline::cli {

// declare_target declares TARGET, --url, --stdio, --config and --server, and what goes with each.
// `asked` outlives `app`; its command takes the words behind "--": see Options::behind_dashes.
void declare_target(CLI::App& app, CheckedServer& asked);

// take_target makes exactly one of url, command and config of what was said. A command that a shell
// would have to take apart is taken apart, a script is given its interpreter, and asked.notes says
// so. kInvalidInput: nothing was named, several were, or what is named is not there; the line
// begins with `who`, the command.
Status take_target(const std::string& who, CheckedServer& asked, Paths& paths);

// is_loopback returns whether `host`, a name or an address, is this machine alone.
bool is_loopback(std::string_view host);

// words_of returns the words that name the target once more, after take_target.
std::vector<std::string> words_of(const CheckedServer& asked);

}  // namespace plumbline::cli
