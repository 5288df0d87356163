// The tables of docs/kill-matrix*.md: what the wrong peers come to, check by check. With
// PLUMBLINE_UPDATE_DOCS set, the tests write the files instead of comparing them.

#pragma once

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/catalogue/records.h"
#include "core/base/wildcard.h"
#include "core/events/report.h"

namespace plumbline::conformance {

// expect_reason complains where `row`, which catches the peer that is wrong in the way `what`, says
// something else of it than the record of the rule: then the peer is caught, but not for that.
inline void expect_reason(const CheckResult& row, std::string_view what) {
  std::string message = row.message;
  std::ranges::replace(message, '\n', ' ');
  std::string named;
  for (const WrongPeer& peer : records().wrong_peers) {
    if (peer.id != row.id || peer.what != what) continue;
    if (fits(peer.reason, message)) return;
    named += "\n  wrong      " + std::string(what) + " => " + std::string(peer.reason);
  }
  ADD_FAILURE() << "the record of " << row.id << " has "
                << (named.empty() ? "no line" : "another reason") << " for this peer:" << named
                << "\nif this one is right, it has to have the line"
                << "\n  wrong      " << what << " => " << message;
}

// expect_told_once complains where a person reads of several failures in one revision for the one
// mistake `what`: all but one have to follow from another.
inline void expect_told_once(const std::vector<CheckResult>& rows, std::string_view what) {
  std::map<std::string, std::set<std::string>> told;
  for (const CheckResult& row : rows) {
    if (row.verdict == Verdict::kFail && row.because.empty()) told[row.revision].insert(row.id);
  }
  for (const auto& [revision, ids] : told) {
    EXPECT_LE(ids.size(), 1U) << "one mistake is told as several in " << revision
                              << ", of a peer that " << what << ": " << testing::PrintToString(ids)
                              << "\nhave the record of one of them name the other as its cause";
  }
}

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
