// A text that whoever wrote a schema would take for one of those that are meant.

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace plumbline::schema {

// text_example returns the example that `description` gives ("e.g. EUR", "such as `main`"), else
// what a parameter called `name` usually is: a date, a language. Nothing: neither tells.
std::optional<std::string> text_example(std::string_view name, std::string_view description);

}  // namespace plumbline::schema
