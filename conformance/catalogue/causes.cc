#include "conformance/catalogue/causes.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "conformance/catalogue/records.h"

namespace plumbline::conformance {

namespace {

// A rule about every message: where another rule fails for the same one, it says better what is
// wrong with it.
constexpr std::string_view kOfEveryMessage = "schema.messages-validate";

// A rule about each revision that a server accepts: what it refuses in any of them is no matter of
// the revision.
constexpr std::string_view kOfEachRevision = "versioning.accepted-is-served";

// Garbled is a rule whose failure, told in these words, takes answers away from whoever waits.
struct Garbled {
  std::string_view id;
  std::string_view words;
};
constexpr Garbled kGarbled[] = {
    {"jsonrpc.response-id-matches", "the response has"},
    {"stdio.stdout-only-mcp", R"(is no JSON: {"jsonrpc")"},
    {"stdio.stdout-only-mcp", "an object that is no message"},
    {"http.response-content-type", "with what is no JSON"},
    {"http.sessions-side-by-side", "with the same id at a time"},
    {"tools.inputs-validated", "never answered"},
};

// How rows tell of an answer that did not come.
constexpr std::string_view kMissed[] = {
    "got nothing within",  "got no JSON-RPC response", "got no response with its id",
    "and what is no JSON", "and no message,",          "dropped without a word",
};

// What has no ping is known by this one, and by each check that asks for nothing else.
constexpr std::string_view kOfPings = "base.core-and-lifecycle-supported";

constexpr int kPartDepthMax = 12;  // Of a message, in which a part of it is looked for.

bool complains(const CheckResult& row) {
  return row.verdict == Verdict::kFail || row.verdict == Verdict::kWarn;
}

// judged_in returns the message that a row is about: the answer, where its request is shown too.
// Null: none.
const Json* judged_in(const CheckResult& row) {
  const auto found =
      std::find_if(row.evidence.rbegin(), row.evidence.rend(), [](const Evidence& line) {
        return line.judged && find(line.message, "http") == nullptr &&
               find(line.message, "status") == nullptr;
      });
  return found == row.evidence.rend() ? nullptr : &found->message;
}

// method_judged returns the method of the message that a row is about, or of the request that it
// answers; empty: that is not known.
std::string method_judged(const CheckResult& row) {
  const Json* const judged = judged_in(row);
  if (judged == nullptr) return {};
  if (find(*judged, "method") != nullptr) return string_or(*judged, "method", "");
  const Json* const id = find(*judged, "id");
  if (id == nullptr) return {};
  const auto asked = std::ranges::find_if(row.evidence, [id](const Evidence& line) {
    const Json* const its = find(line.message, "id");
    return its != nullptr && *its == *id && find(line.message, "method") != nullptr;
  });
  return asked == row.evidence.end() ? "" : string_or(asked->message, "method", "");
}

// may_bring returns whether `cause` was found in the same place as `row`, and weighs as much.
bool may_bring(const CheckResult& cause, const CheckResult& row) {
  const bool same_place =
      cause.revision == row.revision || (row.id == kOfEachRevision && !method_judged(row).empty() &&
                                         method_judged(cause) == method_judged(row));
  return complains(cause) && cause.id != row.id && same_place && cause.server == row.server &&
         (cause.verdict == Verdict::kFail || row.verdict == Verdict::kWarn);
}

// has returns whether what a row says has those words: records tell causes by them.
bool has(std::string_view said, std::string_view words) {
  return said.find(words) != std::string_view::npos;
}

bool is_of_a_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

// speaks_of returns whether `word` stands in `text` as one.
bool speaks_of(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_of_a_word(text[at - 1])) &&
        (end == text.size() || !is_of_a_word(text[end]))) {
      return true;
    }
  }
  return false;
}

// holds returns whether `part` is `whole`, or a value within it.
bool holds(const Json& whole, const Json& part, int depth_max = kPartDepthMax) {
  if (whole == part) return true;
  if (depth_max == 0 || !whole.is_structured()) return false;
  return std::ranges::any_of(whole,
                             [&](const Json& each) { return holds(each, part, depth_max - 1); });
}

// is_about returns whether `other` is about the message that `row` judges, or about a part of it,
// or about one of the same method.
bool is_about(const CheckResult& other, const CheckResult& row) {
  const Json* const its = judged_in(other);
  if (its == nullptr) return false;
  const std::string method = method_judged(other);
  return method.empty() ? holds(*judged_in(row), *its) : method == method_judged(row);
}

