// Wrong peers for sorting.cc, flags.cc and narrowing.cc.

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/broken/own_tool.h"

namespace plumbline::conformance {

namespace {

struct Room {
  std::string_view name;
  int euros;
  int free_beds;
};

constexpr std::array<Room, 4> kRooms = {
    {{"101", 85, 1}, {"102", 120, 0}, {"201", 99, 2}, {"301", 240, 1}}};

Json rooms_of(const std::array<Room, 4>& rooms) {
  Json found = Json::array();
  for (const Room& one : rooms) {
    found.push_back({{"name", one.name}, {"euros", one.euros}, {"freeBeds", one.free_beds}});
  }
  return {{"rooms", found}};
}

void sorts_prices_as_texts(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, R"({"sortBy": {"type": "string", "enum": ["name", "price"]}})",
               true, arguments)) {
    std::array<Room, 4> rooms = kRooms;
    if (string_or(arguments, "sortBy", "name") == "price") {
      std::ranges::sort(rooms, {}, [](const Room& one) { return std::to_string(one.euros); });
    }
    answer_with(message, rooms_of(rooms));
  }
  interceptor.say(message);
}

// puts_the_cheapest_first sorts what a file of texts has.
void puts_the_cheapest_first(Interceptor& interceptor, Json message) {
  always_answers(interceptor, std::move(message), "The price list of hops, cheapest first.",
                 R"({"hops": [{"name": "Magnum", "eur_per_kg": 11.4},
                              {"name": "Saaz", "eur_per_kg": 14.2},
                              {"name": "Citra", "eur_per_kg": 34.5},
                              {"name": "Perle", "eur_per_kg": 9.8}]})");
}

void gives_the_longest_first(Interceptor& interceptor, Json message) {
  always_answers(interceptor, std::move(message), "Lists huts, the shortest walk first.",
                 R"({"huts": [{"name": "Alp", "walk_minutes": 30},
                              {"name": "Ridge", "walk_minutes": 12},
                              {"name": "Lake", "walk_minutes": 4}]})");
}

void sorts_by_nothing(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, R"({"sortBy": {"type": "string", "enum": ["name", "euros"]}})",
               true, arguments)) {
    answer_with(message, rooms_of(kRooms));
  }
  interceptor.say(message);
}

void lists_full_rooms(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, R"({"freeOnly": {"type": "boolean"}})", true, arguments)) {
    answer_with(message, rooms_of(kRooms));
  }
  describe_own_tool(interceptor, message,
                    "Lists the rooms. With \"freeOnly\" only those with a free bed are listed.");
  interceptor.say(message);
}

void lists_what_it_should_leave_out(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, R"({"includeArchived": {"type": "boolean"}})", true,
               arguments)) {
    answer_with(message, edit::read(R"({"notes": [{"id": "n1", "archived": false},
                                                  {"id": "n2", "archived": true}]})"));
  }
  describe_own_tool(interceptor, message,
                    "Lists notes. Archived notes are left out unless \"includeArchived\" is true.");
  interceptor.say(message);
}

void joins_filters_by_or(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message,
               R"({"artist": {"type": "string"}, "room": {"type": "string"}})", true, arguments)) {
    Json found = Json::array();
    for (const auto& [artist, room] : {std::pair("Brand", "north"), std::pair("Brand", "south"),
                                       std::pair("Klee", "north"), std::pair("Marc", "west")}) {
      const bool fits = arguments.empty() || arguments.value("artist", "") == artist ||
                        arguments.value("room", "") == room;
      if (fits) found.push_back({{"artist", artist}, {"room", room}});
    }
    answer_with(message, {{"artworks", found}});
  }
  interceptor.say(message);
}

const Deviation kToolsSortingDeviations[] = {
    {.id = "tools.found-as-described",
     .revision = "2025-11-25",
     .what = "joins its filters by or",
     .from_server = joins_filters_by_or},
    {.id = "tools.order-as-described",
     .revision = "2025-11-25",
     .what = "sorts prices as texts",
     .from_server = sorts_prices_as_texts},
    {.id = "tools.order-as-described",
     .revision = "2025-11-25",
     .what = "puts the cheapest first by the text of its price",
     .from_server = puts_the_cheapest_first},
    {.id = "tools.order-as-described",
     .revision = "2025-11-25",
     .what = "gives the longest first where it says the shortest",
     .from_server = gives_the_longest_first},
    {.id = "tools.order-as-described",
     .revision = "2025-11-25",
     .what = "sorts by nothing that it is asked for",
     .from_server = sorts_by_nothing},
    {.id = "tools.found-as-described",
     .revision = "2025-11-25",
     .what = "lists full rooms with freeOnly",
     .from_server = lists_full_rooms},
    {.id = "tools.found-as-described",
     .revision = "2025-11-25",
     .what = "lists what is archived without being asked for that",
     .from_server = lists_what_it_should_leave_out},
};

}  // namespace

Deviations tools_sorting_deviations() { return kToolsSortingDeviations; }

}  // namespace plumbline::conformance
