// ScriptRunner is a ScriptedPeer with ears: it takes in what the client says, writes it down and
// lets the script act on it. Of a client that floods it hears no more.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/peer/client/script.h"
#include "conformance/peer/client/scripted_peer.h"

namespace plumbline::conformance {

// What one run of a client may say. Behind either, nothing more is heard and the run ends.
inline constexpr std::size_t kHeardBytesMax = 16U << 20U;  // As they lie in memory.
inline constexpr std::size_t kHeardMax = 4'000;            // Messages, requests and streams.

class ScriptRunner : public ScriptedPeer {
 public:
  // Everything given must outlive the runner.
  ScriptRunner(Loop& loop, net::Network& network, WireLog& log, Record& record, Script& script);

  // trouble says why there is no place to serve; empty: there is one.
  const std::string& trouble() const { return trouble_; }

  // flooded returns whether the client has said more than is kept.
  bool flooded() const { return flooded_; }

  // activity returns when the client was last heard.
  Instant activity() const { return activity_; }

  // on_activity names who is told of each sign of the client.
  void on_activity(std::function<void()> told) { told_ = std::move(told); }

 protected:
  // fail says that the machine has no place to listen.
  void fail(const Error& error) { trouble_ = "no place to serve: " + error.message; }

  // takes returns whether something of `bytes` more is kept.
  bool takes(std::size_t bytes);

  // heard takes in one frame of the client: writes it down and lets the script act on it.
  void heard(std::string_view bytes, std::size_t exchange, std::uint32_t connection);

  // active notes a sign of the client.
  void active();

  // document returns what the script answers to a request beside the server's own address, at
  // `origin`; nothing: it has none.
  std::optional<wire::HttpResponse> document(const std::string& origin,
                                             const wire::HttpRequest& request);

  Script& script_;

 private:
  void hear_garbage(std::string_view bytes, Heard& frame, LogEntry& entry) const;
  void take(Json message, Heard frame);
  void agree_on(const Json& opening);

  std::string trouble_;
  std::size_t heard_bytes_ = 0;
  std::size_t heard_count_ = 0;
  bool flooded_ = false;
  Instant activity_;
  std::function<void()> told_;
};

}  // namespace plumbline::conformance
