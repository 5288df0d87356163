// Tokens that are known by what they look like: those of well-known services, JSON web tokens,
// private keys.

#pragma once

#include <string_view>
#include <vector>

#include "core/base/secrets/secret_finder.h"

namespace plumbline {

// CutEnds says where a text was cut before anybody could see the secrets in it.
struct CutEnds {
  bool before = false;
  bool after = false;
};

// add_tokens adds where tokens stand in `text`. Takes time in proportion to it. At an end that was
// cut, the beginning of one is one.
void add_tokens(std::string_view text, CutEnds cut, std::vector<Span>& found);

// add_private_keys adds what stands between the first and the last line of a private key (PEM); of
// one that is not whole, what is there.
void add_private_keys(std::string_view text, std::vector<Span>& found);

}  // namespace plumbline
