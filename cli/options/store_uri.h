// Where threads are kept: --store, or the variables LANGGRAPH_CHECKPOINT_BACKEND and
// LANGGRAPH_CHECKPOINT_PATH.

#pragma once

#include <optional>
#include <string>

#include "core/base/result.h"

namespace CLI {
class App;
}

namespace plumbline::cli {

struct StoreUri {
  enum class Kind { kMemory, kSqlite, kPostgres };

  Kind kind = Kind::kMemory;
  std::string where;  // The file, or what libpq takes.
  std::string text;   // As --store takes it.
};

// parse_store reads "memory:", "sqlite:PATH", "postgres://..." (also postgresql://) or "postgres:"
// with a connection string behind it, which may be empty. kInvalidInput: it is something else.
Result<StoreUri> parse_store(const std::string& text);

// StoreVariables are those of the environment.
struct StoreVariables {
  std::optional<std::string> backend;
  std::optional<std::string> path;
};

// find_store returns what `option` names, or else the variables; nothing when neither does.
// kInvalidInput as parse_store.
Result<std::optional<StoreUri>> find_store(const std::string& option,
                                           const StoreVariables& variables);

// add_store declares --store.
void add_store(CLI::App& app, std::string& store);

}  // namespace plumbline::cli
