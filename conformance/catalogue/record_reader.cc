#include "conformance/catalogue/record_reader.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

enum Field : std::size_t { kLevel, kRole, kTransport, kObservable, kSummary, kPage, kContested };

constexpr std::array<std::string_view, 7> kFieldNames = {
    "level", "role", "transport", "observable", "summary", "page", "contested"};
constexpr std::string_view kLinkBegin = "https://";

constexpr std::string_view kRuleLevels[] = {"MUST", "MUST_NOT", "SHOULD", "SHOULD_NOT", "MAY"};
constexpr std::string_view kRoles[] = {"server", "client", "both", "authorization-server",
                                       "gateway"};
constexpr std::string_view kTransports[] = {"any", "stdio", "http"};
constexpr std::string_view kAnswers[] = {"yes", "no"};
constexpr std::string_view kSides[] = {"server", "client", "both"};
constexpr std::string_view kUnjudgedKinds[] = {"other-side", "unseen", "unmeasured",
                                               "parts",      "needs",  "not-built"};
constexpr std::string_view kOfGateways = "gateway";  // The area, and the role.
constexpr std::string_view kDots = "..";
constexpr std::string_view kBrings = " => ";

using Words = std::span<const std::string_view>;

// words_of returns what a field may say; none: it may say anything.
Words words_of(std::size_t field) {
  switch (field) {
    case kLevel:
      return kRuleLevels;
    case kRole:
      return kRoles;
    case kTransport:
      return kTransports;
    case kObservable:
      return kAnswers;
    default:
      return {};
  }
}

bool is_one_of(Words words, std::string_view text) {
  return std::ranges::find(words, text) != words.end();
}

std::string listed(Words words) {
  std::string text;
  for (const std::string_view word : words) {
    text += (text.empty() ? "" : ", ") + std::string(word);
  }
  return text;
}

std::string cited(std::string_view text) { return "\"" + std::string(text) + "\""; }

// up_to takes what stands before `end` off the front of `text`, and `end` with it; all of it where
// there is no `end`.
std::string_view up_to(std::string_view end, std::string_view& text) {
  const std::size_t at = std::min(text.find(end), text.size());
  const std::string_view before = text.substr(0, at);
  text.remove_prefix(std::min(at + end.size(), text.size()));
  return before;
}

// area_in returns "tools" of "conformance/rules/tools.rules".
std::string_view area_in(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);
  return path.substr(0, path.find('.'));
}

// RecordReader reads the lines of one file of conformance/rules.
class RecordReader {
 public:
  // What is read goes to `into`; both must outlive the reader.
  RecordReader(const EmbeddedFile& file, Records& into);

  // read reads all of it; the error names the file and the line.
  Status read();

 private:
  // Fields are those that may differ from one span of revisions to another, in the order of
  // kFieldNames; empty: not said.
  using Fields = std::array<std::string_view, kFieldNames.size()>;

  struct Part {
    int line = 0;
    Fields fields = {};
    std::vector<Unjudged> unjudged = {};  // Without their ids and eras.
  };

  struct Span : Part {
    std::string_view since;
    std::string_view until;
  };

  Status read_line(std::string_view line);
  Status read_id(std::string_view id);
  Status read_span(std::string_view text);
  Status read_field(Part& part, std::string_view name, std::string_view value);
  Status read_once(std::string_view& place, std::string_view name, std::string_view value) const;
  // read_either reads what is said of every finding, or WORDS => what is said where a message has
  // those words.
  Status read_either(std::string_view& always, std::vector<WhenSaid>& when, std::string_view name,
                     std::string_view value) const;
  Status read_unjudged(Part& part, std::string_view text) const;
  Status read_wrong_peer(std::string_view text);

  // finish puts the record that was read last to the others.
  Status finish();
  Status finish_span(const Span& span);

  // wrong returns the error of a line.
  Error wrong(int line, const std::string& why) const;
  Error wrong(const std::string& why) const { return wrong(line_, why); }

  const EmbeddedFile& file_;
  std::string_view area_;
  Records& into_;
  int line_ = 0;
  std::set<std::string_view> ids_;
  RuleRecord record_;  // An empty id: none has begun.
  Part common_;
  std::vector<Span> spans_;
};

RecordReader::RecordReader(const EmbeddedFile& file, Records& into)
    : file_(file), area_(area_in(file.path)), into_(into) {}

