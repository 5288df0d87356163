// Words of a command line, as a POSIX shell splits it when it has nothing else to do.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace plumbline::agents::command_line {

inline constexpr std::size_t kLineBytesMax = 32U << 10U;

// check_text returns whether `line` can be a command line at all, for a shell or not: UTF-8 of at
// most kLineBytesMax bytes, and no control characters but tabs and line breaks. kInvalidInput says
// what stands where, kLimitReached how long it is.
Status check_text(std::string_view line);

// split_words returns the words of `line`: quotes and backslashes are read as POSIX shells read
// them, and taken away. For every line that is split here, `bash -c LINE` runs one simple command
// with exactly these words.
//
// kInvalidInput: nothing is there, a quote is open, check_text refuses it, or a shell would do more
// than split it. Then the message says what it would read as what, and that quotes prevent it: an
// operator (; | & < > ( ) and line breaks), an expansion ($ ` * ? [ { } and ~ where a path may
// begin), a comment (#), a variable to be set (NAME=VALUE before the command), a word that the
// shell keeps to itself (if, time, !).
//
// Source: POSIX.1-2017, Shell Command Language, 2.2 Quoting and 2.3 Token Recognition; the manual
// of bash 5.2 for what it adds (braces, tildes behind = and :).
Result<std::vector<std::string>> split_words(std::string_view line);

}  // namespace plumbline::agents::command_line
