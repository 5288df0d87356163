// What words of a command line mean that say a secret without naming it.

#pragma once

#include <string_view>

namespace plumbline {

// ProgramOption is what an option of a letter takes.
enum class ProgramOption {
  kNone,      // No secret.
  kSecret,    // sshpass -p X, sshpass -pX
  kAttached,  // mysql -pX; alone it asks.
  kUser,      // http -a user:X
};

// program_option returns what the option of this letter takes for the last program near the end of
// `line` that has one: kSecret for "sshpass" and 'p'.
ProgramOption program_option(std::string_view line, char letter);

// is_user_and_password returns whether `value` is user:password, or user%password as Samba
// writes it; not a group as in 1000:1000, and no URL.
bool is_user_and_password(std::string_view value);

}  // namespace plumbline
