// Shown text: what a person reads of a text that somebody else wrote, before something is done with
// it. Nothing is deleted: what an eye cannot see, or would take for something else, is an escape.
//
//   git status                      as it is, where every character is what it looks like
//   $'echo a\nb \u{202e}c'          in bash's quotes else: \n \t \r \\ \' \x1b, and \u{...} for a
//                                   character; \x.. above 7f is a byte that is no UTF-8
//
// Escapes are: controls and line breaks; whatever has no width, turns the direction of writing or
// joins what stands beside it; blanks at the ends and behind another blank, which could push text
// to a next line; "<!--" and the beginnings of other tags, entities and links, and pairs of the
// signs of emphasis, for a client that shows Markdown or HTML; letters of an alphabet that pass for
// those of another. So two texts that are shown alike are the same bytes, and a text that is shown
// has one line.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace plumbline::agents::approvals {

// shown returns `text` as a person sees it.
std::string shown(std::string_view text);

// in_one_line returns a sentence of ours in which others may have written a part: as it is, or
// shown where it has more than one line.
std::string in_one_line(const std::string& text);

// cut_shown returns `shown`, a shown text, in about `bytes_max` bytes: of a longer one the
// beginning, the end, and how much is left out of how much, between two "…", which no shown text
// holds.
std::string cut_shown(std::string_view shown, std::size_t bytes_max);

}  // namespace plumbline::agents::approvals
