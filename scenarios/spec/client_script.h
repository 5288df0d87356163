// ClientScript is what a scripted client does at a server of ours, step by step, as a scenario file
// says it under "clients".

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/limits.h"
#include "core/base/time.h"
#include "core/json/json.h"

namespace plumbline::scenarios {

// ClientStep is one thing that a client does, and what it expects of the server.
struct ClientStep {
  enum class Kind {
    kOpen,     // A connection, and initialize, unless the client is without sessions.
    kRequest,  // A request, whose answer is waited for.
    kSend,     // A message as it stands.
    kHear,     // Waits for a message of the server that is no answer.
    kHttp,     // An exchange of HTTP outside of every connection.
    kRaw,      // Bytes as they stand, to a child process.
    kWait,     // Time passes.
    kClose,    // Ends the connection in order.
    kHangUp,   // Drops it.
  };
  static constexpr std::size_t kKinds = 9;

  Kind kind = Kind::kWait;
  Json what;                                  // The message, the pattern, the exchange or the text.
  std::int64_t times = 1;                     // How often, one after the other.
  Duration wait{};                            // Of kWait.
  Duration within = limits::kRequestTimeout;  // How long it waits for what is to come.
  // What the answer has to have, as EventPattern::detail: null in it is any. Of a request without
  // one it need only come; `silence`: none comes.
  std::optional<Json> answer;
  bool silence = false;
  std::optional<std::int64_t> status;        // Of kHttp; 0: no answer.
  std::map<std::string, std::string> keeps;  // Names, and pointers into the answer or headers.
};

struct ClientScript {
  std::string name;
  bool stateless = false;  // It speaks 2026-07-28: no handshake, everything in _meta.
  Json capabilities = Json::object();
  Duration begins{};  // Of the world's time.
  std::vector<ClientStep> does;
};

// name_of returns the kind as a file spells it: "open", "request" ...
std::string_view name_of(ClientStep::Kind kind);

}  // namespace plumbline::scenarios
