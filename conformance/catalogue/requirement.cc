#include "conformance/catalogue/requirement.h"

#include <vector>

#include "conformance/catalogue/columns.h"
#include "conformance/catalogue/tables.h"
#include "core/base/check.h"

namespace plumbline::conformance {

namespace {

void append_rows(std::vector<Requirement>& rows, std::string_view table) {
  Columns columns(table);
  while (columns.next_line()) {
    Requirement row;
    for (std::string_view* const column :
         {&row.id, &row.area, &row.level, &row.role, &row.transport, &row.since, &row.until,
          &row.summary, &row.page}) {
      *column = columns.next();
    }
    row.observable = columns.next() == "yes";
    rows.push_back(row);
  }
}

}  // namespace

std::span<const Requirement> requirements() {
  static const std::vector<Requirement> kRows = [] {
    std::vector<Requirement> rows;
    append_rows(rows, table_text("stateful.tsv"));
    append_rows(rows, table_text("stateless.tsv"));
    return rows;
  }();
  return kRows;
}

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

std::span<const Unjudged> unjudged() {
  static const std::vector<Unjudged> kRows = [] {
    std::vector<Unjudged> rows;
    Columns columns(table_text("unjudged.tsv"));
    while (columns.next_line()) {
      Unjudged row;
      row.id = columns.next();
      row.role = columns.next();
      row.era = columns.next();
      row.kind = columns.next();
      row.why = columns.next();
      rows.push_back(row);
    }
    return rows;
  }();
  return kRows;
}

}  // namespace plumbline::conformance
