#include "fakes/proxy/http_rules.h"

#include <algorithm>
#include <string_view>

#include "core/json/json.h"
#include "core/mcp/protocol/mcp_headers.h"

namespace plumbline::fakes {

namespace {

bool fits(const std::string& wanted, std::string_view is) { return wanted.empty() || wanted == is; }

// fits_pattern returns whether * of `pattern` can stand for what makes `text` of it.
bool fits_pattern(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = pattern.npos;  // The last one met, and where in the text it is tried next.
  std::size_t retry = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != pattern.npos) {
      p = star + 1;
      t = ++retry;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == pattern.npos;
}

bool has_headers(const HttpMatch& match, const wire::HttpHeaders& headers) {
  return std::ranges::all_of(match.headers, [&](const auto& wanted) {
    const auto value = headers.get(wanted.first);
    if (!wanted.second) return !value.has_value();
    return value && fits_pattern(*wanted.second, *value);
  });
}

bool matches(const HttpMatch& match, const HttpFacts& facts) {
  const std::string_view target = facts.request.target;
  return fits(match.http_method, facts.request.method) && fits(match.method, facts.method) &&
         fits(match.name, facts.name) && fits(match.path, target.substr(0, target.find('?'))) &&
         (!match.session || match.session == facts.session) && facts.idle >= match.idle &&
         facts.now >= match.from && facts.now < match.until &&
         has_headers(match, facts.request.headers);
}

template <typename T>
void override_with(std::optional<T>& value, const std::optional<T>& by) {
  if (!value && by) value = by;
}

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

void add_edits(StreamEdits& edits, const StreamEdits& more) {
  if (more.line_ends != StreamEdits::LineEnds::kLf) edits.line_ends = more.line_ends;
  append(edits.strip, more.strip);
  append(edits.replace, more.replace);
  override_with(edits.retry_ms, more.retry_ms);
  edits.comments = edits.comments || more.comments;
  if (!edits.insert_after) edits.insert = more.insert;
  override_with(edits.insert_after, more.insert_after);
  override_with(edits.cut_after_bytes, more.cut_after_bytes);
  override_with(edits.cut_after_events, more.cut_after_events);
  edits.cut_before_answer = edits.cut_before_answer || more.cut_before_answer;
  edits.buffer_bytes = std::max(edits.buffer_bytes, more.buffer_bytes);
}

// add puts a second action on top of a first one, which wins where both cannot be.
void add(HttpAction& action, const HttpAction& more) {
  action.delay += more.delay;
  action.forget_sessions = action.forget_sessions || more.forget_sessions;
  override_with(action.down, more.down);
  if (action.drop == HttpAction::Drop::kNone) action.drop = more.drop;
  override_with(action.raw, more.raw);
  override_with(action.answer, more.answer);
  override_with(action.encode, more.encode);
  add_edits(action.edits, more.edits);
  if (more.cut != HttpAction::Cut::kClose) action.cut = more.cut;
  action.chunk_bytes = std::max(action.chunk_bytes, more.chunk_bytes);
  override_with(action.idle, more.idle);
}

}  // namespace

HttpFacts facts_of(const wire::HttpRequest& request, const std::vector<std::string>& sessions) {
  HttpFacts facts{request, "", "", nullptr, 0, {}, {}};
  if (const auto id = request.headers.get(transport::kSessionHeader)) {
    const auto found = std::ranges::find(sessions, *id);
    facts.session.reset();
    if (found != sessions.end()) {
      facts.session = static_cast<std::size_t>(found - sessions.begin()) + 1;
    }
  }
  const Result<Json> body = parse_json(request.body);
  if (!body.ok() || !body.value().is_object()) return facts;
  facts.method = string_or(body.value(), "method", "");
  if (const Json* const id = find(body.value(), "id")) facts.id = *id;
  if (const Json* const params = find(body.value(), "params")) {
    facts.name = string_or(*params, "name", string_or(*params, "uri", ""));
  }
  return facts;
}

HttpAction HttpRuleBook::apply(const HttpFacts& facts, std::vector<std::size_t>& meant) {
  HttpAction action;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    const HttpMatch& match = rules_[i].match;
    if (!matches(match, facts)) continue;
    const std::int64_t nth = ++met_[i];
    if (nth < match.first || nth > match.last) continue;
    add(action, rules_[i].action);
    meant.push_back(i);
  }
  return action;
}

bool asks_for(const HttpAction& action, HttpChange change) {
  switch (change) {
    case HttpChange::kDelay:
      return action.delay > Duration::zero();
    case HttpChange::kForget:
      return action.forget_sessions;
    case HttpChange::kDown:
      return action.down.has_value();
    case HttpChange::kDrop:
      return action.drop != HttpAction::Drop::kNone;
    case HttpChange::kAnswer:
      return action.raw || action.answer;
    case HttpChange::kEncode:
      return action.encode.has_value();
    case HttpChange::kChunks:
      return action.chunk_bytes > 0;
    case HttpChange::kIdle:
      return action.idle.has_value();
  }
  return false;
}

bool asks_for(const StreamEdits& edits, StreamEdits::Kind kind) {
  switch (kind) {
    case StreamEdits::kLineEnds:
      return edits.line_ends != StreamEdits::LineEnds::kLf;
    case StreamEdits::kStrip:
      return !edits.strip.empty();
    case StreamEdits::kRetry:
      return edits.retry_ms.has_value();
    case StreamEdits::kComments:
      return edits.comments;
    case StreamEdits::kReplace:
      return !edits.replace.empty();
    case StreamEdits::kInsert:
      return edits.insert_after.has_value();
    case StreamEdits::kCut:
      return edits.cut_after_bytes || edits.cut_after_events || edits.cut_before_answer;
    case StreamEdits::kBuffer:
      return edits.buffer_bytes > 0;
    case StreamEdits::kKinds:
      break;
  }
  return false;
}

bool edit_headers(wire::HttpHeaders& headers, const std::vector<HeaderEdit>& edits) {
  bool changed = false;
  for (const auto& [name, value] : edits) {
    const auto before = headers.get(name);
    changed = changed || before.has_value() != value.has_value() || (value && *before != *value);
    if (value) {
      headers.set(name, *value);
    } else {
      headers.erase(name);
    }
  }
  return changed;
}

}  // namespace plumbline::fakes
