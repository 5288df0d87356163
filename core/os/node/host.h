// The host is what runs the module: Node, by packaging/wasm/module.mjs. All that the module knows
// of the world comes from here; of WASI it takes its arguments, a clock, random bytes and the two
// streams that are written.
//
// What is asked is a JSON object whose "op" names a function there. What answers later does so by
// events about a number that we have given.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/json/json.h"

namespace plumbline::os::host {

// Refusal is why the host has not done it.
struct Refusal {
  std::string code;  // "ENOENT"; empty where the system gave none.
  std::string text;  // "No such file or directory"
};
using Answer = Result<std::string, Refusal>;

// request returns a JSON object that asks for `op`.
Json request(std::string_view op);

// ask is answered at once. `bytes` go along with it as they are.
Answer ask(const Json& what, std::string_view bytes = {});

// order is answered by the part of the host that waits for events: it may take a moment.
Answer order(const Json& what);

// tell needs no answer.
void tell(const Json& what);

// say_about tells `op` of the thing that has this number.
void say_about(std::string_view op, std::uint32_t number);

// write queues `bytes` for a stream.
void write(std::uint32_t number, std::string_view bytes);

// The numbers of packaging/wasm/events.mjs.
enum class Event : std::uint8_t {
  kBytes = 1,
  kEnd,       // The stream ends as it should.
  kBroken,    // It does not; the payload says why.
  kErrors,    // Bytes of a child's stderr.
  kExit,      // Payload: code and signal, four bytes each.
  kOpen,      // A dial has come about. Payload: the address of the peer.
  kFailed,    // It has not. Payload: 'D' or 'I' (disconnected, invalid input), then why.
  kAccepted,  // Payload: the number of the new stream, four bytes, then the address of its peer.
  kTaken,     // The system took this many bytes that we wrote: four bytes.
  kSignal,    // Payload: its number, four bytes.
};

// number_at reads four bytes of a payload.
std::uint32_t number_at(std::string_view payload, std::size_t at);

// A Hearer may destroy itself when it hears something.
class Hearer {
 public:
  virtual void hear(Event event, std::string_view payload) = 0;

 protected:
  ~Hearer() = default;
};

// new_number returns one for a thing of ours.
std::uint32_t new_number();

// listen has `hearer` told of `number` from now on, nullptr: nobody. While somebody is told of
// anything there is something to wait for.
void listen(std::uint32_t number, Hearer* hearer);

// deliver_one waits for one event, at most `patience` (kForever: without end), and delivers it.
// Returns false when none came.
inline constexpr Duration kForever = Duration::max();
bool deliver_one(Duration patience);

// stop_asked returns whether a signal has come since the host was told "signals" of number 0. The
// host may take the moment to look.
bool stop_asked();

// waits_for_any returns whether anybody is told of anything.
bool waits_for_any();

}  // namespace plumbline::os::host
