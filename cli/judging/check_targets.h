// What `check server` judges, made of the command line or of a configuration file.

#pragma once

#include <string>
#include <vector>

#include "cli/host.h"
#include "cli/options/child_environment.h"
#include "cli/options/secrets.h"
#include "conformance/peer/subject.h"
#include "core/base/time.h"

namespace plumbline::cli {

// CheckedServer is TARGET on the command line: one of its three ways is used.
struct CheckedServer {
  std::vector<std::string> words;  // TARGET as it was written: see take_target.
  std::string url;
  std::vector<std::string> headers;          // "Name: value", with the URL.
  std::vector<std::string> second_headers;   // Likewise, of another user.
  std::vector<std::string> foreign_headers;  // Likewise, of a token that is for somebody else.
  std::string ca_file;    // PEM, of authorities, with the URL; empty: the system's.
  bool insecure = false;  // Any certificate will do, at a URL on this machine.
  bool stdio = false;     // --stdio, which a command may do without.
  std::vector<std::string> command;
  ChildEnvironment environment;  // Of the command.
  std::string start;             // Starts the server at the URL, by a shell; empty: nobody does.
  Duration wait{};               // For it to listen. 0: it does, unless it has to be started.
  std::string config;            // A path.
  std::vector<std::string> servers;  // Of the configuration; empty: all.
  std::vector<std::string> inputs;   // That it asks for: "NAME=VALUE".
  std::vector<std::string> notes;    // What the words were taken for, to be told.
};

struct CheckTarget {
  std::string name;        // Of the configuration; empty without one.
  std::string shown;       // The target as words of a command line, secrets as variables.
  Duration wait{};         // For it to listen at its URL. 0: it does.
  bool finds_out = false;  // An http URL: Streamable HTTP, or the older HTTP+SSE.
  conformance::SubjectSpec subject;
};

struct CheckTargets {
  std::vector<CheckTarget> targets;  // At least one.
  Secrets secrets;                   // Of the command line or the file.
};

// shell_command returns what has the shell run `text`, with the whole environment.
net::Command shell_command(const std::string& text);

// add_complaint adds to what was complained of that the server called `name` (empty: the only one)
// could not be asked, and why.
void add_complaint(Error& complaint, const std::string& name, const Error& why);

// read_targets returns what to judge, and lets `host` show no secret of it nor of the environment.
// kInvalidInput: a header, a URL or the file is wrong.
Result<CheckTargets> read_targets(const CheckedServer& asked, Host& host);

}  // namespace plumbline::cli
