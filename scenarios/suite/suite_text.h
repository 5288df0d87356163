// The text of a test file that nobody has written.

#pragma once

#include <string>
#include <vector>

#include "scenarios/suite/draft.h"
#include "scenarios/suite/suite.h"

namespace plumbline::suite {

struct SuiteHead {
  std::vector<SuiteServer> servers;
  std::string fixture{};
  bool in_order = false;
  bool writes = true;
  std::vector<std::string> masks{};
};

// suite_text returns the file: each test on few lines, its members in the order in which one reads
// them. read_suite reads it.
std::string suite_text(const SuiteHead& head, const std::vector<Draft>& drafts);

}  // namespace plumbline::suite
