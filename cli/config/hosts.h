// The hosts of MCP and how each writes its servers, as data.
//
// A host has a file of its own, a member that holds the servers, and the variables that it puts
// values for. What differs in the members of one server (host_servers.cc) means the same in all.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/json/json.h"

namespace plumbline::cli {

// Form is a way to write a variable.
enum Form : unsigned {
  kPlain = 1,      // ${NAME}
  kDefault = 2,    // ${NAME:-value}
  kOfEnv = 4,      // ${env:NAME}
  kInput = 8,      // ${input:NAME}
  kFolders = 16,   // ${workspaceFolder}, ${userHome} and others that name a place.
  kBare = 32,      // $NAME
  kInBraces = 64,  // {env:NAME}
  kHome = 128,     // ~/ at the beginning.
};

struct Dialect {
  std::string_view host;     // Empty: nobody knows whose file it is.
  std::string_view file;     // How the path of its file ends; empty: any that has the member.
  std::string_view servers;  // A pointer to the object of servers by name.
  unsigned forms = 0;        // Of Form: those that the host puts values for.
};

std::span<const Dialect> all_dialects();

// dialect_of returns how `root`, which stands in `file_name`, is written: by the name of the file,
// else by the member that it has. nullptr: it has no member of servers.
const Dialect* dialect_of(const Json& root, std::string_view file_name);

}  // namespace plumbline::cli
