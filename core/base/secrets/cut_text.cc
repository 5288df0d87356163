#include "core/base/secrets/cut_text.h"

#include <algorithm>
#include <cstddef>

namespace plumbline {

namespace {

constexpr std::size_t kCutBytesMin = 6;

// ends_in returns how many bytes at the end of `text` are the beginning of `secret`.
std::size_t ends_in(std::string_view text, std::string_view secret) {
  if (text.size() < kCutBytesMin) return 0;
  const std::string_view last = text.substr(text.size() - kCutBytesMin);
  for (std::size_t at = secret.rfind(last); at != std::string_view::npos && at != 0;
       at = secret.rfind(last, at - 1)) {
    if (text.ends_with(secret.substr(0, at + kCutBytesMin))) return at + kCutBytesMin;
  }
  return secret.starts_with(last) ? kCutBytesMin : 0;
}

// begins_with returns how many bytes at the beginning of `text` are the end of `secret`.
std::size_t begins_with(std::string_view text, std::string_view secret) {
  if (text.size() < kCutBytesMin) return 0;
  const std::string_view first = text.substr(0, kCutBytesMin);
  for (std::size_t at = secret.find(first); at != std::string_view::npos;
       at = secret.find(first, at + 1)) {
    if (text.starts_with(secret.substr(at))) return secret.size() - at;
  }
  return 0;
}

}  // namespace

std::string without_cut_secrets(std::string_view text, const std::vector<std::string>& secrets,
                                CutEnds cut, std::string_view hidden) {
  std::string out;
  bool cut_before = cut.before;
  while (true) {
    const std::size_t mark = std::min(text.find("..."), text.find("…"));
    const bool marked = mark != std::string_view::npos;
    const bool cut_after = marked || cut.after;
    const std::string_view piece = text.substr(0, mark);
    std::size_t head = 0;
    std::size_t tail = 0;
    for (const std::string& secret : secrets) {
      if (cut_before) head = std::max(head, begins_with(piece, secret));
      if (cut_after) tail = std::max(tail, ends_in(piece, secret));
      const bool within = cut_before && cut_after && piece.size() >= kCutBytesMin;
      if (within && secret.find(piece) != std::string::npos) head = piece.size();
    }
    if (head != 0) out += hidden;
    if (head + tail < piece.size()) out += piece.substr(head, piece.size() - head - tail);
    if (tail != 0 && head != piece.size()) out += hidden;
    if (!marked) return out;
    out += text.substr(mark, 3);  // Both marks have three bytes.
    text.remove_prefix(mark + 3);
    cut_before = true;
  }
}

}  // namespace plumbline
