#include "core/wire/sse.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "core/base/check.h"

namespace plumbline::wire {

namespace {

// What is kept for the next bytes: one long event must not be paid for as long as the stream lives.
constexpr std::size_t kInputBytesKept = 1U << 20U;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// retry_of returns a number of milliseconds, the largest there is where it is larger; nothing where
// `text` is not digits alone.
std::optional<int> retry_of(std::string_view text) {
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  if (!digits) return std::nullopt;
  int value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc() ? value : std::numeric_limits<int>::max();
}

bool holds_line_end(std::string_view text) { return text.find_first_of("\r\n") != text.npos; }

// append_data writes a field for each line. It looks for each character on its own: memchr is many
// times faster than looking for both.
void append_data(std::string& out, std::string_view data) {
  std::size_t lf = data.find('\n');
  std::size_t cr = data.find('\r');
  std::size_t start = 0;
  for (std::size_t end = std::min(lf, cr); end != data.npos; end = std::min(lf, cr)) {
    out.append("data: ").append(data.substr(start, end - start)).append("\n");
    start = end + (data.substr(end).starts_with("\r\n") ? 2 : 1);
    if (lf < start) lf = data.find('\n', start);
    if (cr < start) cr = data.find('\r', start);
  }
  out.append("data: ").append(data.substr(start)).append("\n");
}

}  // namespace

// find_from looks for the character at or after `start`, nowhere twice.
void SseReader::LineEnd::find_from(std::size_t start, std::string_view text) {
  if (found && at >= start) return;
  const std::size_t where = text.find(character, std::max(at, start));
  found = where != std::string_view::npos;
  at = found ? where : text.size();
}

SseReader::SseReader(std::size_t event_bytes_max) : event_bytes_max_(event_bytes_max) {}

void SseReader::feed(std::string_view bytes) {
  if (too_long_) return;
  if (at_ == input_.size() && input_.capacity() > kInputBytesKept) input_ = std::string();
  input_.erase(0, std::min(at_, input_.size()));
  for (LineEnd* end : {&lf_, &cr_}) {
    end->found = end->found && end->at >= at_;
    end->at -= std::min(end->at, at_);
  }
  at_ = 0;
  input_.append(bytes);
}

std::optional<SseEvent> SseReader::next() {
  if (!bom_passed_ && !skip_bom()) return std::nullopt;
  while (const std::optional<std::string_view> line = take_line()) {
    if (!line->empty()) {
      take_field(*line);
    } else if (std::optional<SseEvent> event = dispatch()) {
      return event;
    }
  }
  return std::nullopt;
}

// skip_bom returns whether the beginning of the stream is known.
bool SseReader::skip_bom() {
  if (input_.size() < kByteOrderMark.size() && kByteOrderMark.starts_with(input_)) return false;
  if (input_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
  bom_passed_ = true;
  return true;
}

// take_line returns the next whole line; it lives until the next feed(). A CR ends a line at once:
// waiting for an LF would hold an event back.
std::optional<std::string_view> SseReader::take_line() {
  if (too_long_) return std::nullopt;
  if (after_cr_ && at_ < input_.size()) {
    if (input_[at_] == '\n') ++at_;
    after_cr_ = false;
  }
  lf_.find_from(at_, input_);
  cr_.find_from(at_, input_);
  const bool whole = lf_.found || cr_.found;
  const std::size_t end =
      std::min(lf_.found ? lf_.at : input_.size(), cr_.found ? cr_.at : input_.size());
  const std::string_view line = std::string_view(input_).substr(at_, end - at_);
  if (line.size() > event_bytes_max_ - event_bytes_) {
    too_long_ = true;
    input_ = std::string();
    return std::nullopt;
  }
  if (!whole) return std::nullopt;
  after_cr_ = input_[end] == '\r';
  at_ = end + 1;
  return line;
}

void SseReader::take_field(std::string_view line) {
  const std::size_t colon = std::min(line.find(':'), line.size());
  const std::string_view name = line.substr(0, colon);
  std::string_view value = line.substr(std::min(colon + 1, line.size()));
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (name.empty()) {
    ++comments_;
  } else if (name == "data") {
    if (has_data_) event_.data += '\n';
    event_.data.append(value);
    has_data_ = true;
    event_bytes_ += line.size();
  } else if (name == "event") {
    event_.event = value;
    event_bytes_ += line.size();
  } else if (name == "id") {
    if (value.find('\0') != value.npos) return;
    event_.id = value;
    event_bytes_ += line.size();
  } else if (name == "retry") {
    if (const std::optional<int> retry = retry_of(value)) event_.retry_ms = retry;
  }
}

// dispatch ends the event at a blank line. Nothing: there was none.
std::optional<SseEvent> SseReader::dispatch() {
  const bool wanted = has_data_ || event_.id || event_.retry_ms;
  has_data_ = false;
  event_bytes_ = 0;
  SseEvent event = std::exchange(event_, {});
  if (!wanted) return std::nullopt;
  return event;
}

void append_sse(std::string& out, const SseEvent& event) {
  check(!holds_line_end(event.event), "the name of an event is one line");
  if (!event.event.empty()) out.append("event: ").append(event.event).append("\n");
  if (event.id) {
    check(!holds_line_end(*event.id) && event.id->find('\0') == event.id->npos,
          "the id of an event is one line without NUL");
    out.append("id: ").append(*event.id).append("\n");
  }
  if (event.retry_ms) {
    check(*event.retry_ms >= 0, "a time to wait is not negative");
    out.append("retry: ").append(std::to_string(*event.retry_ms)).append("\n");
  }
  append_data(out, event.data);
  out.append("\n");
}

void append_sse_comment(std::string& out, std::string_view text) {
  check(!holds_line_end(text), "a comment is one line");
  out.append(": ").append(text).append("\n");
}

}  // namespace plumbline::wire
