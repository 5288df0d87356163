// What the documentation calls by an id there is.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/catalogue/requirement.h"
#include "conformance/checks/gateway/check.h"
#include "conformance/quality/rules.h"

namespace plumbline::cli {
namespace {

bool is_check(const std::string& id) {
  return std::ranges::any_of(conformance::requirements(),
                             [&](const auto& rule) { return rule.id == id; }) ||
         std::ranges::any_of(conformance::all_gateway_checks(),
                             [&](const auto& check) { return check.id == id; }) ||
         conformance::find_quality_rule(id) != nullptr;
}

bool is_area(const std::string& area) {
  return area == "gateway" ||
         std::ranges::any_of(conformance::requirements(),
                             [&](const auto& rule) { return rule.area == area; });
}

// ids_in returns what stands where an id of a check does, and begins with the name of an area.
std::vector<std::string> ids_in(const std::string& text) {
  constexpr std::string_view kOfId = "abcdefghijklmnopqrstuvwxyz0123456789-.";
  std::vector<std::string> ids;
  for (const std::string_view place : {"\"id\": \"", "FAIL ", "--only ", "--skip ", "explain "}) {
    for (std::size_t at = text.find(place); at != std::string::npos; at = text.find(place, at)) {
      at += place.size();
      std::string id = text.substr(at, text.find_first_not_of(kOfId, at) - at);
      while (id.ends_with('.')) id.pop_back();
      const std::size_t dot = id.find('.');
      if (dot != std::string::npos && is_area(id.substr(0, dot))) ids.push_back(std::move(id));
    }
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
