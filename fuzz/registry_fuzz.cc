// Any bytes as the page of a registry: reading never crashes, nobody is led away from the
// registry's origin, and a descriptor is the same after it is written and read again.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "core/base/check.h"
#include "core/connector/registry/listing.h"
#include "core/json/json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plumbline;
  const wire::Url from = wire::parse_url("https://registry.example/agents").value();
  registry::Listing listing(from, registry::AllowedOrigins(), {"tickets"});
  wire::HttpResponse page;
  page.body.assign(reinterpret_cast<const char*>(data), size);
  if (!listing.take(page).ok()) return 0;
  if (listing.next()) check(listing.next()->origin() == from.origin(), "pages are the registry's");
  const registry::Listed listed = listing.finish();
  for (const auto& [id, agent] : listed.agents) {
    check(agent.address.host == from.host, "an agent is where its registry is");
    const auto again = registry::read_descriptor(to_json(agent.descriptor), "");
    check(again.ok(), "a descriptor that was written is read");
    check(again.value() == agent.descriptor, "writing and reading keep a descriptor");
  }
  return 0;
}
