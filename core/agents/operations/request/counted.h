// Numbers that a request gives with what they count, and dates.

#pragma once

#include "core/agents/operations/request/extraction.h"
#include "core/agents/operations/request/request_text.h"
#include "core/json/json.h"

namespace plumbline::agents {

// give_dates gives the two dates of a request to the two properties of which one is a beginning and
// one an end: checkIn and checkOut, of "from 2027-05-01 to 2027-05-04". A single date is given to
// one of these by the word before it, or else to the one property for a date.
void give_dates(Extraction& extraction, const Json& properties, RequestText& request);

// give_prices gives a number that is bounded and stands with money to the one property for such a
// bound, and the code of its currency to the one for that: "at most 300 EUR".
void give_prices(Extraction& extraction, const Json& properties, RequestText& request);

// give_counted gives numbers to the properties that count what stands behind them, as their names
// or descriptions say: "3 people" to guests, "5 times" to "Number of times ...".
void give_counted(Extraction& extraction, const Json& properties, RequestText& request);

}  // namespace plumbline::agents
