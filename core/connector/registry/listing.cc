#include "core/connector/registry/listing.h"

#include <algorithm>
#include <utility>

#include "core/base/text.h"
#include "core/wire/form.h"

namespace plumbline::registry {

namespace {

constexpr int kStatusOk = 200;
constexpr std::size_t kCursorBytesMax = 2'048;
constexpr std::size_t kRefusedMax = 100;  // Lines about entries that cannot be used.

wire::Url page_at(wire::Url registry, const std::string& cursor) {
  registry.target += registry.target.find('?') == std::string::npos ? '?' : '&';
  registry.target += wire::Form({{"cursor", cursor}}).text();
  return registry;
}

}  // namespace

Listing::Listing(wire::Url registry, AllowedOrigins allowed, std::vector<std::string> known,
                 ListingBounds bounds)
    : registry_(std::move(registry)),
      allowed_(std::move(allowed)),
      known_(std::move(known)),
      bounds_(bounds),
      next_(registry_) {}

Status Listing::fail(std::string why) {
  next_.reset();
  if (pages_ > 0) {
    listed_.cut = std::move(why);
    return Done{};
  }
  return Error{ErrorCode::kInvalidInput,
               registry_.origin() + registry_.target + ": " + std::move(why)};
}

Status Listing::lose(const Error& why) {
  const Status lost = fail(why.message);
  return lost.ok() ? lost : Error{why.code, lost.error().message};
}

Status Listing::take(const wire::HttpResponse& page) {
  if (page.status != kStatusOk) {
    return fail("it answered " + std::to_string(page.status) + ", expected 200");
  }
  bytes_ += std::min(page.body.size(), bytes_left());
  const Result<Json> body = parse_json(page.body);
  if (!body.ok()) return fail(body.error().message);
  const bool bare = body.value().is_array();
  const Json* const entries = bare ? &body.value() : find(body.value(), "agents");
  if (entries == nullptr || !entries->is_array()) {
    return fail("here is " + std::string(type_name(body.value())) +
                ", expected an array of agents or {\"agents\": [...]}");
  }
  const std::string at = bare ? "" : "/agents";
  for (std::size_t i = 0; i < entries->size(); ++i) {
    if (++entries_ > bounds_.agents_max) {
      ++pages_;
      return fail("there are more than " + std::to_string(bounds_.agents_max) + " agents");
    }
    read_entry((*entries)[i], at + '/' + std::to_string(i));
  }
  ++pages_;
  listed_.etag = pages_ == 1 ? std::string(page.headers.get("ETag").value_or("")) : "";
  turn_page(body.value());
  return Done{};
}

void Listing::turn_page(const Json& body) {
  next_.reset();
  const Json* const cursor = find(body, "nextCursor");
  if (cursor == nullptr || cursor->is_null()) return;
  listed_.etag.clear();
  const auto* const text = cursor->get_ptr<const std::string*>();
  if (text == nullptr || text->empty() || text->size() > kCursorBytesMax) {
    listed_.cut = "its \"nextCursor\" is none, expected a short text";
  } else if (!cursors_.insert(*text).second) {
    listed_.cut = "it names the same \"nextCursor\" again";
  } else if (pages_ >= bounds_.pages_max || bytes_left() == 0) {
    listed_.cut = "it has more than " + std::to_string(bounds_.pages_max) + " pages or " +
                  std::to_string(bounds_.bytes_max) + " bytes";
  } else {
    next_ = page_at(registry_, *text);
  }
}

void Listing::read_entry(const Json& entry, const std::string& pointer) {
  const std::string where = "page " + std::to_string(pages_ + 1) + " ";
  const auto refuse = [this](std::string line) {
    if (listed_.refused.size() < kRefusedMax) listed_.refused.push_back(std::move(line));
  };
  Result<AgentDescriptor, Problem> read = read_descriptor(entry, pointer);
  if (!read.ok()) return refuse(where + read.error().pointer + ": " + read.error().message);
  AgentDescriptor agent = std::move(read).value();
  const std::string who = "agent \"" + agent.id + "\": ";
  Result<wire::Url> address = agent_address(agent.endpoint, registry_, allowed_);
  if (!address.ok()) return refuse(who + address.error().message);
  if (!speaks_mcp(agent)) {
    return refuse(who + "none of its \"supportedProtocols\" is ours, expected mcp");
  }
  if (listed_.agents.contains(agent.id)) return refuse(who + "its id is listed twice");
  names_.push_back({agent.id, agent.id});
  if (agent.name != agent.id) names_.push_back({agent.id, agent.name});
  const std::string id = agent.id;
  listed_.agents[id] = Agent{std::move(agent), std::move(address).value()};
}

Listed Listing::finish() {
  listed_.warnings = look_alikes(known_, names_);
  return std::move(listed_);
}

Changes changes_between(const Listed& before, const Listed& now) {
  Changes out;
  for (const auto& [id, agent] : now.agents) {
    const auto old = before.agents.find(id);
    if (old == before.agents.end()) {
      out.added.push_back(id);
    } else if (old->second.descriptor != agent.descriptor) {
      out.changed.push_back(id);
    }
  }
  if (!now.cut.empty()) return out;
  for (const auto& [id, agent] : before.agents) {
    if (!now.agents.contains(id)) out.removed.push_back(id);
  }
  return out;
}

}  // namespace plumbline::registry
