// UserServers is what one user has linked, kept in a RecordStore, and the connections to it, which
// nobody else uses.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/agents/chat/sampling.h"
#include "core/agents/chat/server_directory.h"
#include "core/base/doors/record_store.h"
#include "core/connector/mcp_hub.h"
#include "core/json/redactor.h"
#include "core/service/chat/link_settings.h"
#include "core/service/chat/server_catalog.h"

namespace plumbline::service {

// UserServersOptions is what is the same for all users.
struct UserServersOptions {
  std::vector<std::string> linked;       // Servers that every user has, though nobody linked them.
  connector::HubOptions hub;             // Its `servers` are not looked at.
  std::size_t links_max = 50;            // Of one user.
  LinkConnector* configuring = nullptr;  // For links that say something. Null: none may.

  // Of all users, those whom nobody waits for included. Beyond them the connections of who was here
  // least lately and has no turn under way are closed, so that nobody keeps others from their own.
  std::size_t users_max = 1'000;
  std::size_t connections_max = 200;  // A stdio server's is a process.
};

// LinksOf is one user's.
class LinksOf final : public agents::chat::ServerDirectory {
 public:
  // All must outlive it.
  LinksOf(std::string user, Loop& loop, transport::Connector& connector, RecordStore& records,
          ServerCatalog& catalog, const UserServersOptions& options, const Redactor& redactor);

  connector::McpHub& hub() { return hub_; }
  agents::chat::SampleDesk& samples() { return samples_; }
  std::size_t connections() const { return connected_.size(); }  // At most; opened when used.

  // refresh reads the links anew, for another process may have changed them, and opens and closes
  // connections as they say.
  Task<Status> refresh();

  // implements ServerDirectory ---
  Task<Result<std::vector<Json>>> search(agents::chat::ServerQuery query) override;
  Task<Result<std::optional<Json>>> find(std::string server_id) override;
  Task<Result<agents::chat::ServerLink>> add(Json server, Json config) override;
  Task<Result<std::vector<agents::chat::ServerLink>>> links() override;
  Task<Status> remove(std::string link_id, bool hard) override;

 private:
  std::string key_of(const std::string& link_id) const;
  Task<Status> keep(agents::chat::ServerLink link, std::int64_t version);
  void connect_to(const std::vector<agents::chat::ServerLink>& links);
  void hide(const Json& config);
  connector::HubOptions hub_options();

  std::string user_;
  RecordStore& records_;
  ServerCatalog& catalog_;
  const UserServersOptions& options_;
  std::vector<std::string> connected_;  // What the hub has.
  Redactor redactor_;                   // And what this user has said, which may be keys.
  LinkedConnector connector_;
  agents::chat::SampleDesk samples_;
  connector::McpHub hub_;
};

class UserServers {
  struct Known;

 public:
  // Use keeps what is one user's as long as it is there.
  class Use {
   public:
    explicit Use(Known& known) : known_(&known) { ++known_->in_use; }
    Use(Use&& other) noexcept : known_(std::exchange(other.known_, nullptr)) {}
    Use& operator=(Use&&) = delete;
    ~Use() {
      if (known_ != nullptr) --known_->in_use;
    }

    LinksOf& operator*() const { return *known_->links; }
    LinksOf* operator->() const { return known_->links.get(); }

   private:
    Known* known_;
  };

  // All must outlive it.
  UserServers(Loop& loop, transport::Connector& connector, RecordStore& records,
              ServerCatalog& catalog, UserServersOptions options, const Redactor& redactor)
      : loop_(loop),
        connector_(connector),
        records_(records),
        catalog_(catalog),
        options_(std::move(options)),
        redactor_(redactor) {}

  // of returns what is one user's. The servers must outlive its use.
  Use of(const std::string& user);

  // close ends all connections in order, in bounded time.
  Task<void> close();

 private:
  // Known is one user, who stays while he is in use.
  struct Known {
    std::unique_ptr<LinksOf> links;
    int in_use = 0;
    std::int64_t used = 0;  // The last time, by our own count.
  };

  void make_room();
  std::size_t connections_at_most() const;

  Loop& loop_;
  transport::Connector& connector_;
  RecordStore& records_;
  ServerCatalog& catalog_;
  UserServersOptions options_;
  const Redactor& redactor_;
  std::int64_t clock_ = 0;
  std::map<std::string, Known> users_;
};

}  // namespace plumbline::service
