// Clocks: who reads one, and tests that measure time by one.

#include <algorithm>
#include <string>
#include <vector>

#include "core/tidy_bans.h"
#include "core/tidy_rules.h"

namespace plumbline::tidy {

const std::vector<std::string>& clock_words() {
  static const std::vector<std::string> kWords = {
      "system_clock",   "steady_clock", "high_resolution_clock",
      "clock_gettime",  "gettimeofday", "std::time",
      "localtime",      "gmtime",       "std::clock",
      "CLOCKS_PER_SEC", "getrusage"};
  return kWords;
}

void check_clocks(const std::string& path, const std::string& code, Findings& out) {
  // Tests of what takes at least its time: that holds on a busy machine, too.
  static const std::vector<std::string> kPatient = {
      "core/os/real_loop_test.cc", "tests/stores/postgres_test.cc", "tests/stores/sqlite_test.cc"};
  const bool real_loop = path.starts_with("core/os/") || path.starts_with("tests/");
  const bool is_test =
      path.ends_with("_test.cc") || path.ends_with("_fixture.cc") || path.ends_with("_fixture.h");
  if (!real_loop || !is_test || std::ranges::find(kPatient, path) != kPatient.end()) return;
  std::vector<std::string> words = clock_words();
  words.push_back("now() -");
  for (const std::string& word : words) {
    const std::size_t at = find_word(code, word);
    if (at == std::string::npos) continue;
    out.push_back({line_at(code, at), "'" + word +
                                          "': no test measures time, count what is done or wait "
                                          "for what has to come"});
  }
}

}  // namespace plumbline::tidy
