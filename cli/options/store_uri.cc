#include "cli/options/store_uri.h"

#include <string_view>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "core/base/errors/errors.h"

namespace plumbline::cli {

namespace {

constexpr std::string_view kSqlite = "sqlite:";
constexpr std::string_view kPostgres = "postgres:";
constexpr std::string_view kDefaultPath = "./data/checkpoints";

bool is_postgres_url(std::string_view text) {
  return text.starts_with("postgres://") || text.starts_with("postgresql://");
}

}  // namespace

Result<StoreUri> parse_store(const std::string& text) {
  using Kind = StoreUri::Kind;
  if (text == "memory:") return StoreUri{Kind::kMemory, "", text};
  if (is_postgres_url(text)) return StoreUri{Kind::kPostgres, text, text};
  if (text.starts_with(kPostgres)) {
    return StoreUri{Kind::kPostgres, text.substr(kPostgres.size()), text};
  }
  if (text.starts_with(kSqlite) && text.size() > kSqlite.size()) {
    return StoreUri{Kind::kSqlite, text.substr(kSqlite.size()), text};
  }
  return the_error("store.uri", text);
}

Result<std::optional<StoreUri>> find_store(const std::string& option,
                                           const StoreVariables& variables) {
  std::string text = option;
  if (text.empty() && variables.backend.value_or("").empty()) return std::optional<StoreUri>();
  if (text.empty()) {
    const std::string& backend = *variables.backend;
    const std::string path = variables.path.value_or("");
    if (backend == "memory") {
      text = "memory:";
    } else if (backend == "sqlite") {
      text = std::string(kSqlite) + (path.empty() ? std::string(kDefaultPath) : path);
    } else if (backend == "postgres") {
      text = is_postgres_url(path) ? path : std::string(kPostgres) + path;
    } else {
      return the_error("store.backend", backend);
    }
  }
  Result<StoreUri> parsed = parse_store(text);
  if (!parsed.ok()) return parsed.error();
  return std::optional<StoreUri>(std::move(parsed).value());
}

void add_store(CLI::App& app, std::string& store) {
  app.add_option("--store", store,
                 "Keep threads here: memory:, sqlite:PATH or postgres://... (default: "
                 "LANGGRAPH_CHECKPOINT_*)")
      ->type_name("URI");
}

}  // namespace plumbline::cli
