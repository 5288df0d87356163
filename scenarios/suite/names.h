// Names stand in the texts of a suite in braces, "{folder}/a.txt": for what is known only when it
// runs, and for what an earlier answer has brought. "{{" is a brace.

#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.h"

namespace plumbline::suite {

using Names = std::map<std::string, Json>;

inline constexpr std::string_view kEnvPrefix = "env:";

// names_in_text returns those that stand in `text`, in order; names_in in all of its texts, and
// keys aside. A pattern and a schema hold none.
std::vector<std::string> names_in_text(std::string_view text);
std::vector<std::string> names_in(const Json& value);

// filled_text returns `text` with the value of each name in its place; one that is not known stays
// as it stands.
std::string filled_text(std::string_view text, const Names& names);

// filled returns `value` with all of its texts so. A text that is one name and nothing else becomes
// the value itself: a number stays one.
Json filled(const Json& value, const Names& names);

// filled_expectation does so where a value that is data must not be taken for a matcher.
Json filled_expectation(const Json& value, const Names& names);

// quoted_text returns `text` so that filled_text gives it back: what looks like a name is none.
std::string quoted_text(std::string_view text);
Json quoted(const Json& value);

}  // namespace plumbline::suite
