// A suite is a file of tests of somebody's own tools (docs/test.md): which servers, what is asked
// of them, and what the answers have to be.

#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "core/json/json.h"
#include "core/json/position.h"
#include "core/match/masks.h"

namespace plumbline::suite {

enum class Verb { kCall, kRead, kPrompt, kComplete, kList, kSend };

// name_of returns the verb as a file has it: "call".
std::string_view name_of(Verb verb);

// Answers are what the client of a test answers, by the method that the server asks with: a result,
// or {"error": {...}}.
using Answers = std::map<std::string, Json>;

// Step is one thing that is asked, and what has to come of it.
struct Step {
  Verb verb = Verb::kCall;
  std::string what;  // The tool, URI, prompt, list or method; of kComplete empty.
  Json with;         // Arguments, or params. Null: none.
  Json expect;       // An object. Null: it has to succeed.
  std::map<std::string, std::string> keep;  // Pointers into the result, by the name they get.
  Answers answers;
  std::string as;         // The user who asks; empty: whom the server's own headers name.
  std::size_t times = 1;  // For a budget in milliseconds: the median counts.
  std::string pointer;    // Where in the file.

  // told returns "call list_directory".
  std::string told() const;
};

struct Test {
  std::string name;
  std::vector<Step> steps;      // At least one; the others are "then".
  std::vector<std::string> on;  // Servers; empty: those of the file.
  std::string since;            // Revisions; empty: all.
  std::string until;
  bool fresh = false;    // It gets a process of its own.
  bool promises = true;  // Results have to be what outputSchema says.
  match::Masks masks;    // Beside those of the file.
};

// SuiteServer is a server as the file names it. Words may hold {folder}, {port} and {env:NAME}.
struct SuiteServer {
  std::string name;
  std::vector<std::string> command;  // Of a server over stdio, with its arguments.
  std::map<std::string, std::string> env;
  std::string cwd;
  std::string url;    // Of the others.
  std::string start;  // Starts it, by a shell; empty: it runs.
  std::map<std::string, std::string> headers;
};

// SuiteUser is somebody whom a server tells from others by headers.
struct SuiteUser {
  std::string name;
  std::map<std::string, std::string> headers;  // Values may hold {env:NAME}.
};

struct Suite {
  std::string file;  // As it was named.
  std::string name;  // "files" of "tests/files.mcptest.json".
  std::vector<SuiteServer> servers;
  std::vector<std::string> on;  // Every test runs against each; empty: all servers.
  std::vector<SuiteUser> users;
  std::string seed;       // Given to processes that are started; empty: none.
  std::string clock;      // Likewise: "2026-01-01T00:00:00Z".
  std::string fixture;    // A folder that {folder} is a copy of; empty: it is empty.
  bool in_order = false;  // No two tests at a time.
  bool writes = true;     // Tools may be called that do not say they only read.
  match::Masks masks;
  Answers answers;
  Duration timeout{};  // Of one request. 0: as the command line says.
  std::vector<Step> before;
  std::vector<Step> after;
  std::vector<Test> tests;
  std::string text;  // Of the file.

  // place_of returns where in the file a test stands: "files.mcptest.json:12:5". It reads the text
  // anew: for what is told of a test that fails.
  std::string place_of(const Test& test) const;

  // snapshots_file returns where its snapshots are.
  std::string snapshots_file() const;
};

// place_in returns "FILE:LINE:COLUMN".
std::string place_in(const std::string& file, Position at);

inline constexpr std::string_view kSuiteEnding = ".mcptest.json";

}  // namespace plumbline::suite
