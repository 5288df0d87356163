// What words of a command line mean that say a secret without naming it.

#pragma once

#include <string_view>

namespace plumbline {

// program_of_option returns the program near the end of `line` for which the option of this letter
// is followed by a secret, the last of several: "sshpass" for 'p'. Empty: none.
std::string_view program_of_option(std::string_view line, char letter);

// is_user_and_password returns whether `value` is user:password; not a group as in 1000:1000, and
// no URL.
bool is_user_and_password(std::string_view value);

}  // namespace plumbline
