// No server is blamed that takes back what it gave, does a part, or has no sessions, where it says
// so or nothing promises otherwise.

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "conformance/broken/message_edits.h"
#include "conformance/broken/replies.h"
#include "conformance/broken/right_subject_fixture.h"

namespace plumbline::conformance {
namespace {

bool is_call_of(const Json& message, std::string_view tool) {
  return method_of(message) == "tools/call" && value_at(message, "/params/name") == Json(tool);
}

void answers_call(Interceptor& interceptor, const Json& message, const Json& value, bool well) {
  Json result = edit::text_result(dump_json(value));
  if (!well) result["isError"] = true;
  answer(interceptor, id_of(message), std::move(result));
}

constexpr const char* kOfSeats = R"([
  {"name": "book_seat", "inputSchema": {"type": "object",
    "properties": {"guest": {"type": "string"}}, "required": ["guest"]}},
  {"name": "cancel_seat", "inputSchema": {"type": "object",
    "properties": {"id": {"type": "string"}}, "required": ["id"]}},
  {"name": "list_seats", "inputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": true}},
  {"name": "list_seat_events", "inputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": true}}])";

// Seats is what a server of seats says, and how it counts.
struct Seats {
  const char* booking = "";
  const char* cancelling = "";
  const char* left = "seats_left";
  const char* note = "";
  bool frees = true;
  bool lowest = false;    // It gives the lowest id that is free.
  bool position = false;  // Its ids are places in a queue.
};

void lists_seats(Interceptor& interceptor, Json message, const Seats& seats) {
  Json* const list = edit::result_of(interceptor, message, "tools/list");
  if (list != nullptr && !list->contains("nextCursor")) {
    for (Json tool : edit::read(kOfSeats)) {
      if (tool["name"] == "book_seat") tool["description"] = seats.booking;
      if (tool["name"] == "cancel_seat") tool["description"] = seats.cancelling;
      (*list)["tools"].push_back(std::move(tool));
    }
  }
  interceptor.say(message);
}

// next_seat returns the number of the seat that is given next.
std::int64_t next_seat(Interceptor& interceptor, const Json& taken, const Seats& seats) {
  if (seats.position) return static_cast<std::int64_t>(taken.size()) + 1;
  if (!seats.lowest) return ++interceptor.count;
  std::int64_t number = 1;
  while (std::ranges::find(taken, Json("seat-" + std::to_string(number))) != taken.end()) ++number;
  return number;
}

void cancels_seat(Interceptor& interceptor, const Json& message, const Seats& seats) {
  Json& taken = interceptor.memory["taken"];
  const auto at = std::ranges::find(taken, value_at(message, "/params/arguments/id"));
  if (at == taken.end()) return answers_call(interceptor, message, "No such seat.", false);
  taken.erase(at);
  for (std::size_t i = 0; seats.position && i < taken.size(); ++i) {
    taken[i] = "seat-" + std::to_string(i + 1);
  }
  Json said = {{"cancelled", true}};
  if (*seats.note != '\0') said["note"] = seats.note;
  answers_call(interceptor, message, said, true);
}

