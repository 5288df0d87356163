// What the documentation calls by an id there is.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/catalogue/requirement.h"
#include "conformance/checks/gateway/check.h"

namespace plumbline::cli {
namespace {

bool is_check(const std::string& id) {
  return std::ranges::any_of(conformance::requirements(),
                             [&](const auto& rule) { return rule.id == id; }) ||
         std::ranges::any_of(conformance::all_gateway_checks(),
                             [&](const auto& check) { return check.id == id; });
}

bool is_area(const std::string& area) {
  return area == "gateway" ||
         std::ranges::any_of(conformance::requirements(),
                             [&](const auto& rule) { return rule.area == area; });
}

// ids_in returns what stands where an id of a check does, and begins with the name of an area.
std::vector<std::string> ids_in(const std::string& text) {
  static const std::regex kPlaces(
      R"re((?:"id": "|FAIL |--only |--skip |explain )([a-z][a-z0-9-]*)\.([a-z0-9.-]*[a-z0-9]))re");
  std::vector<std::string> ids;
  for (auto match = std::sregex_iterator(text.begin(), text.end(), kPlaces);
       match != std::sregex_iterator(); ++match) {
    if (is_area((*match)[1])) ids.push_back((*match)[1].str() + "." + (*match)[2].str());
  }
  return ids;
}

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

TEST(Docs, NameChecksThatThereAre) {
  std::vector<std::filesystem::path> pages = {SOURCE_ROOT "/README.md"};
  for (const auto& page : std::filesystem::directory_iterator(SOURCE_ROOT "/docs")) {
    if (page.path().extension() == ".md") pages.push_back(page.path());
  }
  int seen = 0;
  for (const std::filesystem::path& page : pages) {
    for (const std::string& id : ids_in(text_of(page))) {
      EXPECT_TRUE(is_check(id)) << page << ": " << id;
      ++seen;
    }
  }
  EXPECT_GT(seen, 4);
}

}  // namespace
}  // namespace plumbline::cli
