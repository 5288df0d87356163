// Any text where peers put theirs into a report: a line a place, in turn. The page has the elements
// that it began with, its data means what was said, and every other format is clean text.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "core/base/check.h"
#include "fuzz/script.h"
#include "reports/compare/comparison.h"
#include "reports/text.h"
#include "reports/writer.h"

namespace {

using namespace plumbline;

constexpr std::string_view kDataBegin = "<script type=\"application/json\" id=\"report\">";

constexpr std::size_t kPlaces = 11;

std::string& place_of(Report& report, std::size_t number) {
  const std::size_t row = number / kPlaces;
  while (report.results.size() <= row) report.results.emplace_back();
  CheckResult& result = report.results[row];
  result.verdict = static_cast<Verdict>(row % 6);
  std::string* const places[] = {&result.id,        &result.title,  &result.message,
                                 &result.area,      &result.server, &result.revision,
                                 &result.transport, &result.spec,   &result.reproduce,
                                 &report.command,   &result.because};
  static_assert(std::size(places) == kPlaces);
  return *places[number % kPlaces];
}

Report report_of(std::string_view text) {
  Report report;
  report.version = "1";
  std::size_t number = 0;
  fuzzing::for_each_line(text, [&](std::string_view line) {
    place_of(report, number++) = std::string(line);
    const Result<Json> said = parse_json(line);
    const Json message = said.ok() ? said.value() : Json(std::string(line));
    report.results.back().evidence.push_back({1, "<-", message});
  });
  return report;
}

std::size_t times_in(std::string_view text, std::string_view what) {
  std::size_t times = 0;
  for (std::size_t at = text.find(what); at != std::string_view::npos; ++times) {
    at = text.find(what, at + what.size());
  }
  return times;
}

// check_page compares with the page of an empty report: text makes no element, no attribute and no
// comment, because no "<" is left of it. Returns the data of the page.
Json check_page(const std::string& page) {
  static const std::string empty = reports::write_html(Report());
  check(times_in(page, "<") == times_in(empty, "<"), "text became an element");
  const std::size_t begin = page.find(kDataBegin);
  check(begin != std::string::npos, "the page has its data");
  const std::size_t end = page.find("</script", begin);
  const std::string_view data = std::string_view(page).substr(begin + kDataBegin.size());
  const Result<Json> read = parse_json(data.substr(0, end - begin - kDataBegin.size()));
  check(read.ok(), "the data of a page is JSON");
  check(reports::printable(page) == page, "a page holds what steers a terminal");
  return read.value();
}

// check_compared puts the report in the place of the earlier one, and of the later.
void check_compared(const Report& report) {
  Report half = report;
  half.results.resize(report.results.size() / 2);
  const Json grown = check_page(reports::write_compared_html(half, report));
  check(grown.at("results").size() == report.results.size(), "each result has its row");
  const Json shrunk = check_page(reports::write_compared_html(report, half));
  check(shrunk.at("results").size() == half.results.size(), "each result has its row");
  check(shrunk.at("gone").size() <= report.results.size(), "no more is gone than there was");
  const std::string text = reports::write_comparison(half, report);
  check(reports::printable(text) == text, "a comparison holds what steers a terminal");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 20'000) return 0;
  const Report report = report_of({reinterpret_cast<const char*>(data), size});
  const Json page = check_page(reports::write_html(report));
  check(page.at("results").size() == report.results.size(), "each result has its row");
  check_compared(report);
  for (const reports::Format& format : reports::formats()) {
    const std::string text = format.write(report);
    if (format.name == "json") {
      check(parse_json(text).ok(), "a report in JSON is JSON");
    } else {
      check(reports::printable(text) == text, "a report holds what steers a terminal");
    }
  }
  return 0;
}
