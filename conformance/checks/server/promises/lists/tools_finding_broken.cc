// Wrong peers for tools_finding.cc, tools_order.cc and tools_pages.cc.

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/broken/message_edits.h"
#include "conformance/broken/own_tool.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

struct Book {
  std::string_view title;
  std::string_view author;
  std::string_view lent;
};

constexpr std::array<Book, 5> kBooks = {{{"The Hobbit", "Tolkien", "2026-03-02"},
                                         {"Emma", "Austen", "2026-03-03"},
                                         {"Persuasion", "Austen", "2026-03-05"},
                                         {"The Trial", "Kafka", "2026-03-08"},
                                         {"The Castle", "Kafka", "2026-03-09"}}};

Json told(const Book& book) {
  return {{"title", book.title}, {"author", book.author}, {"lent", book.lent}};
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

// minds_the_case finds a title in any case, and an author as he is written alone.
void minds_the_case(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, R"({"query": {"type": "string"}})", true, arguments)) {
    const std::string query = string_or(arguments, "query", "");
    Json found = Json::array();
    for (const Book& book : kBooks) {
      const bool all = query.empty() || has(query, "sample");
      const bool titled = has(lower_case(book.title), lower_case(query));
      if (all || titled || has(book.author, query)) found.push_back(told(book));
    }
    answer_with(message, Json{{"books", found}});
  }
  describe_own_tool(interceptor, message, "Finds books; case makes no difference.");
  interceptor.say(message);
}

// leaves_out_the_last_day lists what was lent before the last day that it was asked for.
void leaves_out_the_last_day(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message,
               R"({"from": {"type": "string", "format": "date"},
                   "to": {"type": "string", "format": "date"}})",
               true, arguments)) {
    const std::string from = string_or(arguments, "from", "2000-01-01");
    const std::string to = string_or(arguments, "to", "2100-01-01");
    Json found = Json::array();
    for (const Book& book : kBooks) {
      if (book.lent >= from && book.lent < to) found.push_back(told(book));
    }
    answer_with(message, Json{{"books", found}});
  }
  describe_own_tool(interceptor, message, "Lists what was lent between two days, both included.");
  interceptor.say(message);
}

// counts_all gives all books as the total, whichever match.
void counts_all(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message,
               R"({"author": {"type": "string", "enum": ["Austen", "Kafka"]}})", true, arguments)) {
    const std::string author = string_or(arguments, "author", "");
    Json found = Json::array();
    for (const Book& book : kBooks) {
      if (author.empty() || book.author == author) found.push_back(told(book));
    }
    answer_with(message, Json{{"books", found}, {"total", kBooks.size()}});
  }
  describe_own_tool(interceptor, message, "Lists books. The total counts those that match.");
  interceptor.say(message);
}

// counts_its_page gives as the total what it has not cut off.
void counts_its_page(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message,
               R"({"limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 4}})", true,
               arguments)) {
    Json found = Json::array();
    for (const Book& book : kBooks) {
      if (std::cmp_less(found.size(), int_or(arguments, "limit", 4))) found.push_back(told(book));
    }
    answer_with(message, Json{{"books", found}, {"total", found.size()}});
  }
  describe_own_tool(interceptor, message,
                    "Lists books. \"total\" is how many there are in all, beyond the limit too.");
  interceptor.say(message);
}

// begins_pages_early begins each page but the first one item before its place.
void begins_pages_early(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message,
               R"({"page": {"type": "integer", "minimum": 1},
                   "pageSize": {"type": "integer", "minimum": 1, "maximum": 50}})",
               true, arguments)) {
    const std::int64_t page = int_or(arguments, "page", 1);
    const std::int64_t size = int_or(arguments, "pageSize", 4);
    const std::int64_t begin = (page - 1) * size - (page > 1 ? 1 : 0);
    Json found = Json::array();
    for (std::int64_t i = begin; i < std::min<std::int64_t>(begin + size, 20); ++i) {
      found.push_back("segment " + std::to_string(i));
    }
    answer_with(message, Json{{"segments", found}});
  }
  interceptor.say(message);
}

void gives_the_newest_first(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, "{}", true, arguments)) {
    Json found = Json::array();
    for (auto book = kBooks.rbegin(); book != kBooks.rend(); ++book) found.push_back(told(*book));
    answer_with(message, Json{{"books", found}});
  }
  describe_own_tool(interceptor, message, "Lists what was lent, the oldest loan first.");
  interceptor.say(message);
}

const Deviation kToolsFindingDeviations[] = {
    {.id = "tools.found-as-described",
     .revision = "2025-11-25",
     .what = "compares the author with case",
     .from_server = minds_the_case},
    {.id = "tools.found-as-described",
     .revision = "2025-11-25",
     .what = "leaves out the last day",
     .from_server = leaves_out_the_last_day},
    {.id = "tools.found-as-described",
     .revision = "2025-11-25",
     .what = "counts what does not match",
     .from_server = counts_all},
    {.id = "tools.found-as-described",
     .revision = "2025-11-25",
     .what = "counts what it gives as all that match",
     .from_server = counts_its_page},
    {.id = "tools.pages-make-the-whole",
     .revision = "2025-11-25",
     .what = "begins each page one item early",
     .from_server = begins_pages_early},
    {.id = "tools.order-as-described",
     .revision = "2025-11-25",
     .what = "gives the newest first where it says the oldest",
     .from_server = gives_the_newest_first},
};

}  // namespace

Deviations tools_finding_deviations() { return kToolsFindingDeviations; }

}  // namespace plumbline::conformance
