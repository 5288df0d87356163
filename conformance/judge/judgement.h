// What a judge is asked for, and what it answers.

#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/catalogue/sdks.h"
#include "conformance/catalogue/selection.h"
#include "conformance/checks/server/probe.h"
#include "conformance/judge/rows.h"
#include "conformance/peer/effort.h"
#include "core/base/result.h"
#include "core/events/report.h"

namespace plumbline::conformance {

// JudgeProgress is how far a judgement has come.
struct JudgeProgress {
  std::size_t done = 0;    // Checks.
  std::size_t all = 0;     // That there are.
  std::string_view doing;  // The id of the one that was begun last.
};

struct JudgeOptions {
  // "auto": every revision the server answers to, the newest of each era in full, of the others
  // what only they say; "all": every one in full; one of them; or "2025-06-18..", every one from
  // there on in full. See is_asked().
  std::string revision = "auto";
  Selection selection;
  int concurrency = 32;      // Checks at a time.
  int starts_ahead = 2;      // Processes of a server that are started while its first one is.
  bool one_process = false;  // It is started once, because of two of its processes one ends.
  ProbeOptions probe;
  Reproduce reproduce;
  // tell gets one line when something begins or ends; may be empty.
  std::function<void(const std::string& line)> tell;
  // progress is called when a check of a server begins and when it ends; may be empty.
  std::function<void(const JudgeProgress& progress)> progress;
};

// Judgement is what came out.
struct Judgement {
  std::vector<CheckResult> results;
  std::vector<std::string> revisions;  // The subject answered to, oldest first.
  std::size_t tools_uncalled = 0;      // Of the newest revision: they may change something.
  int starts = 0;                      // How often its command was started.
  Effort effort;                       // What it was asked, and where the time went.
  std::string gone;                    // When the subject ended in the middle; empty: it did not.
  Error unreachable;                // Why no verdict was possible at all; wordless: there are some.
  std::string name;                 // That a server gives itself; empty: it gives none.
  std::string version;              // Likewise.
  std::string last_words;           // Of the stderr of one that could not be judged.
  const Sdk* built_with = nullptr;  // Of a server; null: nothing was recognised.
  std::vector<std::string> signs;   // By which it was, in words.
};

}  // namespace plumbline::conformance
