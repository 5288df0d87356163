// References finds the nodes that "$ref" and "$dynamicRef" lead to.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "core/schema/compile/first_error.h"
#include "core/schema/compile/keyword_reader.h"
#include "core/schema/compile/node_table.h"
#include "core/schema/program.h"

namespace plumbline::schema {

class References {
 public:
  References(Program& program, NodeTable& nodes, FirstError& error)
      : program_(program), nodes_(nodes), error_(error) {}

  // target returns what "$ref" names; null after an error.
  const Node* target(const KeywordReader& read) { return follow(read, "$ref").first; }

  // read_dynamic puts what "$dynamicRef" may mean into `rules`.
  void read_dynamic(const KeywordReader& read, InPlace& rules);

  // add_dynamic_targets makes a node of every place that a "$dynamicRef" may mean. Returns whether
  // there were new ones: they may hold further references.
  bool add_dynamic_targets();

 private:
  // follow returns the target of a reference and the dynamic anchor that it was named by.
  std::pair<const Node*, std::string> follow(const KeywordReader& read, std::string_view keyword);
  DynamicTargets& targets_of(const std::string& anchor);
  bool add_targets(const std::string& anchor, DynamicTargets& targets);

  Program& program_;
  NodeTable& nodes_;
  FirstError& error_;
  std::size_t dynamic_pairs_ = 0;
};

}  // namespace plumbline::schema
