// Findings collects what is wrong with a value and says it to people.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/schema/program.h"
#include "core/schema/violation.h"
#include "core/schema/walk.h"

namespace plumbline::schema {

// Finding is a Violation in the making: it can still be sorted, and be part of a larger one.
struct Finding {
  // Step is one of the way into the value, which must outlive it.
  struct Step {
    const std::string* key = nullptr;  // Null: an item.
    std::size_t index = 0;
  };
  std::size_t number = 0;  // In the order of evaluation.
  std::vector<Step> path;
  std::string schema_pointer;
  std::string is;        // What is there: "\"status\" is 3".
  std::string expected;  // "a string". May be empty.

  std::string message() const { return expected.empty() ? is : is + ", expected " + expected; }
};

class Findings {
 public:
  explicit Findings(std::size_t findings_max) : findings_max_(findings_max) {}

  bool full() const { return list_.size() >= findings_max_; }
  const std::vector<Finding>& list() const { return list_; }

  // add explains that `keyword` of `node` refuses `at`; an empty keyword is the schema `false`.
  // `detail` is what only the evaluator knows, by keyword. No-op when full().
  void add(const Node& node, std::string_view keyword, const At& at, const std::string& detail);

  // violations returns the findings in document order and forgets them.
  std::vector<Violation> violations();

 private:
  std::size_t findings_max_;
  std::vector<Finding> list_;
};

}  // namespace plumbline::schema
