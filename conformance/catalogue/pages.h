// A table whose rows stand in several files, each of them a page.

#pragma once

#include <initializer_list>
#include <span>
#include <vector>

namespace plumbline::conformance {

// A Page is the function that returns the rows of one file.
template <typename Row>
using Page = std::span<const Row>();

// joined returns the rows of all pages, in their order.
template <typename Row>
std::vector<Row> joined(std::initializer_list<Page<Row>*> pages) {
  std::vector<Row> all;
  for (Page<Row>* const page : pages) {
    const std::span<const Row> rows = page();
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

}  // namespace plumbline::conformance
