#include "conformance/checks/server/listening.h"

#include <utility>

#include "conformance/catalogue/meta_keys.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

Task<Json> await_notice(Client& client, std::size_t first, std::string method, Duration patience) {
  Inbox& inbox = client.session().wire().inbox();
  const Instant deadline = after(client.loop().now(), patience);
  for (;;) {
    for (; first < inbox.frames.size(); ++first) {
      const Frame& frame = inbox.frames[first];
      if (string_or(*frame.message, "method", "") != method) continue;
      client.session().wire().log().claim(frame.log_place, client.check());
      co_return *frame.message;
    }
    if (inbox.closed) co_return Json();
    if (!co_await inbox.change(deadline)) co_return Json();
  }
}

Listening begin_listening(Client& client, Json filter, Json id) {
  Json params = Json::object();
  params["notifications"] = std::move(filter);
  Json message = client.request_of("subscriptions/listen", std::move(params));
  if (!id.is_null()) message["id"] = std::move(id);
  return begin_listening_by(client, std::move(message));
}

Listening begin_listening_by(Client& client, Json message) {
  Listening listening;
  listening.id = message["id"];
  client.session().note_listening(listening.id);
  listening.first = frames_of(client);
  listening.begun = client.begin(std::move(message));
  return listening;
}

Json subscription_of(const Json& message) {
  for (const char* const place : {"/params/_meta", "/result/_meta"}) {
    const Json* const meta = at_pointer(message, place);
    const Json* const id = meta == nullptr ? nullptr : find(*meta, kMetaSubscription);
    if (id != nullptr) return *id;
  }
  return nullptr;
}

std::vector<Json> heard(Client& client, const Listening& listening) {
  std::vector<Json> messages;
  Inbox& inbox = client.session().wire().inbox();
  for (std::size_t at = listening.first; at < inbox.frames.size(); ++at) {
    const Frame& frame = inbox.frames[at];
    const bool ours = listening.begun.exchange != 0 && frame.exchange == listening.begun.exchange;
    const bool answers = find(*frame.message, "method") == nullptr &&
                         find(*frame.message, "id") != nullptr &&
                         *find(*frame.message, "id") == listening.id;
    if (!ours && !answers && subscription_of(*frame.message) != listening.id) continue;
    client.session().wire().log().claim(frame.log_place, client.check());
    messages.push_back(*frame.message);
  }
  return messages;
}

Task<Json> acknowledged(Client& client, Listening& listening) {
  Inbox& inbox = client.session().wire().inbox();
  const Instant deadline = after(client.loop().now(), client.pace().answer());
  for (;;) {
    for (const Json& message : heard(client, listening)) {
      if (string_or(message, "method", "") == "notifications/subscriptions/acknowledged") {
        co_return message;
      }
      if (find(message, "error") != nullptr) co_return Json();
    }
    if (inbox.closed) co_return Json();
    if (!co_await inbox.change(deadline)) co_return Json();
  }
}

Task<void> stop_listening(Client& client, Listening& listening) {
  if (listening.begun.exchange != 0) {
    client.session().wire().drop(listening.begun.exchange);
    co_return;
  }
  Json params = Json::object();
  params["requestId"] = listening.id;
  co_await client.notify("notifications/cancelled", std::move(params));
  co_await Sleep(client.loop(), after(client.loop().now(), client.pace().quiet()));
}

}  // namespace plumbline::conformance
