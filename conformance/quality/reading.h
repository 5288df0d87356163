// Reading is an ServerOffer as the rules look at it: tools taken apart, and every text with its
// place.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/quality/offer.h"

namespace plumbline::conformance {

// Argument is one of a tool, or a member of one.
struct Argument {
  std::string name;  // "path"; of a member "filter.path".
  const Json* schema = nullptr;
  bool required = false;
  int depth = 1;

  std::string_view last() const;         // Of the name: "path".
  std::string_view description() const;  // Empty: none.
};

struct OfferedTool {
  const Json* item = nullptr;
  std::string name;
  std::string description;
  std::vector<std::string> words;  // Of the name, in small letters.
  std::vector<Argument> arguments;
  std::int64_t tokens = 0;

  // hint returns an annotation such as "readOnlyHint"; nothing where the tool says nothing.
  std::optional<bool> hint(std::string_view key) const;
  const Json* schema() const { return find(*item, "inputSchema"); }
};

// Text is something that a model gets to read.
struct Text {
  enum class Kind { kDescription, kName, kArgument, kValue, kInstructions, kAnswer };

  std::string item;  // The tool, prompt or resource; empty: the server.
  std::string at;    // A pointer within it: "/inputSchema/properties/path/description".
  Kind kind = Kind::kDescription;
  std::string text;
};

struct Reading {
  // `read` must outlive the reading.
  explicit Reading(const ServerOffer& read);

  const OfferedTool* tool(std::string_view name) const;

  const ServerOffer& offer;
  std::vector<OfferedTool> tools;
  std::vector<Text> texts;
  std::int64_t instructions_tokens = 0;
  std::int64_t tokens = 0;  // Of all tools and the instructions.
};

// shown_place returns a pointer as people read it: "argument path", "description".
std::string shown_place(const Text& text);

}  // namespace plumbline::conformance
