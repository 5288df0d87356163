#include "cli/attested.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/options/shown_words.h"
#include "cli/options/version.h"
#include "conformance/catalogue/requirement.h"
#include "core/base/sha256.h"
#include "core/os/child/environment.h"
#include "reports/beside.h"

namespace plumbline::cli {

namespace {

std::string sha256_of(std::string_view text) {
  Sha256 hash;
  hash.update(text);
  return hash.finish_hex();
}

Json program_by(Paths& paths) {
  Json by = {{"name", "plumbline"}, {"version", kVersion}};
  const Result<OpenProgram> program = paths.open_program(os::program_path());
  if (program.ok()) by["sha256"] = program.value().digest;
  return by;
}

// rules_of takes in what every rule says, so that two programs with the same digest ask the same.
Json rules_of() {
  Sha256 hash;
  for (const conformance::Requirement& rule : conformance::requirements()) {
    for (const std::string_view part : {rule.id, rule.level, rule.role, rule.transport, rule.since,
                                        rule.until, rule.summary, rule.page}) {
      hash.update(part);
      hash.update("\x1f");
    }
    hash.update(rule.observable ? "1\n" : "0\n");
  }
  return {{"count", conformance::requirements().size()}, {"sha256", hash.finish_hex()}};
}

// package_of returns the npm package that the file at `path` lies in, as a package URL; empty:
// none.
std::string package_of(Paths& paths, const std::string& path) {
  const Result<std::string> real = paths.real_path(path);
  std::string folder = real.ok() ? real.value() : path;
  for (std::size_t slash; (slash = folder.rfind('/')) != std::string::npos;) {
    folder.resize(slash);
    const Result<std::string> manifest = paths.text_of(folder + "/package.json");
    const Result<Json> json = manifest.ok() ? parse_json(manifest.value()) : manifest.error();
    if (!json.ok()) continue;
    const std::string name = string_or(json.value(), "name", "");
    const std::string version = string_or(json.value(), "version", "");
    if (!name.empty() && !version.empty()) return "pkg:npm/" + name + "@" + version;
  }
  return "";
}

// file_in returns the first word behind the program that is a file, the one that an interpreter
// runs, or the program itself; empty: no word is a file.
std::string file_in(Paths& paths, const std::vector<std::string>& words) {
  const auto is_file = [&paths](const std::string& word) {
    return !word.starts_with('-') && paths.text_of(word).ok();
  };
  if (words.empty()) return "";
  const auto found = std::find_if(words.begin() + 1, words.end(), is_file);
  if (found != words.end()) return *found;
  return is_file(words.front()) ? words.front() : "";
}

// subject_of returns what a command line names; `itself` is what that says that it is.
Json subject_of(Paths& paths, const std::string& line, const Json& itself) {
  const std::vector<std::string> words = words_in(line);
  const auto url = std::ranges::find_if(
      words, [](const std::string& word) { return word.find("://") != std::string::npos; });
  const std::string file = url == words.end() ? file_in(paths, words) : "";
  if (file.empty()) {
    return {{"name", url == words.end() ? line : *url},
            {"sha256", sha256_of(dump_json(itself))},
            {"digest_of", "what it says of itself"}};
  }
  Json subject = {{"name", file},
                  {"sha256", sha256_of(paths.text_of(file).value())},
                  {"digest_of", "the file that was started"}};
  const std::string package = package_of(paths, file);
  if (!package.empty()) subject["package"] = package;
  return subject;
}

// itself_of returns what the one called `server` says that it is; null: nothing.
Json itself_of(const Report& report, const std::string& server) {
  const Json* const judged = find(report.target, reports::kJudged);
  if (judged == nullptr || !judged->is_array()) return nullptr;
  const auto found = std::ranges::find_if(
      *judged, [&server](const Json& one) { return string_or(one, "server", "") == server; });
  return found == judged->end() ? Json() : *found;
}

}  // namespace

Json attested(Paths& paths, const Report& report) {
  Json subjects = Json::array();
  const Json* const servers = find(report.target, "servers");
  if (servers != nullptr && servers->is_array()) {
    for (const Json& server : *servers) {
      subjects.push_back(subject_of(paths, string_or(server, "target", ""),
                                    itself_of(report, string_or(server, "name", ""))));
    }
  } else {
    const std::string target = string_or(report.target, "target", "");
    const std::string line = string_or(report.target, "client", target);
    subjects.push_back(subject_of(paths, line, itself_of(report, "")));
  }
  return {{"by", program_by(paths)}, {"rules", rules_of()}, {"subjects", std::move(subjects)}};
}

}  // namespace plumbline::cli
