#include "fakes/faults/stream_bend.h"

#include <algorithm>

#include "core/json/json.h"

namespace plumbline::fakes {

namespace {

constexpr std::string_view kEventEnd = "\n\n";

// replace_all returns whether `text` is another one now.
bool replace_all(std::string& text, const std::string& from, const std::string& to) {
  bool replaced = false;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
    replaced = from != to;
  }
  return replaced;
}

// is_answer returns whether `text` is a response of JSON-RPC.
bool is_answer(std::string_view text) {
  const Result<Json> message = parse_json(text);
  return message.ok() && message.value().is_object() && message.value().contains("id") &&
         !message.value().contains("method");
}

// lines_of splits an event, without its empty line.
std::vector<std::string_view> lines_of(std::string_view event) {
  std::vector<std::string_view> lines;
  while (!event.empty()) {
    const std::size_t end = std::min(event.find('\n'), event.size());
    if (end > 0) lines.push_back(event.substr(0, end));
    event.remove_prefix(std::min(end + 1, event.size()));
  }
  return lines;
}

bool event_answers(std::string_view event) {
  std::string data;
  for (const std::string_view line : lines_of(event)) {
    if (line.starts_with("data:")) data += line.substr(5);
  }
  return is_answer(data);
}

// frame_bytes returns how long the WebSocket frame at the start of `bytes` is; 0: not yet known.
std::size_t frame_bytes(std::string_view bytes) {
  constexpr unsigned kShort = 126;
  constexpr unsigned kLengthBits = 0x7F;
  constexpr unsigned kMaskBit = 0x80;
  if (bytes.size() < 2) return 0;
  const auto second = static_cast<unsigned char>(bytes[1]);
  std::size_t length = second & kLengthBits;
  const std::size_t more = length < kShort ? 0 : length == kShort ? 2 : 8;
  if (bytes.size() < 2 + more) return 0;
  if (more > 0) length = 0;
  for (std::size_t i = 0; i < more; ++i) {
    length = length << 8U | static_cast<unsigned char>(bytes[2 + i]);
  }
  return 2 + more + ((second & kMaskBit) != 0 ? 4 : 0) + length;
}

}  // namespace

std::string StreamBend::push(std::string_view bytes) {
  if (cut_) return {};
  input_ += bytes;
  if (unit_ == Unit::kEvents) take_events();
  if (unit_ == Unit::kFrames) take_frames();
  if (cut_) changed_.set(StreamEdits::kCut);
  return let_go(cut_);
}

std::string StreamBend::finish() {
  if (!cut_ && unit_ == Unit::kText) {
    if (edits_.cut_before_answer && is_answer(input_)) {
      cut_ = true;
    } else {
      pass(std::move(input_));
    }
  }
  input_.clear();
  if (cut_) changed_.set(StreamEdits::kCut);
  return let_go(true);
}

void StreamBend::take_events() {
  if (events_ == 0 && edits_.cut_after_events == 0U) cut_ = true;
  for (std::size_t end = input_.find(kEventEnd); !cut_ && end != std::string::npos;
       end = input_.find(kEventEnd)) {
    const std::string event = input_.substr(0, end + kEventEnd.size());
    input_.erase(0, event.size());
    if (edits_.cut_before_answer && event_answers(event)) {
      cut_ = true;
    } else {
      pass(edited(event));
    }
  }
}

void StreamBend::take_frames() {
  for (std::size_t size = frame_bytes(input_); !cut_ && size > 0 && size <= input_.size();
       size = frame_bytes(input_)) {
    pass(input_.substr(0, size));
    input_.erase(0, size);
  }
}

std::string StreamBend::edited(std::string_view event) {
  const std::string_view line_end = edits_.line_ends == StreamEdits::LineEnds::kLf     ? "\n"
                                    : edits_.line_ends == StreamEdits::LineEnds::kCrLf ? "\r\n"
                                                                                       : "\r";
  std::string out;
  const auto add = [&](std::string_view line) { out.append(line).append(line_end); };
  if (edits_.comments) add(": still there");
  for (const std::string_view line : lines_of(event)) {
    const std::string field(line.substr(0, line.find(':')));
    const bool stripped = std::ranges::find(edits_.strip, field) != edits_.strip.end();
    if (stripped) changed_.set(StreamEdits::kStrip);
    if (!stripped) add(line);
  }
  if (edits_.retry_ms) add("retry: " + std::to_string(*edits_.retry_ms));
  add("");
  changed_[StreamEdits::kLineEnds] = edits_.line_ends != StreamEdits::LineEnds::kLf;
  changed_[StreamEdits::kRetry] = edits_.retry_ms.has_value();
  changed_[StreamEdits::kComments] = edits_.comments;
  return out;
}

// pass lets one unit go on, what is put in behind it, and no more than there may be.
void StreamBend::pass(std::string piece) {
  if (unit_ != Unit::kFrames) {
    for (const auto& [from, to] : edits_.replace) {
      if (replace_all(piece, from, to)) changed_.set(StreamEdits::kReplace);
    }
  }
  ++events_;
  if (edits_.insert_after == events_ && !edits_.insert.empty()) {
    piece += edits_.insert;
    changed_.set(StreamEdits::kInsert);
  }
  if (edits_.cut_after_bytes && passed_bytes_ + piece.size() >= *edits_.cut_after_bytes) {
    piece.resize(*edits_.cut_after_bytes - passed_bytes_);
    cut_ = true;
  }
  passed_bytes_ += piece.size();
  output_ += piece;
  if (unit_ != Unit::kText && edits_.cut_after_events == events_) cut_ = true;
}

std::string StreamBend::let_go(bool all) {
  if (!all && output_.size() < edits_.buffer_bytes) {
    if (!output_.empty()) changed_.set(StreamEdits::kBuffer);
    return {};
  }
  return std::exchange(output_, {});
}

}  // namespace plumbline::fakes
