// What `check server` judges, made of the command line or of a configuration file.

#pragma once

#include <string>
#include <vector>

#include "cli/check_options.h"
#include "cli/host.h"
#include "conformance/subjects/subject.h"
#include "core/json/redactor.h"

namespace plumbline::cli {

struct CheckTarget {
  std::string name;        // Of the configuration; empty without one.
  std::string shown;       // The target as words of a command line, secrets left out.
  bool finds_out = false;  // An http URL: Streamable HTTP, or the older HTTP+SSE.
  conformance::SubjectSpec subject;
};

struct CheckTargets {
  std::vector<CheckTarget> targets;  // At least one.
  Redactor redactor;                 // Hides what the command line or the file holds of secrets.
};

// read_targets returns what to judge. kInvalidInput: a header, a URL or the file is wrong.
Result<CheckTargets> read_targets(const CheckedServer& asked, Host& host);

// quoted returns `word` as a shell takes it for one word.
std::string quoted(const std::string& word);

}  // namespace plumbline::cli
