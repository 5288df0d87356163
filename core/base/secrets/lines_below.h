// Secrets that are known by where they stand: in the lines below a name, as in YAML, or behind a
// colon.

#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/base/secrets/secret_finder.h"

namespace plumbline {

// known_by_place returns what stands behind the colon of a key of PuTTY, of the key of a bot of
// Telegram, and of a database of Oracle, whatever it is called; an empty span: it is none of them.
Span known_by_place(std::string_view text, std::size_t colon, std::size_t value,
                    std::string_view name);

// begins_block returns whether at `at` stands what begins a block of YAML: |, >-.
bool begins_block(std::string_view text, std::size_t at);

// block_below returns the lines that stand deeper than the one that the colon is in.
Span block_below(std::string_view text, std::size_t colon, std::size_t at);

// words_below adds the secrets that stand alone in the lines from `at`, below a name: one, or those
// of a list. It returns where that of "value: ..." begins, if this stands there; the size of
// `text`: it does not.
std::size_t words_below(std::string_view text, std::size_t at, std::string_view name,
                        std::vector<Span>& found);

// secret_data adds the values in the lines below the colon of "data:", where they are those of an
// object of Kubernetes of kind Secret.
void secret_data(std::string_view text, std::size_t colon, std::size_t value,
                 std::vector<Named>& found);

// mapping_below adds what looks like a secret in the lines that stand deeper than the one with the
// colon, whose name is a secret's: those of a mapping in YAML.
void mapping_below(std::string_view text, std::size_t colon, std::size_t value,
                   std::string_view name, std::vector<Named>& found);

}  // namespace plumbline
