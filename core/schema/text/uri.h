// The little of RFC 3986 that references between schemas need.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace plumbline::schema {

// scheme_bytes returns the length of the scheme that `uri` begins with, its colon included; 0 when
// it begins with none.
std::size_t scheme_bytes(std::string_view uri);

// SplitReference is a reference cut at its first '#'. The fragment is without it, not decoded.
struct SplitReference {
  std::string_view uri;
  std::string_view fragment;
};

SplitReference split_fragment(std::string_view reference);

// resolve_uri returns the target of `reference` (without fragment) seen from `base` (RFC 3986
// section 5.2). An empty base leaves the reference as it is.
std::string resolve_uri(std::string_view base, std::string_view reference);

}  // namespace plumbline::schema
