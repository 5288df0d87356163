// ServerOffer is what a server puts before a language model: its tools, prompts and resources, what
// it says of itself, and the answers of it that were seen.

#pragma once

#include <string>
#include <vector>

#include "conformance/checks/server/survey.h"
#include "core/base/result.h"
#include "core/json/json.h"

namespace plumbline::conformance {

// SeenAnswer is a call of a tool and what came of it.
struct SeenAnswer {
  std::string tool;
  Json arguments;
  Json answer;  // The whole response.
};

struct ServerOffer {
  std::string name;  // Of the server, as it says.
  std::string version;
  std::string revision;
  std::string instructions;
  std::vector<Json> tools;
  std::vector<Json> prompts;
  std::vector<Json> resources;
  std::vector<Json> templates;
  std::vector<SeenAnswer> answers;

  // take_opening takes in what initialize or server/discover was answered with.
  void take_opening(const Json& result);

  // take_lists takes in every list that `result` has, below the names that MCP gives them. Returns
  // whether there was one.
  bool take_lists(const Json& result);
};

ServerOffer offer_of(const Survey& survey);

// read_offer reads a document that somebody has saved: the result of tools/list, the response it
// came in, a bare list of tools, or an object with several lists, "instructions" and "serverInfo".
// kInvalidInput: it is none of these.
Result<ServerOffer> read_offer(const Json& document);

}  // namespace plumbline::conformance
