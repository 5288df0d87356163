// The tables of docs/kill-matrix*.md: what the wrong peers come to, check by check. With
// PLUMBLINE_UPDATE_DOCS set, the tests write the files instead of comparing them.

#pragma once

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/events/report.h"

namespace plumbline::conformance {

// verdict_in returns what the rows say under `id`, the worst of them.
inline std::string verdict_in(const std::vector<CheckResult>& rows, std::string_view id) {
  std::string found = "no row";
  for (const CheckResult& row : rows) {
    const bool worse = row.verdict == Verdict::kFail || found != "warn";
    if (row.id != id || found == "fail" || !worse) continue;
    found = std::string(name_of(row.verdict));
  }
  return found;
}

inline std::string matrix_line(std::string_view id, std::string_view what,
                               std::string_view revision, std::string_view over,
                               const std::string& verdict) {
  std::ostringstream line;
  line << "| " << id << " | " << what << " | " << revision << ", " << over << " | " << verdict
       << " |\n";
  return line.str();
}

inline std::string section(const std::string& title, std::vector<std::string> lines) {
  std::ranges::sort(lines);
  std::string text = "\n## " + title + "\n\n| check | the wrong peer | judged in | verdict |\n";
  text += "|---|---|---|---|\n";
  for (const std::string& line : lines) text += line;
  return text;
}

// expect_in_docs compares `matrix`, in which no wrong peer may get away, with docs/`name`.
inline void expect_in_docs(const std::string& name, const std::string& matrix) {
  const std::string path = SOURCE_ROOT "/docs/" + name;
  if (std::getenv("PLUMBLINE_UPDATE_DOCS") != nullptr) {
    std::ofstream(path, std::ios::binary) << matrix;
  }
  std::ostringstream kept;
  kept << std::ifstream(path, std::ios::binary).rdbuf();
  EXPECT_TRUE(kept.str() == matrix)
      << name << " is not what the peers come to; PLUMBLINE_UPDATE_DOCS=1 writes it";
  for (const char* const miss : {"| pass |", "| skip |", "| inconclusive |", "| no row |"}) {
    EXPECT_EQ(matrix.find(miss), std::string::npos) << "a wrong peer gets away with " << miss;
  }
}

}  // namespace plumbline::conformance
