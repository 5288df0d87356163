#include "reports/answers/exchange.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "core/json/json.h"
#include "reports/text.h"

namespace plumbline::reports {

namespace {

// Headers that every request has, and that say nothing unless they are odd.
constexpr std::array<std::string_view, 7> kUsual = {
    "Accept",         "Content-Type", "Host", "Mcp-Session-Id", "MCP-Protocol-Version",
    "MCP-Session-Id", "User-Agent"};

constexpr std::size_t kOddColumns = 60;  // Of what was sent and is no request.

// Turn is what was said at one time: parts that are null were not.
struct Turn {
  const Json* request = nullptr;  // The line and headers of HTTP.
  const Json* sent = nullptr;
  const Json* response = nullptr;  // The status and headers of HTTP.
  const Json* got = nullptr;
  bool judged = false;  // The verdict is about one of them.
};

const Json* id_of(const Json& message) { return find(message, "id"); }
bool is_answer(const Json& message) {
  return find(message, "result") != nullptr || find(message, "error") != nullptr;
}

// is_answered_in returns whether a line of `evidence` answers the request `sent` by its id.
bool is_answered_in(const std::vector<Evidence>& evidence, const Json& sent) {
  const Json* const id = id_of(sent);
  return id != nullptr && std::ranges::any_of(evidence, [id](const Evidence& line) {
           const Json* const its = id_of(line.message);
           return line.direction == "<-" && is_answer(line.message) && its != nullptr &&
                  *its == *id;
         });
}

// turn_of returns the turn that `answer` ends: of the request with its id, else of the last one
// that nothing answers. Null: it is nobody's answer.
Turn* turn_of(std::vector<Turn>& turns, const Json& answer, const std::vector<Evidence>& evidence) {
  if (!is_answer(answer) && find(answer, "garbage") == nullptr) return nullptr;
  const Json* const id = id_of(answer);
  for (auto turn = turns.rbegin(); turn != turns.rend(); ++turn) {
    if (turn->got != nullptr || turn->sent == nullptr || id == nullptr) continue;
    const Json* const asked = id_of(*turn->sent);
    if (asked != nullptr && *asked == *id) return &*turn;
  }
  const bool stray = id != nullptr && !id->is_null();
  if (stray) return nullptr;
  const auto last = std::find_if(turns.rbegin(), turns.rend(), [&](const Turn& turn) {
    return turn.got != nullptr || turn.sent == nullptr || !is_answered_in(evidence, *turn.sent);
  });
  return last == turns.rend() || last->got != nullptr ? nullptr : &*last;
}

// take puts `line` into the turn that it belongs to, and returns that; null: it belongs to none.
Turn* take(std::vector<Turn>& turns, const Evidence& line, const std::vector<Evidence>& evidence) {
  const Json& message = line.message;
  Turn* turn = nullptr;
  if (line.direction == "->") {
    const bool opened = !turns.empty() && turns.back().request != nullptr &&
                        turns.back().sent == nullptr && turns.back().response == nullptr;
    turn = opened ? &turns.back() : &turns.emplace_back();
    turn->sent = &message;
  } else if (line.direction == "<-") {
    turn = turn_of(turns, message, evidence);
    if (turn == nullptr) turn = &turns.emplace_back();
    turn->got = &message;
  } else if (find(message, "http") != nullptr) {
    turn = &turns.emplace_back();
    turn->request = &message;
  } else if (find(message, "status") != nullptr) {
    const auto waits = std::ranges::find_if(
        turns, [](const Turn& one) { return one.request != nullptr && one.response == nullptr; });
    if (waits == turns.end()) return nullptr;
    turn = &*waits;
    turn->response = &message;
  }
  return turn;
}

std::vector<Turn> turns_of(const std::vector<Evidence>& evidence) {
  std::vector<Turn> turns;
  for (const Evidence& line : evidence) {
    Turn* const turn = take(turns, line, evidence);
    if (turn != nullptr && line.judged) turn->judged = true;
  }
  return turns;
}

// headers_shown returns ", Name: value" of each header that tells something.
std::string headers_shown(const Json& request) {
  std::string text;
  const Json* const headers = find(request, "headers");
  if (headers == nullptr || !headers->is_object()) return text;
  for (const auto& [name, value] : headers->items()) {
    if (std::ranges::find(kUsual, name) != kUsual.end()) continue;
    text += ", " + name + ": " + (value.is_string() ? value.get<std::string>() : dump_json(value));
  }
  return text;
}

std::string text_of(const Json& message) {
  const auto garbage = find_string(message, "garbage");
  return garbage ? *garbage : dump_json(message);
}

std::string sent_text(const Turn& turn, bool of_http) {
  std::string text;
  if (turn.request != nullptr && (of_http || turn.sent == nullptr)) {
    text = string_or(*turn.request, "http", "") + headers_shown(*turn.request);
  }
  if (turn.sent == nullptr) return text;
  return text + (text.empty() ? "" : " ") + text_of(*turn.sent);
}

std::string got_text(const Turn& turn, bool of_http) {
  std::string text;
  if (turn.response != nullptr && (of_http || turn.got == nullptr)) {
    text = "status " + std::to_string(int_or(*turn.response, "status", 0));
  }
  if (turn.got == nullptr) return text;
  return text + (text.empty() ? "" : " ") + text_of(*turn.got);
}

// name_in returns what the request `message` is about: a tool, a prompt or a resource.
std::string name_in(const Json& message) {
  const Json* const params = find(message, "params");
  if (params == nullptr) return {};
  const Json* const ref = find(*params, "ref");
  for (const Json* const of : {params, ref}) {
    for (const char* const member : {"name", "uri"}) {
      if (of == nullptr) continue;
      if (const auto name = find_string(*of, member)) return " " + std::string(*name);
    }
  }
  return {};
}

std::string asked_text(const Turn& turn) {
  const Json* const message = turn.sent != nullptr ? turn.sent : turn.got;
  if (message == nullptr)
    return turn.request == nullptr ? "" : string_or(*turn.request, "http", "");
  if (message->is_array()) {
    return message->empty() ? "[]" : "a batch of " + std::to_string(message->size());
  }
  const auto method = find_string(*message, "method");
  if (method) return std::string(*method) + name_in(*message);
  return turn.sent == nullptr ? std::string() : clip(text_of(*message), kOddColumns);
}

}  // namespace

Exchange exchange_of(const CheckResult& result) {
  // The last: what it says may be about several, and each comes after what led to it.
  const std::vector<Turn> turns = turns_of(result.evidence);
  const auto turn = std::ranges::find_if(turns.rbegin(), turns.rend(), &Turn::judged);
  if (turn == turns.rend()) return {};
  const bool of_http =
      turn->request != nullptr && (result.area == "http" || result.area == "security" ||
                                   result.area == "auth" || result.area == "sse-legacy");
  return {sent_text(*turn, of_http), got_text(*turn, of_http), asked_text(*turn)};
}

}  // namespace plumbline::reports
