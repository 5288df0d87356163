#include "reports/formats/markdown_text.h"

#include <algorithm>

#include "reports/text.h"

namespace plumbline::reports {

std::string inline_markdown(std::string_view text) {
  std::string out;
  for (const char c : one_line(text)) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '@':
        out += "&#64;";  // No mention: a peer's text must not notify anybody.
        break;
      default:
        if (std::string_view("\\`*_[]|~#").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
  }
  return out;
}

std::string fenced(std::string_view language, std::string_view text) {
  const std::string content = printable(text);
  std::size_t run = 0;
  std::size_t longest = 2;
  for (const char c : content) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return fence + std::string(language) + "\n" + content + "\n" + fence + "\n";
}

std::string_view icon(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return "✅";
    case Verdict::kFail:
      return "❌";
    case Verdict::kWarn:
      return "⚠️";
    case Verdict::kSkip:
      return "⏭️";
    case Verdict::kInconclusive:
      return "❓";
    case Verdict::kExpectedFail:
      return "☑️";
  }
  return "";
}

}  // namespace plumbline::reports
