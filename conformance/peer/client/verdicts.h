// Verdicts gathers what a run says about each id.

#pragma once

#include <map>
#include <string>
#include <string_view>

#include "conformance/catalogue/finding.h"
#include "conformance/peer/client/record.h"

namespace plumbline::conformance {

// rank says how much a verdict counts beside others of the same id: what is broken counts more than
// what is risky, that more than what holds, that more than what could not be told.
int rank(Verdict verdict);

// Verdicts keeps what counts most of what is said of each id.
class Verdicts {
 public:
  void say(std::string_view id, Finding finding);

  // about gives a Finding without evidence the one of its run.
  void about(const Record* record) { record_ = record; }

  const std::map<std::string, Finding, std::less<>>& all() const { return findings_; }

 private:
  const Record* record_ = nullptr;
  std::map<std::string, Finding, std::less<>> findings_;
};

}  // namespace plumbline::conformance
