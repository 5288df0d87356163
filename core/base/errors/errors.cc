#include "core/base/errors/errors.h"

#include <algorithm>
#include <iterator>

#include "core/base/wildcard.h"

namespace plumbline {

namespace {

// is_letter returns whether `wanted`, of a wording, stands for `c`: "#" does for a digit.
bool is_letter(char wanted, char c) {
  return wanted == c || (wanted == '#' && c >= '0' && c <= '9');
}

std::size_t letters_of(std::string_view wording) {
  return wording.size() - static_cast<std::size_t>(std::ranges::count(wording, '*'));
}

}  // namespace

Error worded(ErrorCode code, const KnownError& known,
             std::initializer_list<std::string_view> words) {
  Error error{code, {}, known.id};
  const std::string_view wording = known.wording;
  const std::string_view* word = words.begin();
  for (std::size_t at = 0; at < wording.size(); ++at) {
    if (wording[at] == '#' && wording.substr(at + 1).starts_with('*')) ++at;
    if (wording[at] == '*' || wording[at] == '#') {
      error.message += *word++;
    } else {
      error.message += wording[at];
    }
  }
  return error;
}

const KnownError* known_error(std::string_view id) {
  const auto* const found = std::ranges::find(kErrors, id, &KnownError::id);
  return found == std::end(kErrors) ? nullptr : found;
}

const KnownError* pasted_error(std::string_view line) {
  const KnownError* best = nullptr;
  for (const KnownError& error : kErrors) {
    // Others may have put something before it, such as the name of a file.
    if (!fits("*" + std::string(error.wording), line, is_letter)) continue;
    if (best == nullptr || letters_of(error.wording) > letters_of(best->wording)) best = &error;
  }
  return best;
}

}  // namespace plumbline
