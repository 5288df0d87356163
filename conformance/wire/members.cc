#include "conformance/wire/members.h"

#include <algorithm>

#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

bool has_type(const Json& value, MemberType type) {
  if (type == MemberType::kText) return value.is_string();
  if (type == MemberType::kFlag) return value.is_boolean();
  return value.is_array() &&
         std::ranges::all_of(value, [](const Json& one) { return one.is_string(); });
}

constexpr const char* kMemberTypeNames[] = {"a text", "a list of texts", "true or false"};

}  // namespace

std::string told_member(const Json& document, std::string_view name) {
  const Json* const value = find(document, name);
  if (value == nullptr) return "no " + std::string(name);
  return "the " + std::string(name) + " " + clipped(dump_json(*value));
}

Mistyped mistyped_in(const Json& document, std::span<const TypedMember> members) {
  Mistyped found;
  for (const TypedMember& member : members) {
    const Json* const value = find(document, member.name);
    if (value == nullptr || has_type(*value, member.type)) continue;
    if (value->is_null()) {
      if (!found.null) {
        found = {told_member(document, member.name) +
                     ", expected no such member: strict clients cannot read it",
                 true};
      }
      continue;
    }
    const char* const type = kMemberTypeNames[static_cast<int>(member.type)];
    return {told_member(document, member.name) + ", expected " + type, false};
  }
  return found;
}

}  // namespace plumbline::conformance
