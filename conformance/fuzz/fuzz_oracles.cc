#include "conformance/fuzz/fuzz_oracles.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <utility>

#include "conformance/catalogue/requirement.h"
#include "conformance/oracles/oracle.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kFuzzCrash = "fuzz.crash";
constexpr std::string_view kFuzzExit = "fuzz.exit";
constexpr std::string_view kFuzzHang = "fuzz.hang";
constexpr std::string_view kFuzzServerError = "fuzz.server-error";
constexpr std::string_view kFuzzOutput = "fuzz.output";
constexpr std::string_view kFuzzPoisoned = "fuzz.poisoned";
constexpr std::string_view kFuzzTellsInsides = "fuzz.tells-insides";
constexpr std::string_view kFuzzSpecification = "fuzz.keeps-the-specification";

constexpr std::array<FuzzOracle, 9> kFuzzOracles = {{
    {kFuzzCrash, "No message ends the server by a signal."},
    {kFuzzExit, "No message makes the server end while its client is there."},
    {kFuzzHang, "Whatever came before, the server goes on answering."},
    {kFuzzMemory, "The memory of the server does not grow with what it is sent."},
    {kFuzzServerError, "No message is answered with a status of 500 and above."},
    {kFuzzOutput, "The server says nothing but messages of the protocol."},
    {kFuzzPoisoned, "A request that was answered well is still answered as well afterwards."},
    {kFuzzTellsInsides, "No error tells a stack trace or a secret."},
    {kFuzzSpecification, "What the server says keeps every MUST of the catalogue."},
}};

constexpr std::string_view kOutputRule = "stdio.stdout-only-mcp";  // fuzz.output judges that.
constexpr std::size_t kFindingKeyMax = 80;

// without_numbers returns text in which what differs from run to run is gone.
std::string without_numbers(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, kFindingKeyMax)) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) out += c;
  }
  return out;
}

// last_line returns the last line that says something.
std::string_view last_line(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) {
    text.remove_suffix(1);
  }
  const std::size_t begin = text.rfind('\n');
  return begin == std::string_view::npos ? text : text.substr(begin + 1);
}

std::string_view stack_trace_in(std::string_view text) {
  struct Sign {
    std::string_view what;
    std::string_view first;
    std::string_view second;
  };
  static constexpr std::array<Sign, 7> kSigns = {{
      {"a stack trace of JavaScript", "\\n    at ", ".js:"},
      {"a stack trace of JavaScript", "\\n    at ", ".ts:"},
      {"a stack trace of JavaScript", "\\n    at ", "node:internal"},
      {"a stack trace of Python", "Traceback (most recent call last)", ""},
      {"a stack trace of Go", "goroutine ", ".go:"},
      {"a panic of Rust", "panicked at ", ".rs:"},
      {"a stack trace of Java", "\\n\\tat ", ".java:"},
  }};
  for (const Sign& sign : kSigns) {
    const std::size_t at = text.find(sign.first);
    if (at != std::string_view::npos && text.find(sign.second, at) != std::string_view::npos) {
      return sign.what;
    }
  }
  return "";
}

std::string describe(const FuzzAnswer& answer) {
  const std::string status = answer.status == 0 ? "" : ", status " + std::to_string(answer.status);
  switch (answer.how) {
    case FuzzAnswer::How::kNone:
      return "nothing" + status;
    case FuzzAnswer::How::kResult:
      return "a result of " + std::to_string(answer.items) + " items";
    case FuzzAnswer::How::kToolError:
      return "a failure of the tool";
    case FuzzAnswer::How::kError:
      return "error " + std::to_string(answer.code) + status;
  }
  return "";
}

class SessionJudge {
 public:
  explicit SessionJudge(const JudgedSession& judged) : judged_(judged), played_(judged.played) {}

  std::vector<FuzzFinding> judge(bool thoroughly) {
    check_life();
    for (const std::string& garbage : played_.garbage) {
      if (is_excused()) break;
      add(kFuzzOutput, "output", "it said " + clipped(garbage) + ", which is no JSON");
    }
    check_errors();
    check_statuses();
    if (alive_) check_honest();
    if (thoroughly) check_specification();
    return std::move(findings_);
  }

 private:
  void add(std::string_view oracle, const std::string& key, std::string message) {
    const std::string whole = std::string(oracle) + " " + key;
    const auto same = [&](const FuzzFinding& one) { return one.key == whole; };
    if (std::ranges::none_of(findings_, same)) {
      findings_.push_back({oracle, whole, std::move(message)});
    }
  }

  // A lone surrogate, escaped, is JSON by the grammar, and whoever gets one may say it back.
  bool is_excused() const {
    return std::ranges::any_of(judged_.session.steps, [](const FuzzStep& step) {
      return step.text.find("\\ud") != std::string::npos;
    });
  }

