// Filters are the words by which a request narrows a list: "open", "high-priority". A list that
// cannot be narrowed by them would bring everything.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/connector/capability.h"

namespace plumbline::agents {

// Filter is one such word, and what it is a value of: "open" is a "status".
struct Filter {
  std::string_view word;
  std::string_view field;
};

// is_filter returns whether a folded word is one.
bool is_filter(std::string_view word);

// filters_of returns the filters in a request. The "open" of "Open the tickets" is none.
std::vector<Filter> filters_of(std::string_view request);

// field_of returns which field a word of a property's name stands for: "status" for "state".
// Empty when it stands for none.
std::string_view field_of(std::string_view word);

// is_list returns whether a tool returns many things at once: "list_...", "search_...".
bool is_list(const connector::Capability& capability);

// schema_words returns the folded words of the property names of an input schema, and of the values
// that it or their descriptions list.
// told_words returns the folded words of what a tool's properties are described by.
std::vector<std::string> told_words(const connector::Capability& capability);

std::vector<std::string> schema_words(const connector::Capability& capability);

}  // namespace plumbline::agents
