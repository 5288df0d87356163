// NodeTable makes one Node of each place in a schema, and says which are still to be compiled:
// neither deep nesting nor long chains of references use the stack of who compiles them.

#pragma once

#include <map>
#include <vector>

#include "core/json/json.h"
#include "core/schema/compile/first_error.h"
#include "core/schema/program.h"

namespace plumbline::schema {

class NodeTable {
 public:
  NodeTable(Program& program, FirstError& error) : program_(program), error_(error) {}

  const Node* node_for(const Place& place);

  // child returns the node of a schema below `node`.
  const Node* child(const Node& node, const Json& schema, const Location& location);

  // take_pending returns a node that was not compiled, null when there is none.
  Node* take_pending();

 private:
  Program& program_;
  FirstError& error_;
  std::map<const Json*, Node*> nodes_;  // Looked up, never iterated.
  std::vector<Node*> pending_;
};

}  // namespace plumbline::schema
