// What the policy knows of sensitive data: words, pairs of words, folders and files.
// docs/sensitive.md lists them.

#pragma once

#include <span>
#include <string_view>

namespace plumbline::agents {

// Where a word counts: in a name, a description, a request. Bits.
inline constexpr unsigned kInName = 1;
inline constexpr unsigned kInDescription = 2;
inline constexpr unsigned kInRequest = 4;

// sensitive_word returns where `word` counts, in lower case and in the singular but for plurals
// that do not just end in s; 0: nowhere.
unsigned sensitive_word(std::string_view word);

// is_sensitive_pair returns whether two words that follow one another say it together. A
// description says "needs an API key" of what it wants, so they count in names and requests alone.
bool is_sensitive_pair(std::string_view first, std::string_view second);

// Files and folders that usually hold secrets, by the end of a path or by a folder on its way. In
// lower case; * stands for anything within a name.
std::span<const std::string_view> secret_folders();
std::span<const std::string_view> secret_files();

}  // namespace plumbline::agents
