#include "reports/spec_link.h"

#include <string_view>

namespace plumbline::reports {
namespace {

constexpr std::string_view kSpecification = "https://modelcontextprotocol.io/specification/";

// url_text returns `text` with everything but what a URL may hold as %XX.
std::string url_text(std::string_view text) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/#?&=:";
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (kPlain.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += '%';
      out += kHex[byte >> 4U];
      out += kHex[byte & 15U];
    }
  }
  return out;
}

}  // namespace

std::string spec_link(const CheckResult& result, const Report& report) {
  if (result.spec.empty()) return "";
  if (result.spec.starts_with("https://") || result.spec.starts_with("http://")) {
    return url_text(result.spec);
  }
  std::string revision = result.revision.empty() ? report.revision : result.revision;
  if (revision.empty()) revision = "latest";
  return std::string(kSpecification) + url_text(revision) + "/" + url_text(result.spec);
}

}  // namespace plumbline::reports
