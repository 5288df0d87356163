// Members of documents that others publish: what is said of one that is not of its type.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/json/json.h"

namespace plumbline::conformance {

// told_member says what stands for a member that is not as expected: "no issuer", where there is
// none, or "the issuer 5".
std::string told_member(const Json& document, std::string_view name);

enum class MemberType { kText, kTexts, kFlag };

struct TypedMember {
  std::string_view name;
  MemberType type;
};

// Mistyped is a member that has another type than its text gives it.
struct Mistyped {
  std::string text;   // "the scopes_supported "notes", expected a list of texts"; empty: none is.
  bool null = false;  // It is null, which many readers take for no such member.
};

// mistyped_in looks for one of `members` that is there in another type; for null last of all.
Mistyped mistyped_in(const Json& document, std::span<const TypedMember> members);

}  // namespace plumbline::conformance
