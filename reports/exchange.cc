#include "reports/exchange.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <set>
#include <string_view>
#include <vector>

#include "core/json/json.h"

namespace plumbline::reports {

namespace {

constexpr std::size_t kWordMin = 3;
// Headers that every request has, and that say nothing unless they are odd.
constexpr std::array<std::string_view, 7> kUsual = {
    "Accept",         "Content-Type", "Host", "Mcp-Session-Id", "MCP-Protocol-Version",
    "MCP-Session-Id", "User-Agent"};

// Turn is what was said at one time: parts that are null were not.
struct Turn {
  const Json* request = nullptr;  // The line and headers of HTTP.
  const Json* sent = nullptr;
  const Json* response = nullptr;  // The status and headers of HTTP.
  const Json* got = nullptr;
};

const Json* id_of(const Json& message) { return find(message, "id"); }
bool is_answer(const Json& message) {
  return find(message, "result") != nullptr || find(message, "error") != nullptr;
}

// turn_of returns the turn that `answer` ends: of the request with its id, else of the last one
// that nothing has answered. Null: it is nobody's answer.
Turn* turn_of(std::vector<Turn>& turns, const Json& answer) {
  if (!is_answer(answer) && find(answer, "garbage") == nullptr) return nullptr;
  const Json* const id = id_of(answer);
  for (auto turn = turns.rbegin(); turn != turns.rend(); ++turn) {
    if (turn->got != nullptr || turn->sent == nullptr || id == nullptr) continue;
    const Json* const asked = id_of(*turn->sent);
    if (asked != nullptr && *asked == *id) return &*turn;
  }
  const bool stray = id != nullptr && !id->is_null();
  if (stray || turns.empty() || turns.back().got != nullptr) return nullptr;
  return &turns.back();
}

std::vector<Turn> turns_of(const std::vector<Evidence>& evidence) {
  std::vector<Turn> turns;
  for (const Evidence& line : evidence) {
    const Json& message = line.message;
    if (line.direction == "->") {
      const bool opened = !turns.empty() && turns.back().request != nullptr &&
                          turns.back().sent == nullptr && turns.back().response == nullptr;
      if (!opened) turns.emplace_back();
      turns.back().sent = &message;
    } else if (line.direction == "<-") {
      Turn* turn = turn_of(turns, message);
      if (turn == nullptr) turn = &turns.emplace_back();
      turn->got = &message;
    } else if (find(message, "http") != nullptr) {
      turns.emplace_back().request = &message;
    } else if (find(message, "status") != nullptr) {
      const auto waits = std::ranges::find_if(turns, [](const Turn& turn) {
        return turn.request != nullptr && turn.response == nullptr;
      });
      if (waits != turns.end()) waits->response = &message;
    }
  }
  return turns;
}

std::set<std::string> words_of(std::string_view text) {
  std::set<std::string> words;
  std::string word;
  for (const char c : std::string(text) + " ") {
    const bool part = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                      std::string_view("/:.-_").find(c) != std::string_view::npos;
    if (part) word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (part) continue;
    while (!word.empty() && (word.back() == ':' || word.back() == '.')) word.pop_back();
    if (word.size() >= kWordMin) words.insert(word);
    word.clear();
  }
  return words;
}

// headers_shown returns ", Name: value" of each header that tells something.
std::string headers_shown(const Json& request, bool all) {
  std::string text;
  const Json* const headers = find(request, "headers");
  if (headers == nullptr || !headers->is_object()) return text;
  for (const auto& [name, value] : headers->items()) {
    if (!all && std::ranges::find(kUsual, name) != kUsual.end()) continue;
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
    text = string_or(*turn.request, "http", "") + headers_shown(*turn.request, false);
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

// asks_for_life returns whether a turn is a ping that was answered.
bool asks_for_life(const Turn& turn) {
  return turn.sent != nullptr && turn.got != nullptr &&
         string_or(*turn.sent, "method", "") == "ping" && find(*turn.got, "result") != nullptr;
}

std::size_t likeness(const Turn& turn, const std::set<std::string>& told) {
  std::string said = sent_text(turn, true) + " " + got_text(turn, true);
  if (turn.request != nullptr) said += headers_shown(*turn.request, true);
  if (turn.response != nullptr) said += headers_shown(*turn.response, true);
  if (turn.sent != nullptr && turn.sent->is_array()) said += " array batch";
  std::size_t common = 0;
  for (const std::string& word : words_of(said)) common += told.count(word);
  return common;
}

}  // namespace

Exchange exchange_of(const CheckResult& result) {
  const std::vector<Turn> turns = turns_of(result.evidence);
  const std::set<std::string> told = words_of(result.message);
  const Turn* best = nullptr;
  std::size_t most = 0;
  for (const Turn& turn : turns) {
    if (best != nullptr && asks_for_life(turn) && !asks_for_life(*best) &&
        likeness(turn, told) <= most + 1) {
      continue;
    }
    const std::size_t like = likeness(turn, told);
    if (best != nullptr && like < most) continue;
    best = &turn;
    most = like;
  }
  if (best == nullptr) return {};
  const bool of_http =
      best->request != nullptr && (result.area == "http" || result.area == "security" ||
                                   result.area == "auth" || result.area == "sse-legacy");
  return {sent_text(*best, of_http), got_text(*best, of_http)};
}

}  // namespace plumbline::reports
