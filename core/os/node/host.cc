#include "core/os/node/host.h"

#include <cstring>
#include <map>
#include <utility>

extern "C" {

// Both return how long the answer is, or the negative length of a refusal less one.
[[clang::import_module("plumbline"), clang::import_name("ask")]] std::int32_t plumbline_ask(
    const char* what, std::uint32_t what_size, const char* bytes, std::uint32_t bytes_size);
[[clang::import_module("plumbline"), clang::import_name("order")]] std::int32_t plumbline_order(
    const char* what, std::uint32_t size);
// Copies the answer.
[[clang::import_module("plumbline"), clang::import_name("take")]] void plumbline_take(char* into);
[[clang::import_module("plumbline"), clang::import_name("tell")]] void plumbline_tell(
    const char* what, std::uint32_t size);
[[clang::import_module("plumbline"), clang::import_name("write")]] void plumbline_write(
    std::uint32_t number, const char* bytes, std::uint32_t size);
[[clang::import_module("plumbline"), clang::import_name("stop_asked")]] std::int32_t
plumbline_stop_asked();
// Returns the size of an event, 0: none came within `patience` nanoseconds (below 0: for ever).
[[clang::import_module("plumbline"), clang::import_name("wait")]] std::int32_t plumbline_wait(
    std::int64_t patience, char* into, std::uint32_t size);
}

namespace plumbline::os::host {

namespace {

constexpr std::size_t kEventBytes = 64U << 10U;
constexpr std::size_t kHeadBytes = 5;  // Kind and number.

std::uint32_t size_of(std::string_view bytes) { return static_cast<std::uint32_t>(bytes.size()); }

std::map<std::uint32_t, Hearer*>& hearers() {
  static std::map<std::uint32_t, Hearer*> all;
  return all;
}

Answer answer_of(std::int32_t size) {
  std::string bytes(static_cast<std::size_t>(size < 0 ? -(size + 1) : size), '\0');
  plumbline_take(bytes.data());
  if (size >= 0) return bytes;
  const std::size_t space = bytes.find(' ');
  return Refusal{bytes.substr(0, space), bytes.substr(space + 1)};
}

}  // namespace

Json request(std::string_view op) {
  Json what(Json::value_t::object);
  what["op"] = std::string(op);
  return what;
}

Answer ask(const Json& what, std::string_view bytes) {
  const std::string text = dump_json(what);
  return answer_of(plumbline_ask(text.data(), size_of(text), bytes.data(), size_of(bytes)));
}

Answer order(const Json& what) {
  const std::string text = dump_json(what);
  return answer_of(plumbline_order(text.data(), size_of(text)));
}

void tell(const Json& what) {
  const std::string text = dump_json(what);
  plumbline_tell(text.data(), size_of(text));
}

void say_about(std::string_view op, std::uint32_t number) {
  Json what = request(op);
  what["id"] = number;
  tell(what);
}

void write(std::uint32_t number, std::string_view bytes) {
  plumbline_write(number, bytes.data(), size_of(bytes));
}

std::uint32_t number_at(std::string_view payload, std::size_t at) {
  std::uint32_t number = 0;
  std::memcpy(&number, payload.substr(at).data(), sizeof number);
  return number;
}

std::uint32_t new_number() {
  static std::uint32_t last = 0;
  return ++last;
}

void listen(std::uint32_t number, Hearer* hearer) {
  if (hearer == nullptr) {
    hearers().erase(number);
  } else {
    hearers()[number] = hearer;
  }
}

bool stop_asked() { return plumbline_stop_asked() != 0; }

bool waits_for_any() { return !hearers().empty(); }

bool deliver_one(Duration patience) {
  static std::string buffer(kEventBytes, '\0');
  const std::int64_t nanoseconds = patience == kForever ? -1 : patience.count();
  const std::int32_t size = plumbline_wait(nanoseconds, buffer.data(), size_of(buffer));
  if (size <= 0) return false;
  const std::string_view event(buffer.data(), static_cast<std::size_t>(size));
  const auto found = hearers().find(number_at(event, 1));
  if (found == hearers().end()) return true;  // It is closed; nobody is there any more.
  found->second->hear(static_cast<Event>(event[0]), event.substr(kHeadBytes));
  return true;
}

}  // namespace plumbline::os::host
