// In which order a request wants many things.

#pragma once

#include <string>
#include <string_view>

namespace plumbline::agents {

// order_in returns what a request says of the order, as written: "sorted by date",
// "alphabetically". Empty: nothing.
std::string order_in(std::string_view request);

// counts_until returns whether a request asks how many there are until a time.
bool counts_until(std::string_view request);

// names_an_order returns whether a property says by its name in which order things come: "sortBy".
bool names_an_order(std::string_view property);

}  // namespace plumbline::agents
