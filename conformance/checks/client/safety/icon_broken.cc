// Clients that load icons as they must not.

#include <string>

#include "conformance/broken/client/client_edits.h"
#include "conformance/broken/client/right_clients.h"

namespace plumbline::conformance {

namespace {

// load fetches the icons of the server at the end: those whose address holds `which`.
void load(Interceptor& interceptor, const Json& message, std::string_view which,
          const std::string& headers) {
  const Json* const tool = at_pointer(message, "/result/tools/0");
  const Json* const icons = tool == nullptr ? nullptr : find(*tool, "icons");
  if (icons != nullptr && string_or(*tool, "name", "") == "with_icons_to_load") {
    interceptor.memory = Json::array();
    for (const Json& icon : *icons) {
      Json to_load(Json::value_t::object);
      to_load["fetch"] = string_or(icon, "src", "");
      to_load["headers"] = headers;
      if (string_or(icon, "src", "").find(which) != std::string::npos) {
        interceptor.memory.push_back(std::move(to_load));
      }
    }
  }
  interceptor.say(message);
}

// follow fetches the icon that moved, and what is behind it.
void follow(Interceptor& interceptor, Json message) {
  load(interceptor, message, "/icon-", "");
  if (!interceptor.memory.is_array() || interceptor.memory.size() < 4) return;
  std::string foreign = string_or(interceptor.memory[3], "fetch", "");
  const std::string behind = "/icon-behind.png";
  foreign.replace(foreign.find("/icon-"), std::string::npos, behind);
  interceptor.memory[3]["fetch"] = foreign;
}

// chokes ends the client at a list with an icon of a megabyte.
void chokes(Interceptor& interceptor, Json message) {
  constexpr std::size_t kLarge = 1U << 20U;
  const Json* const source = at_pointer(message, "/result/tools/0/icons/0/src");
  const bool large = source != nullptr && source->is_string() &&
                     source->get_ref<const std::string&>().size() > kLarge;
  if (large) return interceptor.stop();
  interceptor.say(message);
}

constexpr auto kHttpOnly = Transport::kHttp;

const ClientDeviation kIconDeviations[] = {
    {.id = "base.icons-size-limits-resilient",
     .revision = "2025-11-25",
     .what = "ends at an icon of a megabyte",
     .from_server = chokes,
     .also = {"stdio.shutdown-client-sequence"}},
    {.id = "base.icons-security-precautions",
     .revision = "2026-07-28",
     .what = "ends at an icon of a megabyte",
     .from_server = chokes,
     .also = {"stdio.shutdown-client-sequence"}},
    {.id = "base.icons-fetch-without-credentials",
     .revision = "2025-11-25",
     .transport = kHttpOnly,
     .what = "shows its token to whoever has the icon",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           load(interceptor, message, "/icon-plain", "Authorization: Bearer secret\r\n");
         }},
    {.id = "base.icons-fetch-without-credentials",
     .revision = "2026-07-28",
     .transport = kHttpOnly,
     .what = "gives back the cookie of an icon",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           load(interceptor, message, "/icon-second", "Cookie: judge=1\r\n");
         }},
    {.id = "base.icons-redirects-restricted",
     .revision = "2025-11-25",
     .transport = kHttpOnly,
     .what = "follows an icon to another origin",
     .from_server = follow},
    {.id = "base.icons-same-origin",
     .revision = "2026-07-28",
     .transport = kHttpOnly,
     .what = "loads icons from anywhere",
     .from_server = [](Interceptor& interceptor,
                       Json message) { load(interceptor, message, "/icon-foreign", ""); }},
};

}  // namespace

ClientDeviations icon_deviations() { return kIconDeviations; }

ClientDeviation right_icon_loader() {
  ClientDeviation right;
  right.id = "base.icons-same-origin";
  right.revision = "2025-11-25";
  right.transport = kHttpOnly;
  right.what = "loads the icons of the server's own origin";
  right.from_server = [](Interceptor& interceptor, Json message) {
    load(interceptor, message, "/icon-plain", "");
  };
  return right;
}

}  // namespace plumbline::conformance
