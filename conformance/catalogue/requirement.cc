#include "conformance/catalogue/requirement.h"

namespace plumbline::conformance {

const Requirement* find_requirement(std::string_view id, std::string_view revision) {
  for (const Requirement& row : requirements()) {
    if (row.id == id && row.holds_in(revision)) return &row;
  }
  return nullptr;
}

std::string link_of(const Requirement& requirement) {
  constexpr std::string_view kSite = "https://modelcontextprotocol.io/";
  constexpr std::string_view kOutside = "../../";
  std::string page(requirement.page);
  if (page.starts_with(kOutside)) return std::string(kSite) + page.substr(kOutside.size());
  if (page.starts_with("seps/")) return std::string(kSite) + page;
  if (page.starts_with("20")) return std::string(kSite) + "specification/" + page;
  const std::string_view revision = !requirement.until.empty()        ? requirement.until
                                    : is_stateless(requirement.since) ? kNewestStateless
                                                                      : kNewestStateful;
  return std::string(kSite) + "specification/" + std::string(revision) + "/" + page;
}

}  // namespace plumbline::conformance
