// sample_page [findings|sdk|compared|ROWS]: prints an HTML report for page_test.mjs: of every
// verdict there is, of findings with what they bring about, and with what an SDK brings about, of
// two reports compared, or of ROWS results.

#include <cstdio>
#include <cstdlib>
#include <string>

#include "reports/sample_report.h"
#include "reports/writer.h"

namespace {

std::string page_of(const std::string& kind) {
  using namespace plumbline::reports;
  if (kind.empty()) return write_html(odd_report());
  if (kind == "findings") return write_html(findings_report());
  if (kind == "sdk") return write_html(sdk_report());
  if (kind == "compared") return write_compared_html(earlier_report(), findings_report());
  return write_html(long_report(std::atoi(kind.c_str())));  // NOLINT(cert-err34-c)
}

}  // namespace

int main(int argc, char** argv) {
  const std::string page = page_of(argc > 1 ? argv[1] : "");
  return std::fwrite(page.data(), 1, page.size(), stdout) == page.size() ? 0 : 1;
}