Error RecordReader::wrong(int line, const std::string& why) const {
  return {ErrorCode::kInvalidInput,
          std::string(file_.path) + ":" + std::to_string(line) + ": " + why};
}

Status RecordReader::read() {
  std::string_view rest = file_.text;
  while (!rest.empty()) {
    ++line_;
    Status status = read_line(up_to("\n", rest));
    if (!status.ok()) return status;
  }
  return finish();
}

Status RecordReader::read_line(std::string_view line) {
  if (line.empty() || line.front() == '#') return Done{};
  if (line.back() == ' ' || line.find('\t') != line.npos) {
    return wrong("a line has no tab, and no space at its end");
  }
  const std::size_t depth = std::min(line.find_first_not_of(' '), line.size());
  line.remove_prefix(depth);
  if (depth == 0) return read_id(line);
  if (record_.id.empty()) return wrong("a line of a rule stands below the id of the rule");
  if (depth == 2 && line.front() >= '0' && line.front() <= '9') return read_span(line);
  if (depth == 2 && !spans_.empty()) {
    return wrong("what holds in all revisions stands before the first of them");
  }
  if (depth != 2 && (depth != 4 || spans_.empty())) {
    return wrong("expected 2 spaces before what holds in all revisions, 4 below some of them");
  }
  const std::string_view name = up_to(" ", line);
  return read_field(depth == 2 ? common_ : spans_.back(), name, trimmed(line));
}

Status RecordReader::read_id(std::string_view id) {
  Status status = finish();
  if (!status.ok()) return status;
  const std::string begin = std::string(area_) + ".";
  const bool plain = std::ranges::all_of(id, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  });
  if (!plain || !id.starts_with(begin) || id.size() == begin.size()) {
    return wrong("expected an id such as " + begin + "some-words, got " + cited(id));
  }
  if (!ids_.insert(id).second) return wrong(std::string(id) + " has a record already");
  record_ = RuleRecord();
  record_.id = id;
  common_ = Part();
  common_.line = line_;
  spans_.clear();
  return Done{};
}

Status RecordReader::read_span(std::string_view text) {
  Span span;
  span.line = line_;
  std::string_view rest = text;
  span.since = up_to(kDots, rest);
  span.until = text.find(kDots) == text.npos ? span.since : rest;
  const bool known = is_one_of(kRevisions, span.since) &&
                     (span.until.empty() || is_one_of(kRevisions, span.until));
  if (!known || (!span.until.empty() && span.until < span.since)) {
    return wrong("expected revisions such as 2025-06-18.., got " + cited(text) + "; there are " +
                 listed(kRevisions));
  }
  const bool stateless = is_stateless(span.since);
  if (!span.until.empty() && is_stateless(span.until) != stateless) {
    return wrong("revisions with sessions and without are told apart: " + cited(text));
  }
  for (const Span& other : spans_) {
    if (is_stateless(other.since) == stateless) {
      return wrong("a rule has one span of revisions with sessions, and one of those without");
    }
  }
  spans_.push_back(span);
  return Done{};
}

Status RecordReader::read_once(std::string_view& place, std::string_view name,
                               std::string_view value) const {
  if (value.empty()) return wrong(std::string(name) + " says nothing");
  if (!place.empty()) return wrong(std::string(name) + " is said twice");
  place = value;
  return Done{};
}

Status RecordReader::read_either(std::string_view& always, std::vector<WhenSaid>& when,
                                 std::string_view name, std::string_view value) const {
  std::string_view text = value;
  const std::string_view words = up_to(kBrings, text);
  if (words == value) return read_once(always, name, value);
  if (words.empty() || text.empty()) {
    return wrong("expected " + std::string(name) + " WORDS OF THE MESSAGE => WHAT, got " +
                 cited(value));
  }
  when.push_back({words, text});
  return Done{};
}

Status RecordReader::read_field(Part& part, std::string_view name, std::string_view value) {
  if (name == "unjudged") return read_unjudged(part, value);
  const auto found = std::ranges::find(kFieldNames, name);
  if (found != kFieldNames.end()) {
    const auto field = static_cast<std::size_t>(found - kFieldNames.begin());
    const Words words = words_of(field);
    if (!words.empty() && !is_one_of(words, value)) {
      return wrong(std::string(name) + " is one of " + listed(words) + ", not " + cited(value));
    }
    if (field == kContested && !value.starts_with(kLinkBegin)) {
      return wrong("contested is the link of the dispute, not " + cited(value));
    }
    if (&part != &common_ && !common_.fields[field].empty()) {
      return wrong(std::string(name) + " is said of all revisions already");
    }
    return read_once(part.fields[field], name, value);
  }
  const bool common = &part == &common_;
  if (common && name == "why") return read_once(record_.why, name, value);
  if (common && name == "mend") return read_either(record_.mend, record_.mends, name, value);
  if (common && name == "cause") return read_either(record_.cause, record_.causes, name, value);
  if (common && name == "wrong") return read_wrong_peer(value);
  return wrong("expected one of " + listed(kFieldNames) + ", unjudged" +
               (common ? ", why, mend, cause, wrong" : "") + ", got " + cited(name));
}

