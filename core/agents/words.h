// Words of a request and of a capability, folded so that they can be compared.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plumbline::agents {

// words_of splits text into lower-case words: at anything that is no letter or digit, at
// underscores, and where camelCase changes case. Bytes above 127 count as letters.
std::vector<std::string> words_of(std::string_view text);

// fold returns the form under which a word is compared: without plural and verb endings, and with
// one word for each group of synonyms ("directories" and "folder" are "folder"). `word` is in
// lower case.
std::string fold(std::string_view word);

// content_words returns the folded words of `text` without the ones that carry no meaning here
// ("the", "please", "of" ...), each once, in order.
std::vector<std::string> content_words(std::string_view text);

bool contains(const std::vector<std::string>& words, std::string_view word);

// squeeze trims `text` and turns each run of white space and control characters into one space.
std::string squeeze(std::string_view text);

}  // namespace plumbline::agents
