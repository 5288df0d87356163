// The options that every judging command takes: how they are declared, and read from text.

#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/time.h"

namespace CLI {
class App;
}

namespace plumbline::cli {

enum class When { kAuto, kAlways, kNever };

struct ReportTarget {
  std::string format;  // One that reports::find_format knows.
  std::string path;    // "-": standard output.
};

// Common is what every judging command takes.
struct Common {
  std::vector<ReportTarget> reports;
  // A path; "sdk" or empty: what every server on the SDK does is excused, which a file leaves so;
  // "none": nothing is.
  std::string baseline;
  bool update_baseline = false;
  std::string sarif_file;  // At which alerts and annotations are shown; empty: it is looked for.
  bool fail_on_newest = false;  // Failures of older revisions alone are no failure of the command.
  Duration timeout{};  // Of one wait for a live subject. 0: what the command holds for right.
  bool quiet = false;
  bool verbose = false;
  bool plain = false;    // For screen readers: plain letters, whole sentences, nothing that moves.
  bool outcome = false;  // Of `run`: what came of each scenario is shown.
  When color = When::kAuto;
  When progress = When::kAuto;

  bool excuses_sdk() const { return baseline != "none"; }
  bool has_baseline_file() const {
    return !baseline.empty() && baseline != "sdk" && baseline != "none";
  }
};

// CommonTexts is what CLI11 fills as text; read_common() makes values of it. One is enough for all
// commands of a parser, as only one of them is chosen.
struct CommonTexts {
  std::vector<std::string> reports;
  bool json = false;  // --json, which no help shows: --report json=-.
  std::string timeout;
};

// add_common declares the options of every judging command. Both references outlive `app`.
void add_common(CLI::App& app, Common& common, CommonTexts& texts);

// add_timeout declares --timeout as well, for a command that waits for a live subject.
void add_timeout(CLI::App& app, CommonTexts& texts);

// read_common reads `texts` into `common`. kInvalidInput: says which option and what was expected.
Status read_common(const CommonTexts& texts, Common& common);

// read_duration reads what stands behind `option`: "500ms", "30s" or "2m", at most a day. An empty
// text leaves `out` as it is.
Status read_duration(const std::string& option, const std::string& text, Duration& out);

}  // namespace plumbline::cli
