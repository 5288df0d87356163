#include "core/agents/supervisor/nodes/model_reply.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "core/agents/supervisor/words/plain_text.h"
#include "core/json/json.h"

namespace plumbline::agents::supervisor {

namespace {

constexpr std::array<std::string_view, 7> kMembers = {
    "step", "files", "commands", "findings", "confidence", "next_step_required", "next_tool"};
constexpr std::string_view kBlockFence = "```";

// request_in returns the object that `text` is, where it is one that a step may be.
std::optional<Json> request_in(std::string_view text) {
  text = stripped(text);
  if (!text.starts_with('{') || !text.ends_with('}')) return std::nullopt;
  auto parsed = parse_json(std::string(text));
  if (!parsed.ok() || !parsed.value().is_object() || parsed.value().empty()) return std::nullopt;
  for (const auto& [key, unused] : parsed.value().items()) {
    if (std::ranges::find(kMembers, key) == kMembers.end()) return std::nullopt;
  }
  return std::move(parsed).value();
}

// Split is a reply as its words and what it asks for.
struct Split {
  std::string text;
  std::optional<Json> request{};
};

// fenced_end takes a fenced block off the end of `reply`.
std::optional<Split> fenced_end(std::string_view reply) {
  if (!reply.ends_with(kBlockFence)) return std::nullopt;
  const std::string_view inside = reply.substr(0, reply.size() - kBlockFence.size());
  const std::size_t open = inside.rfind(kBlockFence);
  if (open == inside.npos || (open > 0 && inside[open - 1] != '\n')) return std::nullopt;
  const std::size_t line = inside.find('\n', open);
  if (line == inside.npos) return std::nullopt;
  std::optional<Json> request = request_in(inside.substr(line));
  if (!request) return std::nullopt;
  return Split{std::string(stripped(inside.substr(0, open))), std::move(request)};
}

// plain_end takes an object off the end of `reply` that begins on a line of its own. What lies
// within it begins later and has one brace too many, so the first that can be read is whole.
std::optional<Split> plain_end(std::string_view reply) {
  constexpr int kTriesMax = 256;
  std::size_t at = reply.size();
  for (int tries = 0; tries < kTriesMax && at > 0; ++tries) {
    const std::size_t line = reply.rfind("\n{", at - 1);
    at = line == reply.npos ? 0 : line;
    const std::size_t begin = line == reply.npos ? 0 : line + 1;
    std::optional<Json> request = request_in(reply.substr(begin));
    if (request) return Split{std::string(stripped(reply.substr(0, begin))), std::move(request)};
  }
  return std::nullopt;
}

Split split(const std::string& reply) {
  const std::string_view all = stripped(reply);
  if (std::optional<Split> fenced = fenced_end(all)) return *std::move(fenced);
  if (all.ends_with('}')) {
    if (std::optional<Split> plain = plain_end(all)) return *std::move(plain);
  }
  return {std::string(all)};
}

// read_member reads one member by itself: what is wrong with it costs none of the others.
template <typename Take>
void read_member(const Json& request, StepInput& out, Take take) {
  std::optional<Problem> problem;
  ObjectReader reader(request, "", "the request", problem);
  take(reader);
  if (!problem) return;
  const std::string name = problem->pointer.empty() ? "" : problem->pointer.substr(1) + ": ";
  out.problems.push_back("A part of the model's request could not be read: " + name +
                         problem->message + ".");
}

void read_request(const Json& request, StepInput& out) {
  for (const std::string_view member : kMembers) {
    const Json* const value = find(request, member);
    if (value == nullptr || member == "step" || member == "next_step_required") continue;
    const Json alone = {{std::string(member), *value}};
    StepInput part;
    const std::size_t before = out.problems.size();
    read_member(alone, out, [&](ObjectReader& reader) { read_common(reader, part); });
    if (out.problems.size() > before) continue;
    if (member == "findings") out.findings = std::move(part.findings);
    if (member == "commands") out.commands = std::move(part.commands);
    if (member == "files") out.files = std::move(part.files);
    if (member == "confidence") out.confidence = part.confidence;
    if (member == "next_tool") out.next_tool = std::move(part.next_tool);
  }
  // Who asks for something wants to see it.
  const bool waits = (!out.files.empty() || !out.commands.empty()) && out.next_tool.empty();
  read_member(request, out, [&](ObjectReader& reader) {
    out.next_required = reader.boolean("next_step_required").value_or(waits);
  });
}

}  // namespace

StepInput read_model_step(const std::string& said, std::int64_t number) {
  StepInput out;
  out.number = out.total = number;
  Split parts = split(said);
  out.text = std::move(parts.text);
  out.last_words = !parts.request;
  if (!parts.request) return out;
  read_request(*parts.request, out);
  const std::string step = string_or(*parts.request, "step", "");
  if (!step.empty()) out.text += (out.text.empty() ? "" : "\n\n") + step;
  out.total = number + (out.next_required ? 1 : 0);
  return out;
}

}  // namespace plumbline::agents::supervisor