void keeps_seats(Interceptor& interceptor, Json message, const Seats& seats) {
  Json& memory = interceptor.memory;
  if (!memory.contains("taken")) memory = {{"taken", Json::array()}, {"events", Json::array()}};
  if (is_call_of(message, "cancel_seat")) return cancels_seat(interceptor, message, seats);
  if (is_call_of(message, "list_seat_events")) {
    return answers_call(interceptor, message, {{"events", memory["events"]}}, true);
  }
  if (is_call_of(message, "list_seats")) {
    Json listed = Json::array();
    for (const Json& id : memory["taken"]) listed.push_back({{"id", id}});
    return answers_call(interceptor, message, {{"seats", listed}}, true);
  }
  if (!is_call_of(message, "book_seat")) return interceptor.pass(message);
  if (!value_at(message, "/params/arguments/guest").is_string()) {
    return answers_call(interceptor, message, "guest is needed", false);
  }
  const std::string id = "seat-" + std::to_string(next_seat(interceptor, memory["taken"], seats));
  memory["taken"].push_back(id);
  memory["events"].push_back({{"id", id}, {"what", "booked"}});
  memory["booked"] = int_or(memory, "booked", 0) + 1;
  const std::int64_t gone =
      seats.frees ? static_cast<std::int64_t>(memory["taken"].size()) : int_or(memory, "booked", 0);
  answers_call(interceptor, message, {{"id", id}, {seats.left, 1'000 - gone}}, true);
}

template <const Seats& seats>
void lists_these(Interceptor& interceptor, Json message) {
  lists_seats(interceptor, std::move(message), seats);
}

template <const Seats& seats>
void keeps_these(Interceptor& interceptor, Json message) {
  keeps_seats(interceptor, std::move(message), seats);
}

template <const Seats& seats>
RightSubject with_seats(std::string_view id, std::string_view what, Verdict expected) {
  return {{.id = id,
           .revision = "2025-11-25",
           .what = what,
           .from_server = lists_these<seats>,
           .from_client_message = keeps_these<seats>},
          expected,
          {},
          true};
}

constexpr Seats kFreesAtOnce = {.cancelling = "Cancels a seat. It is free again at once."};
constexpr Seats kFreesLater = {.cancelling = "Cancels a seat, which is free again after an hour.",
                               .frees = false};
constexpr Seats kFreesAsMakerSays = {
    .booking = "Books a seat. Cancelled ones are held back until midnight.",
    .cancelling = "Cancels a seat. It is free again.",
    .frees = false};
constexpr Seats kFreesAsAnswerSays = {.cancelling = "Cancels a seat. It is free again.",
                                      .note = "The seat is free again tomorrow.",
                                      .frees = false};
constexpr Seats kCountsCalls = {
    .cancelling = "Cancels a seat. It is free again.", .left = "calls_left", .frees = false};
constexpr Seats kCountsAnother = {
    .cancelling = "Cancels a seat. It is free again.", .left = "vouchers_left", .frees = false};
constexpr Seats kFreesNothing = {.cancelling = "Cancels a seat. It is not free again.",
                                 .frees = false};
constexpr Seats kGivesTheLowest = {
    .booking = "Books a seat and gives its id.", .cancelling = "Cancels a seat.", .lowest = true};
constexpr Seats kWarnsItsCaller = {
    .booking = "Books a seat. Do not use the id of a cancelled seat again.",
    .cancelling = "Cancels a seat.",
    .lowest = true};
constexpr Seats kGivesPlaces = {
    .booking = "Puts a guest into the queue; the id is the place in it.",
    .cancelling = "Leaves the queue.",
    .position = true};

// Tracks is a tool that takes several, and what it does where one of them is no good.
struct Tracks {
  const char* says = "";
  bool parts = false;   // It keeps the good ones.
  bool errs = false;    // And says so with isError.
  bool chosen = false;  // Its caller says whether.
};

void lists_tracks(Interceptor& interceptor, Json message, const Tracks& tracks) {
  Json* const list = edit::result_of(interceptor, message, "tools/list");
  if (list != nullptr && !list->contains("nextCursor")) {
    Json add = edit::read(R"({"name": "add_tracks", "inputSchema": {"type": "object",
        "properties": {"tracks": {"type": "array", "minItems": 1, "items": {"type": "object",
        "properties": {"title": {"type": "string"}}, "required": ["title"]}}},
        "required": ["tracks"]}})");
    add["description"] = tracks.says;
    if (tracks.chosen) add["inputSchema"]["properties"]["atomic"]["type"] = "boolean";
    (*list)["tools"].push_back(std::move(add));
    for (const char* const name : {"list_tracks", "list_track_attempts"}) {
      (*list)["tools"].push_back(edit::read(R"({"inputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": true}})"));
      (*list)["tools"].back()["name"] = name;
    }
  }
  interceptor.say(message);
}

void keeps_these_tracks(Interceptor& interceptor, Json message, const Tracks& tracks) {
  Json& memory = interceptor.memory;
  if (!memory.contains("kept")) memory = {{"kept", Json::array()}, {"tried", Json::array()}};
  if (is_call_of(message, "list_tracks")) {
    return answers_call(interceptor, message, {{"tracks", memory["kept"]}}, true);
  }
  if (is_call_of(message, "list_track_attempts")) {
    return answers_call(interceptor, message, {{"attempts", memory["tried"]}}, true);
  }
  if (!is_call_of(message, "add_tracks")) return interceptor.pass(message);
  const Json given = value_at(message, "/params/arguments/tracks");
  if (!given.is_array() || given.empty()) {
    return answers_call(interceptor, message, "Tracks are needed.", false);
  }
  memory["tried"].push_back(given);
  Json kept = memory["kept"];
  std::size_t refused = 0;
  for (const Json& track : given) {
    const bool well = track.is_object() && value_at(track, "/title").is_string() &&
                      std::ranges::find(kept, track) == kept.end();
    if (well) kept.push_back(track);
    refused += well ? 0 : 1;
  }
  if (refused == 0 || tracks.parts) memory["kept"] = kept;
  const bool well = refused == 0 || (tracks.parts && !tracks.errs);
  answers_call(interceptor, message, {{"added", given.size() - refused}, {"refused", refused}},
               well);
}

template <const Tracks& tracks>
void lists_those(Interceptor& interceptor, Json message) {
  lists_tracks(interceptor, std::move(message), tracks);
}

template <const Tracks& tracks>
void keeps_those(Interceptor& interceptor, Json message) {
  keeps_these_tracks(interceptor, std::move(message), tracks);
}

template <const Tracks& tracks>
RightSubject with_tracks(std::string_view what, Verdict expected) {
  return {{.id = "tools.all-or-nothing",
           .revision = "2025-11-25",
           .what = what,
           .from_server = lists_those<tracks>,
           .from_client_message = keeps_those<tracks>},
          expected,
          {},
          true};
}

constexpr Tracks kWhole = {.says = "Adds tracks, all or nothing."};
constexpr Tracks kNotWhole = {
    .says = "Adds tracks. It is not all or nothing: see \"refused\".", .parts = true, .errs = true};
constexpr Tracks kWholeIfAsked = {.says = "Adds tracks. It is all or nothing where asked to.",
                                  .parts = true,
                                  .errs = true,
                                  .chosen = true};
constexpr Tracks kWholeWhenDry = {
    .says = "Adds tracks. With a deposit it is all or nothing.", .parts = true, .errs = true};
constexpr Tracks kSaysWhatItKept = {.says = "Adds tracks, all or nothing for each of them.",
                                    .parts = true};

// WithoutSessions never gives an id, and needs none.
class WithoutSessions final : public Keeper {
 public:
  std::optional<wire::HttpResponse> answer(wire::HttpRequest& request) override {
    if (!own_.empty() && request.method != "DELETE") request.headers.set("Mcp-Session-Id", own_);
    return std::nullopt;
  }
  void answered(const wire::HttpRequest&, const wire::HttpHeaders& headers) override {
    const std::string given(headers.get("Mcp-Session-Id").value_or(""));
    if (own_.empty()) own_ = given;
  }

 private:
  std::string own_;
};

// DoesWithoutTheId gives ids, and serves what has none in a session of its own that never ends.
class DoesWithoutTheId final : public Keeper {
 public:
  std::optional<wire::HttpResponse> answer(wire::HttpRequest& request) override {
    const std::string named(request.headers.get("Mcp-Session-Id").value_or(""));
    const bool opens = request.body.find("\"initialize\"") != std::string::npos;
    const bool ends = request.method == "DELETE";
    wire::HttpResponse refusal;
    refusal.status = 405;
    if (ends && named == own_) return refusal;
    if (named.empty() && !opens && !ends && !own_.empty()) {
      request.headers.set("Mcp-Session-Id", own_);
    }
    return std::nullopt;
  }
  void answered(const wire::HttpRequest&, const wire::HttpHeaders& headers) override {
    const std::string given(headers.get("Mcp-Session-Id").value_or(""));
    if (own_.empty()) own_ = given;
  }

 private:
  std::string own_;
};

template <typename Kept>
RightSubject over_http(std::string_view what,
                       void (*response)(const wire::HttpRequest&, int&, wire::HttpHeaders&)) {
  return {{.id = "http.session-id-missing-400",
           .revision = "2025-11-25",
           .transport = Transport::kHttp,
           .what = what,
           .response = response,
           .keeper = [](Behind) -> std::unique_ptr<Keeper> { return std::make_unique<Kept>(); }},
          Verdict::kSkip};
}

void hides_the_id(const wire::HttpRequest&, int&, wire::HttpHeaders& headers) {
  headers.erase("Mcp-Session-Id");
}

// Board is a resource that a tool writes on, and what it says of itself.
struct Board {
  const char* says = "";
  bool keeps = false;  // It goes on to show what was read first.
};

template <const Board& board>
void lists_this_board(Interceptor& interceptor, Json message) {
  Json* const tools = edit::result_of(interceptor, message, "tools/list");
  if (tools != nullptr && !tools->contains("nextCursor")) {
    (*tools)["tools"].push_back(edit::read(R"({"name": "pin_note", "inputSchema": {"type": "object",
        "properties": {"text": {"type": "string"}}, "required": ["text"]}})"));
  }
  Json* const list = edit::result_of(interceptor, message, "resources/list");
  if (list != nullptr && !list->contains("nextCursor")) {
    (*list)["resources"].push_back(
        {{"uri", "note://board"}, {"name", "board"}, {"description", board.says}});
  }
  interceptor.say(message);
}

