// Secrets are what no output of the program may show: not as it stands, not escaped for JSON or for
// a URL, not in base64, and not the beginning or the end of it where a text was cut, which "..."
// tells.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/shown_words.h"
#include "core/events/report.h"
#include "core/json/json.h"
#include "core/json/redactor.h"

namespace plumbline::cli {

class Secrets {
 public:
  // add takes one secret. One of less than 4 bytes, a number of less than 8 digits, or an ordinary
  // word ("true", "token") is not looked for: it would blank out what has nothing to do with it.
  void add(const std::string& value);

  // add_words takes the secrets of a command line, as parts_of finds them: of an Authorization the
  // token by itself as well, of user:password the password.
  void add_words(const std::vector<std::string>& words);

  // add_variables takes the values of those whose names say so.
  void add_variables(const std::map<std::string, std::string>& variables);

  void add_all(const Secrets& others);

  // redactor returns what hides them in what goes through a run.
  const Redactor& redactor() const { return redactor_; }

  // redact hides them in what is about to be shown; in JSON and in reports the keys of objects too.
  std::string redact(std::string text) const;
  void redact(Json& value) const;
  void redact(Report& report) const;

 private:
  std::string without_cut(const std::string& text) const;
  void add_parts(const Part& part, const std::string& value);
  void redact_keys_and_ends(Json& value) const;

  std::vector<std::string> values_;  // Each as it stands.
  std::vector<std::string> forms_;   // And as it may be written.
  Redactor redactor_;
};

}  // namespace plumbline::cli
