// What a POSIX shell makes of a line of quoted words, read by itself: for what stands at the other
// end of a connection, and for judges.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::fakes {

// shell_words returns the words of `line` where it is one plain command: blanks, quotes and
// backslashes alone mean anything. Nothing: a shell would do more with it, or wait for the rest.
std::optional<std::vector<std::string>> shell_words(std::string_view line);

}  // namespace plumbline::fakes