template <const Board& board>
void keeps_this_board(Interceptor& interceptor, Json message) {
  Json& memory = interceptor.memory;
  const Json text = value_at(message, "/params/arguments/text");
  if (is_call_of(message, "pin_note")) {
    if (text.is_string()) memory["notes"] = string_or(memory, "notes", "") + dump_json(text);
    return answers_call(interceptor, message, text, text.is_string());
  }
  if (value_at(message, "/params/uri") != Json("note://board")) return interceptor.pass(message);
  if (!memory.contains("read") || !board.keeps) memory["read"] = string_or(memory, "notes", "");
  Json result = Json::object();
  result["contents"].push_back({{"uri", "note://board"}, {"text", memory["read"]}});
  answer(interceptor, id_of(message), std::move(result));
}

template <const Board& board>
RightSubject with_board(std::string_view what, Verdict expected) {
  return {{.id = "resources.read-is-current",
           .revision = "2025-11-25",
           .what = what,
           .from_server = lists_this_board<board>,
           .from_client_message = keeps_this_board<board>},
          expected,
          {},
          true};
}

constexpr Board kBoardOfNow = {.says = "All notes, as they are now."};
constexpr Board kBoardOfThen = {.says = "The notes as a snapshot, current as of the first reading.",
                                .keeps = true};
