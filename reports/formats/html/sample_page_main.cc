// sample_page [ROWS]: prints the HTML report that page_test.mjs opens, of every verdict there is,
// or of ROWS results.

#include <cstdio>
#include <cstdlib>
#include <string>

#include "reports/sample_report.h"
#include "reports/writer.h"

int main(int argc, char** argv) {
  using namespace plumbline::reports;
  const std::string page = write_html(argc > 1 ? long_report(std::atoi(argv[1]))
                                               : odd_report());  // NOLINT(cert-err34-c)
  return std::fwrite(page.data(), 1, page.size(), stdout) == page.size() ? 0 : 1;
}
