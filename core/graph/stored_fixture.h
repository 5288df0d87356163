// Ledger is a State that can be stored: lines that are appended.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/json/json.h"

namespace plumbline::graph {

struct Ledger {
  struct Update {
    std::string line{};

    Json to_json() const {
      Json out = Json::object();
      out["line"] = line;
      return out;
    }
    static Result<Update> from_json(const Json& json) {
      std::optional<std::string> line = find_string(json, "line");
      if (!line) return Error{ErrorCode::kInvalidInput, "the saved update has no \"line\""};
      return Update{std::move(*line)};
    }
  };

  static constexpr std::int64_t kVersion = 3;
  std::vector<std::string> lines{};

  void apply(Update&& update) { lines.push_back(std::move(update.line)); }

  Json to_json() const {
    Json out = Json::object();
    out["lines"] = lines;
    return out;
  }
  static Result<Ledger> from_json(const Json& json) {
    const Json* const lines = find(json, "lines");
    if (lines == nullptr || !lines->is_array()) {
      return Error{ErrorCode::kInvalidInput, "the saved ledger has no \"lines\""};
    }
    Ledger out;
    for (const Json& line : *lines) {
      const auto* const text = line.get_ptr<const std::string*>();
      if (text == nullptr) return Error{ErrorCode::kInvalidInput, "a saved line is no text"};
      out.lines.push_back(*text);
    }
    return out;
  }
};

}  // namespace plumbline::graph
