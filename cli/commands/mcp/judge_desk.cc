#include "cli/commands/mcp/judge_desk.h"

#include <algorithm>
#include <utility>

#include "cli/commands/explain/explain.h"
#include "cli/judging/target.h"
#include "core/base/errors/errors.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/base/words/joined_by.h"
#include "core/os/files/path_names.h"
#include "reports/read_report.h"
#include "reports/text.h"

namespace plumbline::cli {

namespace {

constexpr std::int64_t kFuzzSecondsUsual = 10;
constexpr std::size_t kSaidColumns = 1'500;
constexpr std::size_t kNameShown = 120;  // Bytes of a path that a caller gave.

// lint_beside returns the grades of a report of lint, and what a caller gains by which change.
Json lint_beside(const Report& report) {
  Json beside(Json::value_t::object);
  const Json* const lints = find(report.target, "lint");
  if (lints == nullptr || !lints->is_array() || lints->empty()) return beside;
  const Json& lint = lints->front();
  beside["grade"] = string_or(lint, "grade", "");
  beside["tokens"] = int_or(lint, "tokens", 0);
  if (const Json* const gains = find(lint, "gains"); gains != nullptr && gains->is_array()) {
    Json& said = beside["said"]["gains"] = Json::array();
    for (const Json& gain : *gains) {
      const std::string text = string_or(gain, "part", "") + ", " + string_or(gain, "from", "") +
                               " to " + string_or(gain, "to", "") + ": " +
                               string_or(gain, "what", "");
      said.push_back(said_text(text, 200));
    }
  }
  return beside;
}

// first_line returns the complaint of the program, without its name and the id.
std::string complaint_in(const std::string& err) {
  constexpr std::string_view kName = "plumbline: ";
  const std::size_t at = err.rfind(kName);
  if (at == err.npos) return err;
  return err.substr(at + kName.size());
}

}  // namespace

Result<std::string> digest_of(const std::string& path, Host& host) {
  const Result<std::string> text = host.files().read_file(path);
  if (!text.ok()) return text.error();
  Sha256 digest;
  digest.update(text.value());
  return digest.finish_hex();
}

Task<Result<Json>> JudgeDesk::call(std::string tool, Json arguments, OwnRuns::Tell tell) {
  if (tool == "explain" || tool == "result") co_return look_up(tool, arguments);
  if (!settings_.has_target()) {
    co_return the_error("mcp.no-target");
  }
  const Status same = check_config();
  if (!same.ok()) co_return same.error();
  Result<Words> words = words_for(tool, arguments);
  if (!words.ok()) co_return std::move(words).error();
  Result<OwnRun> run = co_await runs_.run(std::move(words).value(), std::move(tell));
  if (!run.ok()) co_return std::move(run).error();
  co_return tool == "write_tests" ? written(arguments, run.value()) : judged(tool, run.value());
}

Result<Json> JudgeDesk::look_up(const std::string& tool, const Json& arguments) const {
  const std::string id = string_or(arguments, "id", "");
  if (tool == "explain") {
    const Result<std::string> text = explanation_of(id);
    if (!text.ok()) return text.error();
    return Json{{"text", text.value()}};
  }
  const std::string cursor = string_or(arguments, "cursor", "");
  const std::string run = string_or(arguments, "run", "");
  if (!id.empty()) return kept_.finding(run, id);
  return cursor.empty() ? kept_.first_page(run) : kept_.page(cursor);
}

// check_config refuses a configuration that is another one than the person has seen: it names the
// commands that are started.
Status JudgeDesk::check_config() const {
  if (settings_.target.config.empty()) return Done{};
  const Result<std::string> digest = digest_of(settings_.target.config, host_);
  if (!digest.ok()) return digest.error();
  if (digest.value() == settings_.config_digest) return Done{};
  return the_error("mcp.config-changed", settings_.target.config);
}

Result<JudgeDesk::Words> JudgeDesk::words_for(const std::string& tool, const Json& arguments) {
  Words words;
  const auto add = [&](const char* option, const char* name) {
    const std::string value = string_or(arguments, name, "");
    if (!value.empty()) words.push_back(std::string(option) + "=" + value);
  };
  if (tool == "test") return test_words(arguments);
  if (tool == "write_tests") return written_words(arguments);
  if (tool == "check") {
    words = {"check", "server", "--progress=always"};
    add("--revision", "revision");
    add("--level", "level");
    Words ids;
    if (const Json* const only = find(arguments, "only")) {
      for (const Json& id : *only) ids.push_back(id.get<std::string>());
    }
    if (!ids.empty()) words.push_back("--only=" + joined_by(",", ids));
  } else if (tool == "lint") {
    words = {"lint"};
    add("--host", "host");
  } else if (tool == "diff") {
    const std::string recording = string_or(arguments, "recording", "");
    const Result<std::string> file = inside(recording, recording);
    if (!file.ok()) return file.error();
    words = {"replay", file.value(), "--diff"};
  } else {
    words = {"fuzz", "server", "--out=" + settings_.root + "/plumbline-fuzz",
             "--seconds=" + std::to_string(int_or(arguments, "seconds", kFuzzSecondsUsual)),
             "--seed=" + std::to_string(int_or(arguments, "seed", 1))};
  }
  words.emplace_back("--report=json=-");
  if (!settings_.baseline.empty()) words.push_back("--baseline=" + settings_.baseline);
  if (settings_.allow_writes && (tool == "check" || tool == "fuzz")) {
    words.emplace_back("--allow-writes");
  }
  return with_target(std::move(words), arguments);
}

Result<JudgeDesk::Words> JudgeDesk::test_words(const Json& arguments) {
  const std::string asked = string_or(arguments, "path", ".");
  const Result<std::string> path = inside(asked, asked);
  if (!path.ok()) return path.error();
  Words words = {"test", path.value(), "--report=json=-"};
  const std::string only = string_or(arguments, "only", "");
  if (!only.empty()) words.push_back("--only=" + only);
  return with_target(std::move(words), arguments);
}

Result<JudgeDesk::Words> JudgeDesk::written_words(const Json& arguments) {
  const Result<std::string> path = fresh(string_or(arguments, "path", ""));
  if (!path.ok()) return path.error();
  Words words = {"test", "--new=" + path.value()};
  if (settings_.allow_writes) words.emplace_back("--allow-writes");
  return with_target(std::move(words), arguments);
}

JudgeDesk::Words JudgeDesk::with_target(Words words, const Json& arguments) const {
  CheckedServer target = settings_.target;
  const std::string server = string_or(arguments, "server", "");
  if (!server.empty()) target.servers = {server};
  const Words named = words_of(target);
  words.insert(words.end(), named.begin(), named.end());
  return words;
}

Result<std::string> JudgeDesk::inside(const std::string& path, const std::string& asked) {
  const std::string whole = os::is_absolute_path(path) ? path : settings_.root + "/" + path;
  Result<std::string> real = paths_.real_path(whole);
  const std::string shown = clipped(asked, kNameShown);
  if (!real.ok()) return the_error("mcp.not-below", shown, settings_.root);
  const std::string& found = real.value();
  const std::string above = settings_.root == "/" ? settings_.root : settings_.root + "/";
  if (found == settings_.root || found.starts_with(above)) return real;
  return the_error("mcp.outside", shown, settings_.root);
}

Result<std::string> JudgeDesk::fresh(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string name = path.substr(slash + 1);
  if (!name.ends_with(".mcptest.json")) {
    return the_error("mcp.test-file-name", clipped(path, kNameShown));
  }
  const Result<std::string> folder =
      inside(slash == path.npos ? "." : path.substr(0, slash + 1), path);
  if (!folder.ok()) return folder.error();
  std::string whole = folder.value() + "/" + name;
  if (paths_.real_path(whole).ok()) {
    return the_error("mcp.test-file-there", clipped(path, kNameShown));
  }
  return whole;
}

Result<Json> JudgeDesk::judged(const std::string& tool, const OwnRun& run) {
  if (run.too_long) return the_error("mcp.report-too-long");
  Result<Report> report = reports::read_report(run.out);
  if (!report.ok() || report.value().results.empty()) return failure_of(run);
  ReportItems items = items_of(report.value());
  if (run.stopped) items.summary += "; stopped before its end, since it took too long";
  Json beside = tool == "lint" ? lint_beside(report.value()) : Json::object();
  if (run.status == kExitUnreachable) {
    items.verdict = "inconclusive";
    beside["said"]["complaint"] = said_text(complaint_in(run.err), kSaidColumns);
  }
  return kept_.add(tool, std::move(items), std::move(beside));
}

Result<Json> JudgeDesk::written(const Json& arguments, const OwnRun& run) const {
  if (run.status != kExitOk) return failure_of(run);
  const std::string path = string_or(arguments, "path", "");
  return Json{{"path", path},
              {"next",
               "read the file, correct what is expected where it is wrong, then call test "
               "with its path"}};
}

// failure_of says why a run has no report. The words of the server are apart.
Error JudgeDesk::failure_of(const OwnRun& run) const {
  const std::string complaint = said_text(complaint_in(run.err), kSaidColumns);
  if (run.status == kExitUsage) return Error{ErrorCode::kDisconnected, complaint};
  const std::string why = run.stopped ? "it took too long, and had no result"
                                      : "the server could not be judged: it did not start, or "
                                        "ended before a verdict was possible";
  return the_error_as(ErrorCode::kDisconnected, "mcp.not-judged", why, complaint);
}

}  // namespace plumbline::cli
