#include "core/agents/operations/arguments/spelled_out.h"

#include <algorithm>
#include <vector>

#include "core/base/text.h"

namespace plumbline::agents {

namespace {

// words_apart returns the words of a request, as written.
std::vector<std::string> words_apart(std::string_view request) {
  std::vector<std::string> out;
  while (!request.empty()) {
    const std::size_t end = std::min(request.find(' '), request.size());
    out.emplace_back(request.substr(0, end));
    request.remove_prefix(std::min(end + 1, request.size()));
  }
  return out;
}

bool is_mean(std::string_view word) {
  const std::string lower = lower_case(word);
  return lower == "mean" || lower == "mean?" || lower == "means";
}

// explain_instead makes "Explain X" of "What does X mean?".
void explain_instead(std::vector<std::string>& words) {
  const bool asks = words.size() > 3 && lower_case(words[0]) == "what" &&
                    (lower_case(words[1]) == "does" || lower_case(words[1]) == "do");
  if (!asks) return;
  const auto mean = std::ranges::find_if(words, is_mean);
  if (mean == words.end() || mean < words.begin() + 3) return;
  // What is asked for is a value, whatever it looks like.
  if (words[2].find_first_of("\"'`") == std::string::npos) {
    words[2].insert(0, 1, '"');
    *(mean - 1) += '"';
  }
  words.erase(mean);
  words.erase(words.begin());
  words.front() = "Explain";
}

}  // namespace

std::string spelled_out(std::string_view request) {
  std::vector<std::string> words = words_apart(request);
  explain_instead(words);
  std::string out;
  bool quoted = false;
  for (const std::string& word : words) {
    if (!out.empty()) out += ' ';
    const std::size_t end = word.find_last_not_of(".,;:!?") + 1;
    const std::string_view bare = std::string_view(word).substr(0, end);
    const auto form = std::ranges::find(kLongForms, bare, &LongForm::brief);
    const bool stays = quoted || form == kLongForms.end();
    out += stays ? word : std::string(form->whole) + word.substr(end);
    if (std::ranges::count(word, '"') % 2 == 1) quoted = !quoted;
  }
  return out;
}

}  // namespace plumbline::agents
