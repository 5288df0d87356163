#include "reports/spec_link.h"

#include <string_view>

namespace plumbline::reports {
namespace {

constexpr std::string_view kSite = "https://modelcontextprotocol.io/";

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
  const std::string page = url_text(result.spec);
  constexpr std::string_view kOutside = "../../";
  if (page.starts_with(kOutside)) return std::string(kSite) + page.substr(kOutside.size());
  if (page.starts_with("seps/")) return std::string(kSite) + page;
  if (page.starts_with("20")) return std::string(kSite) + "specification/" + page;
  std::string revision = result.revision.empty() ? report.revision : result.revision;
  if (revision.empty()) revision = "latest";
  return std::string(kSite) + "specification/" + url_text(revision) + "/" + page;
}

}  // namespace plumbline::reports
