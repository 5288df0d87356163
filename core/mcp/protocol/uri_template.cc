#include "core/mcp/protocol/uri_template.h"

#include <cstddef>
#include <vector>

namespace plumbline::mcp {

namespace {

// Piece is one literal character of a template, or one expression.
struct Piece {
  char literal = 0;  // 0: an expression.
  bool slashes = false;
};

bool split(std::string_view text, std::vector<Piece>& pieces) {
  while (!text.empty()) {
    if (text.front() == '}') return false;
    if (text.front() != '{') {
      pieces.push_back(Piece{text.front(), false});
      text.remove_prefix(1);
      continue;
    }
    const std::size_t end = text.find('}');
    if (end == std::string_view::npos || end == 1) return false;
    const std::string_view inside = text.substr(1, end - 1);
    const bool slashes = std::string_view("+/#?&").find(inside.front()) != std::string_view::npos ||
                         inside.back() == '*';
    pieces.push_back(Piece{0, slashes});
    text.remove_prefix(end + 1);
  }
  return true;
}

}  // namespace

// reached[i]: the URI so far can be an expansion of the first i pieces.
bool matches_template(std::string_view uri_template, std::string_view uri) {
  std::vector<Piece> pieces;
  if (!split(uri_template, pieces)) return false;
  std::vector<bool> reached(pieces.size() + 1, false);
  reached[0] = true;
  for (const char c : uri) {
    for (std::size_t i = pieces.size(); i > 0; --i) {
      const Piece& piece = pieces[i - 1];
      if (piece.literal != 0) {
        reached[i] = reached[i - 1] && piece.literal == c;
      } else {
        reached[i] = (reached[i - 1] || reached[i]) && (piece.slashes || c != '/');
      }
    }
    reached[0] = false;
  }
  return reached[pieces.size()];
}

}  // namespace plumbline::mcp
