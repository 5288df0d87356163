// Offer collects what a server is going to offer: each thing's description and who answers for it.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/loop.h"
#include "core/mcp/server/server.h"
#include "reference/argument_check.h"

namespace plumbline::reference {

class Offer {
 public:
  struct Answerer {
    std::string method;
    std::string target;
    mcp::ServerHandler handler;
  };

  // `loop` and `check` must outlive the server.
  Offer(Loop& loop, ArgumentCheck& check) : loop_(loop), check_(check) {}

  // The functions take a description as the lists of MCP show it and the handler of what it names.
  void tool(Json description, mcp::ServerHandler handler) {
    answer("tools/call", string_or(description, "name", ""), std::move(handler));
    options.tools.push_back(std::move(description));
  }
  void prompt(Json description, mcp::ServerHandler handler) {
    answer("prompts/get", string_or(description, "name", ""), std::move(handler));
    options.prompts.push_back(std::move(description));
  }
  void resource(Json description, mcp::ServerHandler handler) {
    answer("resources/read", string_or(description, "uri", ""), std::move(handler));
    options.resources.push_back(std::move(description));
  }
  void answer(std::string method, std::string target, mcp::ServerHandler handler) {
    answerers.push_back({std::move(method), std::move(target), std::move(handler)});
  }

  Loop& loop() const { return loop_; }
  ArgumentCheck& check() const { return check_; }

  mcp::ServerOptions options;
  std::vector<Answerer> answerers;

 private:
  Loop& loop_;
  ArgumentCheck& check_;
};

// The fixtures, by area. Names, texts and behaviour are those that the official conformance suite
// asks for: https://github.com/modelcontextprotocol/conformance
void add_content_tools(Offer& offer);  // Each kind of content, errors, schemas, headers.
void add_running_tools(Offer& offer);  // Progress, log messages, a stream that is resumed.
void add_asking_tools(Offer& offer);   // Sampling, elicitation and roots, in every revision.
void add_input_tools(Offer& offer);    // Input-required results and their state.
void add_task_tools(Offer& offer);     // Calls that may become tasks.
void add_prompts(Offer& offer);
void add_resources(Offer& offer);  // Reading test://watched-resource aside.

}  // namespace plumbline::reference
