// Wrong peers for tools_numbers.cc.

#include <utility>

#include "conformance/broken/own_tool.h"

namespace plumbline::conformance {

namespace {

void leaves_out_a_line(Interceptor& interceptor, Json message) {
  always_answers(interceptor, std::move(message),
                 "Returns a bill; \"totalCents\" is the sum of all lines.",
                 R"({"lines": [{"label": "base", "cents": 500}, {"label": "use", "cents": 720}],
                     "totalCents": 720})");
}

void counts_too_few(Interceptor& interceptor, Json message) {
  always_answers(interceptor, std::move(message), "Lists the boats, and how many there are.",
                 R"({"boats": ["Ada", "Bert", "Cleo"], "count": 2})");
}

void counts_the_day_of_departure(Interceptor& interceptor, Json message) {
  always_answers(interceptor, std::move(message), "Quotes a stay by the night.",
                 R"({"arrival": "2026-06-01", "departure": "2026-06-04", "nights": 4})");
}

void charges_a_night_more(Interceptor& interceptor, Json message) {
  always_answers(interceptor, std::move(message),
                 "Quotes a hire: priceCents is dailyCents times nights.",
                 R"({"dailyCents": 1900, "nights": 4, "priceCents": 9500})");
}

void ranks_equals_apart(Interceptor& interceptor, Json message) {
  always_answers(interceptor, std::move(message),
                 "Ranks the teams. Teams with equal points share a rank.",
                 R"({"teams": [{"team": "A", "points": 9, "rank": 1},
                               {"team": "B", "points": 9, "rank": 2}]})");
}

const Deviation kToolsNumbersDeviations[] = {
    {.id = "tools.numbers-agree",
     .revision = "2025-11-25",
     .what = "leaves a line out of its sum",
     .from_server = leaves_out_a_line},
    {.id = "tools.numbers-agree",
     .revision = "2025-11-25",
     .what = "counts fewer than it lists",
     .from_server = counts_too_few},
    {.id = "tools.numbers-agree",
     .revision = "2025-11-25",
     .what = "counts the day of departure as a night",
     .from_server = counts_the_day_of_departure},
    {.id = "tools.numbers-agree",
     .revision = "2025-11-25",
     .what = "charges a night more than its formula",
     .from_server = charges_a_night_more},
    {.id = "tools.numbers-agree",
     .revision = "2025-11-25",
     .what = "gives equals different ranks",
     .from_server = ranks_equals_apart},
};

}  // namespace

Deviations tools_numbers_deviations() { return kToolsNumbersDeviations; }

}  // namespace plumbline::conformance
