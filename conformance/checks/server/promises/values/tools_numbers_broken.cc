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

void writes_local_time_as_utc(Interceptor& interceptor, Json message) {
  always_answers(interceptor, std::move(message), "Gives the next departure.",
                 R"({"departs_utc": "2026-06-01T08:00:00Z",
                     "departs_local": "2026-06-01T08:00:00+02:00"})");
}

void takes_tenths_for_seconds(Interceptor& interceptor, Json message) {
  always_answers(interceptor, std::move(message), "Gives how long the last run took.",
                 R"({"run_ms": 1500, "run_seconds": 15})");
}

void swaps_its_degrees(Interceptor& interceptor, Json message) {
  always_answers(interceptor, std::move(message), "Gives where the ship is.",
                 R"({"latitude": 151.2, "longitude": -33.86})");
}

void rounds_its_pages_down(Interceptor& interceptor, Json message) {
  always_answers(interceptor, std::move(message), "Counts the notes.",
                 R"({"total": 7, "per_page": 3, "total_pages": 2})");
}

void ends_before_it_starts(Interceptor& interceptor, Json message) {
  always_answers(interceptor, std::move(message), "Lists shows.",
                 R"([{"starts_at": "2026-06-01T21:00:00Z", "ends_at": "2026-06-01T19:00:00Z"},
                     {"starts_at": "2026-06-02T21:00:00Z", "ends_at": "2026-06-02T19:00:00Z"}])");
}

void is_more_than_done(Interceptor& interceptor, Json message) {
  always_answers(interceptor, std::move(message), "Gives how far the jobs are.",
                 R"({"percent_done": 714})");
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
    {.id = "tools.numbers-agree",
     .revision = "2025-11-25",
     .what = "writes local time with the Z of UTC",
     .from_server = writes_local_time_as_utc},
    {.id = "tools.numbers-agree",
     .revision = "2025-11-25",
     .what = "gives other seconds than milliseconds",
     .from_server = takes_tenths_for_seconds},
    {.id = "tools.numbers-agree",
     .revision = "2025-11-25",
     .what = "swaps latitude and longitude",
     .from_server = swaps_its_degrees},
    {.id = "tools.numbers-agree",
     .revision = "2025-11-25",
     .what = "rounds the number of its pages down",
     .from_server = rounds_its_pages_down},
    {.id = "tools.numbers-agree",
     .revision = "2025-11-25",
     .what = "ends what it lists before that starts",
     .from_server = ends_before_it_starts},
    {.id = "tools.numbers-agree",
     .revision = "2025-11-25",
     .what = "has done more than all",
     .from_server = is_more_than_done},
};

}  // namespace

Deviations tools_numbers_deviations() { return kToolsNumbersDeviations; }

}  // namespace plumbline::conformance
