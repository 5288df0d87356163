// Listing reads what a registry lists, page by page, without I/O: it says what to ask for next, and
// is given the answer.

#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/connector/registry/agent_address.h"
#include "core/connector/registry/descriptor.h"
#include "core/connector/registry/look_alikes.h"
#include "core/wire/http.h"
#include "core/wire/url.h"

namespace plumbline::registry {

struct ListingBounds {
  std::size_t pages_max = 100;
  std::size_t bytes_max = 16U << 20U;  // Of all pages together.
  std::size_t agents_max = 10'000;
};

// Agent is one that may be used: its descriptor, and the address in it that was judged.
struct Agent {
  AgentDescriptor descriptor;
  wire::Url address;
};

// Listed is what came of it.
struct Listed {
  std::map<std::string, Agent> agents;  // By id.
  std::vector<std::string> refused;     // A line for each entry that cannot be used, and why.
  std::vector<std::string> warnings;    // Look-alikes.
  std::string cut;                      // Why this is not all; empty: it is.
  std::string etag;                     // Of the only page; empty: none, or there are several.
};

class Listing {
 public:
  // `known` are names that the user has chosen, which none of the registry's should look like.
  Listing(wire::Url registry, AllowedOrigins allowed, std::vector<std::string> known,
          ListingBounds bounds = {});

  // next returns the address of the page to ask for; nothing: it is over.
  std::optional<wire::Url> next() const { return next_; }

  // bytes_left returns how many bytes the next page may have.
  std::size_t bytes_left() const { return bounds_.bytes_max - bytes_; }

  // take reads the answer to it: an array of descriptors, or {"agents": [...], "nextCursor"?}. An
  // entry that is wrong costs only itself. Of a page that cannot be read, a repeated cursor and a
  // bound that is met the listing is cut; the first page has to come: kInvalidInput, "where: what,
  // what was expected".
  Status take(const wire::HttpResponse& page);

  // lose cuts the listing where a later page cannot be had. An Error of the first is nobody's list.
  Status lose(const Error& why);

  // finish returns the listing. Once.
  Listed finish();

 private:
  Status fail(std::string why);
  void read_entry(const Json& entry, const std::string& pointer);
  void turn_page(const Json& body);

  wire::Url registry_;
  AllowedOrigins allowed_;
  std::vector<std::string> known_;
  ListingBounds bounds_;
  std::optional<wire::Url> next_;
  std::size_t pages_ = 0;
  std::size_t bytes_ = 0;
  std::size_t entries_ = 0;
  std::set<std::string> cursors_;
  std::vector<OwnedName> names_;
  Listed listed_;
};

// Changes is how a listing differs from the one before: ids in their order. Of a listing that is
// cut nothing is removed.
struct Changes {
  std::vector<std::string> added;
  std::vector<std::string> removed;
  std::vector<std::string> changed;

  bool none() const { return added.empty() && removed.empty() && changed.empty(); }
};

Changes changes_between(const Listed& before, const Listed& now);

}  // namespace plumbline::registry
