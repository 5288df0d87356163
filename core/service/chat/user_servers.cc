#include "core/service/chat/user_servers.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/service/chat/chat_book.h"

namespace plumbline::service {

namespace {

using agents::chat::ServerLink;

constexpr std::string_view kLinkLead = "link-";

// link_id_of makes the same id of the same server, so that adding it twice is adding it once.
std::string link_id_of(const std::string& server_id) {
  return std::string(kLinkLead) + user_key(server_id);
}

Error no_link(const std::string& id) {
  return {ErrorCode::kInvalidInput, "there is no link \"" + id + "\""};
}

// shown_server is what people and models see of a server: not how it is reached.
Json shown_server(const Json& server) {
  return {{"id", string_or(server, "id", "")},
          {"name", string_or(server, "name", "")},
          {"description", string_or(server, "description", "")}};
}

}  // namespace

LinksOf::LinksOf(std::string user, Loop& loop, transport::Connector& connector,
                 RecordStore& records, ServerCatalog& catalog, const UserServersOptions& options,
                 const Redactor& redactor)
    : user_(std::move(user)),
      records_(records),
      catalog_(catalog),
      options_(options),
      redactor_(redactor),
      connector_(connector, options.configuring, catalog),
      hub_(loop, connector_, hub_options(), redactor_, nullptr) {}

// hub_options are those of all, with none of their servers; what a server asks the model says no
// secret of its user back.
connector::HubOptions LinksOf::hub_options() {
  connector::HubOptions out = options_.hub;
  out.servers.clear();
  out.on_sample = [this](std::string server, Json params) {
    redactor_.contain(params);
    return samples_.answer(std::move(server), std::move(params));
  };
  return out;
}

// hide lets no server say back what the user has set for one of them.
void LinksOf::hide(const Json& config) {
  for (const std::string& value : secrets_in(config)) {
    if (!redactor_.finds_secret(value)) redactor_.add_forms(value);
  }
}

std::string LinksOf::key_of(const std::string& link_id) const {
  return "chat/link/" + user_key(user_) + "/" + link_id;
}

Task<Status> LinksOf::refresh() {
  const Result<std::vector<ServerLink>> now = co_await links();
  if (!now.ok()) co_return now.error();
  co_return Done{};
}

void LinksOf::connect_to(const std::vector<ServerLink>& links) {
  std::vector<std::string> wanted;
  for (const ServerLink& link : links) {
    if (!link.enabled) continue;
    hide(link.config);
    wanted.push_back(link.server_id);
    const bool has = std::ranges::find(connected_, link.server_id) != connected_.end();
    if (!connector_.set(link.server_id, link.config) || !has) continue;
    hub_.remove(link.server_id);  // It was told something else.
    hub_.add(link.server_id);
  }
  for (const std::string& server : connected_) {
    if (std::ranges::find(wanted, server) == wanted.end()) hub_.remove(server);
  }
  for (const std::string& server : wanted) {
    if (std::ranges::find(connected_, server) == connected_.end()) hub_.add(server);
  }
  connected_ = std::move(wanted);
}

Task<Result<std::vector<Json>>> LinksOf::search(agents::chat::ServerQuery query) {
  return catalog_.search(std::move(query));
}

// links also has those that everybody has; a user who has turned one of them off has a record of
// it that says so.
Task<Result<std::vector<ServerLink>>> LinksOf::links() {
  std::string prefix = key_of("");
  const Result<std::vector<Record>> kept =
      co_await records_.list(std::move(prefix), "", options_.links_max);
  if (!kept.ok()) co_return kept.error();
  std::vector<ServerLink> out;
  for (const Record& record : kept.value()) {
    const Result<Json> json = parse_json(record.value);
    if (!json.ok()) co_return json.error();
    Result<ServerLink> link = agents::chat::server_link_of(json.value());
    if (!link.ok()) co_return link.error();
    out.push_back(std::move(link).value());
  }
  for (const std::string& server_id : options_.linked) {
    if (std::ranges::find(out, server_id, &ServerLink::server_id) != out.end()) continue;
    std::string id = server_id;
    const Result<std::optional<Json>> server = co_await catalog_.find(std::move(id));
    if (!server.ok() || !server.value()) continue;
    out.push_back({link_id_of(server_id), server_id, true, nullptr, shown_server(*server.value())});
  }
  connect_to(out);
  co_return out;
}

Task<Status> LinksOf::keep(ServerLink link, std::int64_t version) {
  std::vector<Put> puts = {{key_of(link.id), version, dump_json(agents::chat::to_json(link))}};
  const Result<bool> put = co_await records_.put(std::move(puts));
  if (!put.ok()) co_return put.error();
  if (!put.value()) co_return Error{ErrorCode::kConflict, "the link has changed meanwhile"};
  co_return Done{};
}

Task<Result<std::optional<Json>>> LinksOf::find(std::string server_id) {
  return catalog_.find(std::move(server_id));
}

Task<Result<ServerLink>> LinksOf::add(Json server, Json config) {
  const std::string server_id = string_or(server, "id", "");
  const Result<LinkSettings> said = settings_of(server, config);
  if (!said.ok()) co_return said.error();
  const Result<std::vector<ServerLink>> before = co_await links();
  if (!before.ok()) co_return before.error();
  const bool has =
      std::ranges::find(before.value(), server_id, &ServerLink::server_id) != before.value().end();
  if (!has && before.value().size() >= options_.links_max) {
    co_return Error{ErrorCode::kLimitReached,
                    "a user links at most " + std::to_string(options_.links_max) + " servers"};
  }
  ServerLink link{link_id_of(server_id), server_id, true, std::move(config), shown_server(server)};
  std::string key = key_of(link.id);
  const Result<std::optional<Record>> kept = co_await records_.get(std::move(key));
  if (!kept.ok()) co_return kept.error();
  ServerLink copy = link;
  const std::int64_t version = kept.value() ? kept.value()->version : 0;
  const Status put = co_await keep(std::move(copy), version);
  if (!put.ok()) co_return put.error();
  const Result<std::vector<ServerLink>> now = co_await links();
  if (!now.ok()) co_return now.error();
  co_return link;
}

Task<Status> LinksOf::remove(std::string link_id, bool hard) {
  const Result<std::vector<ServerLink>> before = co_await links();
  if (!before.ok()) co_return before.error();
  const auto found = std::ranges::find(before.value(), link_id, &ServerLink::id);
  if (found == before.value().end()) co_return no_link(link_id);
  const auto& everybodys = options_.linked;
  const bool is_everybodys = std::ranges::find(everybodys, found->server_id) != everybodys.end();
  std::string key = key_of(link_id);
  if (hard && !is_everybodys) {
    const Result<bool> gone = co_await records_.remove(std::move(key), RecordStore::kNewest);
    if (!gone.ok()) co_return gone.error();
  } else {
    const Result<std::optional<Record>> kept = co_await records_.get(std::move(key));
    if (!kept.ok()) co_return kept.error();
    ServerLink off = *found;
    off.enabled = false;
    const std::int64_t version = kept.value() ? kept.value()->version : 0;
    const Status put = co_await keep(std::move(off), version);
    if (!put.ok()) co_return put;
  }
  co_return co_await refresh();
}

UserServers::Use UserServers::of(const std::string& user) {
  Known& known = users_[user];
  known.used = ++clock_;
  if (known.links == nullptr) {
    known.links =
        std::make_unique<LinksOf>(user, loop_, connector_, records_, catalog_, options_, redactor_);
  }
  Use use(known);
  make_room();
  return use;
}

// connections_at_most counts those of whoever is at work or was last here as all that he may have.
std::size_t UserServers::connections_at_most() const {
  std::size_t sum = 0;
  for (const auto& [user, known] : users_) {
    const bool may_grow = known.in_use > 0;
    sum += may_grow ? std::max(known.links->connections(), options_.linked.size())
                    : known.links->connections();
  }
  return sum;
}

// make_room forgets the connections of who was here least lately and has no turn under way.
void UserServers::make_room() {
  while (users_.size() > options_.users_max || connections_at_most() > options_.connections_max) {
    auto oldest = users_.end();
    for (auto user = users_.begin(); user != users_.end(); ++user) {
      if (user->second.in_use > 0) continue;
      if (oldest == users_.end() || user->second.used < oldest->second.used) oldest = user;
    }
    if (oldest == users_.end()) return;
    users_.erase(oldest);
  }
}

Task<void> UserServers::close() {
  TaskGroup closing;
  for (auto& [user, known] : users_) closing.spawn(known.links->hub().close());
  co_await closing.join(loop_);
}

}  // namespace plumbline::service