Status RecordReader::read_unjudged(Part& part, std::string_view text) const {
  const std::string whole(text);
  const std::string_view side = up_to(" ", text);
  const std::string_view kind = up_to(": ", text);
  if (!is_one_of(kSides, side) || !is_one_of(kUnjudgedKinds, kind) || text.empty()) {
    return wrong("expected SIDE KIND: WHY of what is not judged, got " + cited(whole) +
                 "; a side is one of " + listed(kSides) + ", a kind of " + listed(kUnjudgedKinds));
  }
  for (const std::string_view one : {"server", "client"}) {
    if (side == one || side == "both") part.unjudged.push_back({"", one, "", kind, text});
  }
  return Done{};
}

Status RecordReader::read_wrong_peer(std::string_view text) {
  const std::string whole(text);
  const std::string_view what = up_to(kBrings, text);
  if (what.empty() || text.empty()) {
    return wrong("expected WHAT IS WRONG WITH A PEER => WHAT THE CHECK SAYS, got " + cited(whole));
  }
  into_.wrong_peers.push_back({record_.id, what, text});
  return Done{};
}

Status RecordReader::finish() {
  if (record_.id.empty()) return Done{};
  if (spans_.empty()) {
    return wrong(common_.line, std::string(record_.id) +
                                   " says in no line such as 2025-06-18.. in which revisions it "
                                   "holds");
  }
  for (const Span& span : spans_) {
    Status status = finish_span(span);
    if (!status.ok()) return status;
  }
  into_.all.push_back(record_);
  return Done{};
}

Status RecordReader::finish_span(const Span& span) {
  Fields fields = span.fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].empty()) fields[i] = common_.fields[i];
    const bool needed = i != kTransport && i != kObservable && i != kContested;
    if (needed && fields[i].empty()) {
      return wrong(span.line, std::string(record_.id) + " has no " + std::string(kFieldNames[i]));
    }
  }
  const bool of_gateways = fields[kRole] == kOfGateways;
  if (of_gateways != (area_ == kOfGateways)) {
    return wrong(span.line, "rules of gateways stand in gateway.rules, and no others");
  }
  into_.requirements.push_back({record_.id, area_, fields[kLevel], fields[kRole],
                                fields[kTransport].empty() ? "any" : fields[kTransport], span.since,
                                span.until, fields[kSummary], fields[kPage],
                                fields[kObservable] != "no", fields[kContested]});
  if (of_gateways) {
    into_.of_gateways.push_back(into_.requirements.back());
    into_.requirements.pop_back();
  }
  const std::string_view era = is_stateless(span.since) ? "stateless" : "stateful";
  const auto put = [&](const std::vector<Unjudged>& rows) {
    for (Unjudged row : rows) {
      row.id = record_.id;
      row.era = era;
      into_.unjudged.push_back(row);
    }
  };
  put(common_.unjudged);
  put(span.unjudged);
  return Done{};
}

// put_stateful_first leaves the rules of an era in the order of the files.
void put_stateful_first(std::vector<Requirement>& rules) {
  std::vector<Requirement> ordered;
  ordered.reserve(rules.size());
  for (const bool stateless : {false, true}) {
    std::ranges::copy_if(rules, std::back_inserter(ordered), [stateless](const Requirement& rule) {
      return is_stateless(rule.since) == stateless;
    });
  }
  rules = std::move(ordered);
}

}  // namespace

Result<Records> read_records(std::span<const EmbeddedFile> files) {
  Records records;
  for (const EmbeddedFile& file : files) {
    const Status status = RecordReader(file, records).read();
    if (!status.ok()) return status.error();
  }
  put_stateful_first(records.requirements);
  put_stateful_first(records.of_gateways);
  std::ranges::sort(records.all, {}, &RuleRecord::id);
  return records;
}

}  // namespace plumbline::conformance