constexpr Board kBoardOfWhenever = {.says = "Notes.", .keeps = true};

const RightSubject kTakingBack[] = {
    with_board<kBoardOfNow>("shows what was pinned", Verdict::kPass),
    with_board<kBoardOfThen>("says that it is a snapshot", Verdict::kSkip),
    with_board<kBoardOfWhenever>("says nothing of when, and tells of no update", Verdict::kSkip),
    with_seats<kFreesAtOnce>("tools.changed-as-told", "frees at once", Verdict::kPass),
    with_seats<kFreesLater>("tools.changed-as-told", "frees after an hour", Verdict::kSkip),
    with_seats<kFreesAsMakerSays>("tools.changed-as-told", "holds back what was cancelled",
                                  Verdict::kSkip),
    with_seats<kFreesAsAnswerSays>("tools.changed-as-told", "answers that it frees tomorrow",
                                   Verdict::kSkip),
    with_seats<kCountsCalls>("tools.changed-as-told", "counts calls", Verdict::kSkip),
    with_seats<kCountsAnother>("tools.changed-as-told", "counts something else", Verdict::kSkip),
    with_seats<kFreesNothing>("tools.changed-as-told", "says that it frees nothing",
                              Verdict::kSkip),
    with_seats<kGivesTheLowest>("tools.deleted-is-unknown", "gives the lowest id that is free",
                                Verdict::kPass),
    with_seats<kWarnsItsCaller>("tools.deleted-is-unknown", "warns its caller of old ids",
                                Verdict::kPass),
    with_seats<kGivesPlaces>("tools.deleted-is-unknown", "gives places in a queue", Verdict::kPass),
    with_tracks<kWhole>("takes nothing where it refuses one, and lists attempts", Verdict::kPass),
    with_tracks<kNotWhole>("says that it does a part", Verdict::kSkip),
    with_tracks<kWholeIfAsked>("does a part unless asked not to", Verdict::kSkip),
    with_tracks<kWholeWhenDry>("does a part in some cases", Verdict::kSkip),
    with_tracks<kSaysWhatItKept>("says what it kept, and refuses nothing", Verdict::kSkip),
    over_http<WithoutSessions>("has no sessions", hides_the_id),
    over_http<DoesWithoutTheId>("does without the id of a session", nullptr),
};

class TakingBackServer : public testing::TestWithParam<RightSubject> {};

TEST_P(TakingBackServer, IsNotBlamed) { expect_not_blamed(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, TakingBackServer, testing::ValuesIn(kTakingBack),
                         [](const auto& named) { return "Number" + std::to_string(named.index); });

}  // namespace
}  // namespace plumbline::conformance