// specific_cause returns the rule that fails for what `row` is about: the very notification or
// request, or the same member of the same message. Null: none.
const CheckResult* specific_cause(const std::vector<CheckResult>& rows, const CheckResult& row) {
  const Json* const judged = judged_in(row);
  if (judged == nullptr) return nullptr;
  const bool is_said = find(*judged, "method") != nullptr;
  const auto found = std::ranges::find_if(rows, [&](const CheckResult& other) {
    const Json* const its = judged_in(other);
    if (!may_bring(other, row) || its == nullptr) return false;
    if (is_said && *its == *judged) return true;
    return !row.member.empty() && speaks_of(other.message, row.member) && is_about(other, row);
  });
  return found == rows.end() ? nullptr : &*found;
}

// recorded_cause returns the rule that the record of `row` names, where that fails too: for what
// `message` says.
const CheckResult* recorded_cause(const std::vector<CheckResult>& rows, const CheckResult& row,
                                  std::string_view message) {
  for (const std::string_view cause : causes_of(row.id, message)) {
    const auto found = std::ranges::find_if(
        rows, [&](const CheckResult& other) { return other.id == cause && may_bring(other, row); });
    if (found != rows.end()) return &*found;
  }
  return nullptr;
}

// cause_of_silence returns the rule by which answers are garbled or lost, for a row that waited for
// one; for what asked with a ping, the one that says that there is none. Null: neither.
const CheckResult* cause_of_silence(const std::vector<CheckResult>& rows, const CheckResult& row) {
  const bool missed = std::ranges::any_of(
      kMissed, [&row](std::string_view words) { return has(row.message, words); });
  const bool refused = has(row.message, "-32601") && method_judged(row) == "ping";
  const auto found = std::ranges::find_if(rows, [&](const CheckResult& other) {
    if (!may_bring(other, row)) return false;
    if (refused && other.id == kOfPings) return true;
    return missed && std::ranges::any_of(kGarbled, [&other](const Garbled& each) {
             return each.id == other.id && has(other.message, each.words);
           });
  });
  return found == rows.end() ? nullptr : &*found;
}

void add_ids(std::string_view listed, std::vector<std::string_view>& ids) {
  while (!listed.empty()) {
    const std::size_t end = std::min(listed.find(' '), listed.size());
    if (end > 0) ids.push_back(listed.substr(0, end));
    listed.remove_prefix(std::min(end + 1, listed.size()));
  }
}

// cause_of_each returns the cause of the first kind of mistakes that a row tells of, where each has
// one; else null: what no other rule is about would be told of nowhere.
const CheckResult* cause_of_each(const std::vector<CheckResult>& rows, const CheckResult& row) {
  const CheckResult* first = nullptr;
  for (const std::string& kind : row.kinds) {
    const CheckResult* const cause = recorded_cause(rows, row, kind);
    if (cause == nullptr) return nullptr;
    if (first == nullptr) first = cause;
  }
  return first;
}

const CheckResult* cause_in(const std::vector<CheckResult>& rows, const CheckResult& row) {
  if (!complains(row)) return nullptr;
  if (!row.kinds.empty()) return cause_of_each(rows, row);
  const CheckResult* const recorded = recorded_cause(rows, row, row.message);
  if (recorded != nullptr) return recorded;
  return row.id == kOfEveryMessage ? specific_cause(rows, row) : cause_of_silence(rows, row);
}

}  // namespace

std::vector<std::string_view> causes_of(std::string_view id, std::string_view message) {
  const RuleRecord* const record = find_record(id);
  std::vector<std::string_view> causes;
  if (record == nullptr) return causes;
  for (const WhenSaid& cause : record->causes) {
    if (has(message, cause.words)) add_ids(cause.text, causes);
  }
  add_ids(record->cause, causes);
  return causes;
}

void name_causes(std::vector<CheckResult>& rows) {
  for (CheckResult& row : rows) {
    const CheckResult* cause = cause_in(rows, row);
    for (std::size_t steps = 0; cause != nullptr && steps < rows.size(); ++steps) {
      row.because = cause->id;
      cause = cause_in(rows, *cause);
    }
  }
}

}  // namespace plumbline::conformance
