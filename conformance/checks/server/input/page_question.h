// PageQuestion is a tool that cannot go on before its user has opened a page: an elicitation by
// URL, as the error -32042 (2025-11-25) or as an input request (2026-07-28).

#pragma once

#include <string>
#include <vector>

#include "conformance/checks/server/auth/browser.h"
#include "conformance/checks/server/exercise.h"
#include "conformance/checks/server/probe.h"

namespace plumbline::conformance {

struct PageQuestion {
  std::string unable;  // Why there is none; empty: there is.
  Json retry;          // Params of tools/call that asks again.
  std::string url;
  std::string id;        // Its elicitationId; empty since 2026-07-28.
  std::size_t next = 0;  // Of the exercise: where to look for another.
};

// Leads is where its page is.
enum class Leads {
  kHere,    // At the server.
  kBehind,  // At the third party that is the judge, in the end.
  kAnywhere,
};

// ask_for_page calls each tool that was seen to ask the user, from the call `from` of the exercise
// on, until one asks by a URL that leads there.
Task<PageQuestion> ask_for_page(Probe& probe, Client& client, Leads leads, std::size_t from = 0);

// asks_for_pages returns whether ask_for_page has a tool to call; kNoPageAsked says that there is
// none.
Task<bool> asks_for_pages(Probe& probe);
inline constexpr const char* kNoPageAsked =
    "no tool was seen to ask its user by a URL, and to wait for that";

// take_pages waits until nobody else opens pages of the server. It goes by the exercise, which
// opens none and is made before.
Task<Turns::Turn> take_pages(Probe& probe);

// goes_on asks again and returns whether the tool has done its work now.
Task<bool> goes_on(Client& client, PageQuestion question);

// Opened is what opening a page came to.
struct Opened {
  std::string third_party;  // The authorization request at the judge's third party; empty: none.
};

// open_page opens it, agrees to what it asks, and to what the judge's third party asks on the way.
Task<Opened> open_page(Probe& probe, Browser& browser, std::string address);

// addresses_in returns every address to which the user was sent.
std::vector<std::string> addresses_in(const Exercise& exercise);

// names_in returns the fields of the query that stand for the user: the same in two questions to
// one user, and another in one to somebody else.
std::vector<std::string> names_in(const PageQuestion& one, const PageQuestion& again,
                                  const PageQuestion& others);

// with_names_of returns `address` with what the query of `others` has in the fields `names`.
std::string with_names_of(const std::string& others, const std::vector<std::string>& names,
                          const std::string& address);

}  // namespace plumbline::conformance
