// The words of a command line as a person is shown them: as a shell takes them, and with each
// secret in them as the variable that is to hold it: env API_TOKEN="$API_TOKEN" node server.js.
//
// A secret is known by its name and its place, not by what it looks like: so one of a single byte
// is hidden as well.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plumbline::cli {

// Part is a piece of a word: text as it stands, or a secret.
struct Part {
  std::string text;
  std::string variable;  // That a secret is shown as, without "$"; empty: it is none.
};

// parts_of takes words apart. Secrets are the values in NAME=VALUE, --option=VALUE, --option VALUE
// and "Header: VALUE" where the name says so, who stands before the host of a URL, and parameters
// of its query; all of these also inside of a word that is a script of a shell.
std::vector<std::vector<Part>> parts_of(const std::vector<std::string>& words);

// quoted returns `word` as a shell takes it for one word.
std::string quoted(const std::string& word);

// shown_words returns `words` as one line for a shell, secrets as their variables. Two secrets
// never share a variable.
std::string shown_words(const std::vector<std::string>& words);

// words_in takes a line of shown_words apart again: a secret stays its variable, "$API_TOKEN".
std::vector<std::string> words_in(std::string_view shown);

}  // namespace plumbline::cli
