#include "scenarios/compare/differences.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/check.h"
#include "core/base/text.h"

namespace plumbline::scenarios {

namespace {

constexpr std::size_t kDifferenceBytesMax = 160;

constexpr auto kDifferenceKinds = std::to_array<DifferenceKind>({
    {"diff.revision-changed", Weight::kBreaking, "It agrees on another revision of MCP."},
    {"diff.capability-lost", Weight::kBreaking, "It does not declare a capability any more."},
    {"diff.capability-added", Weight::kCompatible, "It declares one more capability."},
    {"diff.tool-lost", Weight::kBreaking, "A tool is gone."},
    {"diff.tool-added", Weight::kCompatible, "There is one more tool."},
    {"diff.tool-changed", Weight::kVisible,
     "What a tool says of itself is another text, or another hint."},
    {"diff.argument-required", Weight::kBreaking, "An argument that could be left out is wanted."},
    {"diff.argument-lost", Weight::kBreaking, "An argument is no longer known."},
    {"diff.argument-narrowed", Weight::kBreaking, "An argument may no longer be what it was."},
    {"diff.argument-added", Weight::kCompatible, "There is one more argument, to be left out."},
    {"diff.argument-widened", Weight::kCompatible, "An argument may be more than before."},
    {"diff.argument-changed", Weight::kVisible,
     "The schema of an argument is another one; whether it allows less is not known."},
    {"diff.output-lost", Weight::kBreaking, "A member of a tool's output is no longer promised."},
    {"diff.output-changed", Weight::kBreaking, "A member of a tool's output may be another type."},
    {"diff.output-added", Weight::kCompatible, "A tool's output has one more member."},
    {"diff.resource-lost", Weight::kBreaking, "A resource, or a template, is gone."},
    {"diff.resource-added", Weight::kCompatible, "There is one more resource, or template."},
    {"diff.resource-changed", Weight::kVisible, "What a resource says of itself is another text."},
    {"diff.prompt-lost", Weight::kBreaking, "A prompt is gone."},
    {"diff.prompt-added", Weight::kCompatible, "There is one more prompt."},
    {"diff.prompt-changed", Weight::kVisible, "What a prompt says of itself is another text."},
    {"diff.answer-lost", Weight::kBreaking, "A request is not answered any more."},
    {"diff.error-came", Weight::kBreaking, "What had a result ends in an error."},
    {"diff.error-gone", Weight::kCompatible, "What ended in an error has a result."},
    {"diff.error-changed", Weight::kBreaking, "An error is of another class."},
    {"diff.error-text", Weight::kVisible, "An error says something else."},
    {"diff.result-lost", Weight::kBreaking, "A member of a result is gone."},
    {"diff.result-type", Weight::kBreaking, "A member of a result is of another type."},
    {"diff.result-changed", Weight::kVisible, "A value of a result is another one."},
    {"diff.result-added", Weight::kCompatible, "A result has one more member."},
    {"diff.message-lost", Weight::kVisible, "A message that came of its own accord does not."},
    {"diff.message-added", Weight::kVisible, "A message comes that did not."},
});

}  // namespace

std::span<const DifferenceKind> difference_kinds() { return kDifferenceKinds; }

const DifferenceKind* find_difference_kind(std::string_view id) {
  const auto found =
      std::ranges::find(kDifferenceKinds, id.substr(0, id.find(':')), &DifferenceKind::id);
  return found == kDifferenceKinds.end() ? nullptr : &*found;
}

Difference difference(std::string_view id, std::string place, std::string was, std::string is) {
  const DifferenceKind* const kind = find_difference_kind(id);
  check(kind != nullptr, "a kind of difference");
  return {kind, std::move(place), std::move(was), std::move(is)};
}

std::string shown_value(const Json& value) {
  return clipped(dump_json(value), kDifferenceBytesMax);
}

}  // namespace plumbline::scenarios