  void check_life() {
    if (!played_.died.empty()) {
      alive_ = false;
      const std::string how = played_.died.substr(0, played_.died.find(','));
      add(played_.crashed ? kFuzzCrash : kFuzzExit,
          how + " " + without_numbers(last_line(played_.died)),
          "it ended with " + clipped(played_.died));
    } else if (!played_.gone.empty()) {
      alive_ = false;
      add(kFuzzExit, "gone", "it cannot be met any more: " + played_.gone);
    } else if (played_.hangs) {
      alive_ = false;
      add(kFuzzHang, "hang",
          "nothing is answered any more, not even a request that changes nothing");
    }
  }

  void check_errors() {
    for (const Json& error : played_.errors) {
      const std::string text = dump_json(error);
      const std::string_view trace = stack_trace_in(text);
      if (!trace.empty()) {
        add(kFuzzTellsInsides, std::string(trace),
            "an error tells " + std::string(trace) + ": " + clipped(text));
      }
      if (judged_.log.redactor().finds_secret(text)) {
        add(kFuzzTellsInsides, "secret", "an error tells a secret of the server's environment");
      }
    }
  }

  void check_statuses() {
    for (std::size_t i = 0; i < played_.answers.size(); ++i) {
      const int status = played_.answers[i].status;
      if (status < 500 || status == 501 || status == 503 || status == 505) continue;
      add(kFuzzServerError, std::to_string(status) + " " + judged_.session.steps[i].twist,
          "a message (" + judged_.session.steps[i].method + ", " + judged_.session.steps[i].twist +
              ") was answered with status " + std::to_string(status));
    }
  }

  void check_honest() {
    if (judged_.honest == nullptr || played_.honest.status == 429 || played_.honest.status == 404) {
      return;  // Of a session that the server has ended it says nothing.
    }
    const FuzzAnswer& now = played_.honest;
    // Who still reads a large message is late; who answers nothing any more hangs.
    if (now.how == FuzzAnswer::How::kNone) return;
    const bool well = now.how == FuzzAnswer::How::kResult && now.items >= judged_.honest->items;
    if (well) return;
    add(kFuzzPoisoned,
        judged_.honest->asked.method + " " + std::to_string(static_cast<int>(now.how)),
        judged_.honest->asked.method + " was answered with " + describe(now) +
            ", and before with a result of " + std::to_string(judged_.honest->items) + " items");
  }

  // An answer may be late, or to something that only its server could read. Of requests that have
  // one id nobody can tell which an answer is to.
  static void leave_out_what_cannot_be_told(std::vector<LogEntry>& entries) {
    std::map<Json, int> asked;
    for (const LogEntry& entry : entries) {
      if (entry.sender != Sender::kHarness || !entry.message->is_object()) continue;
      if (const Json* const id = find(*entry.message, "id")) ++asked[*id];
    }
    std::erase_if(entries, [&asked](const LogEntry& entry) {
      const bool theirs = entry.sender == Sender::kSubject;
      if (!entry.message->is_object()) return theirs;  // A batch.
      const Json* const id = find(*entry.message, "id");
      if (id == nullptr || entry.sender == Sender::kNobody) return false;
      if (theirs && entry.message->contains("method")) return false;
      const auto times = asked.find(*id);
      return times == asked.end() ? theirs : times->second > 1;
    });
  }

  void check_specification() {
    const std::vector<LogEntry>& all = judged_.log.entries();
    std::vector<LogEntry> entries(all.begin(),
                                  all.begin() + static_cast<std::ptrdiff_t>(judged_.opening_end));
    entries.insert(entries.end(), all.begin() + static_cast<std::ptrdiff_t>(played_.log_begin),
                   all.end());
    leave_out_what_cannot_be_told(entries);
    const Transcript transcript(
        {judged_.log, entries, judged_.revision, Sender::kSubject, judged_.http}, Side::kServer);
    for (const Oracle& oracle : all_oracles()) {
      if (oracle.role != "server" || oracle.id == kOutputRule) continue;
      const Requirement* const rule = find_requirement(oracle.id, judged_.revision);
      if (rule == nullptr || !rule->must()) continue;
      const Finding finding = oracle.judge(transcript);
      if (finding.verdict != Verdict::kFail) continue;
      add(kFuzzSpecification, std::string(oracle.id),
          std::string(oracle.id) + ": " + finding.message);
    }
  }

  const JudgedSession& judged_;
  const Played& played_;
  bool alive_ = true;
  std::vector<FuzzFinding> findings_;
};

}  // namespace

std::span<const FuzzOracle> fuzz_oracles() { return kFuzzOracles; }

std::vector<FuzzFinding> judge_session(const JudgedSession& judged, bool thoroughly) {
  return SessionJudge(judged).judge(thoroughly);
}

}  // namespace plumbline::conformance
