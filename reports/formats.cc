#include "reports/writer.h"

namespace plumbline::reports {
namespace {

constexpr Format kFormats[] = {
    {"json", write_json},         {"junit", write_junit},
    {"sarif", write_sarif},       {"tap", write_tap},
    {"markdown", write_markdown}, {"html", write_html},
    {"github", write_github},     {"badge", write_badge},
    {"prompt", write_prompt},     {"attestation", write_attestation},
};

}  // namespace

std::span<const Format> formats() { return kFormats; }

const Format* find_format(std::string_view name) {
  for (const Format& format : kFormats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

}  // namespace plumbline::reports
