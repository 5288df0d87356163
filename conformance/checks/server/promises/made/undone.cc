#include "conformance/checks/server/promises/made/undone.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/made/undone_said.h"
#include "conformance/checks/server/promises/made_things.h"
#include "conformance/checks/server/promises/said.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/checks/server/tool_arguments.h"
#include "conformance/peer/name_words.h"

namespace plumbline::conformance {

namespace {

constexpr int kFreeingRounds = 3;
constexpr std::size_t kListsAskedMax = 4;
constexpr std::array<std::string_view, 14> kUndoing = {
    "cancel",  "withdraw", "delete", "remove", "release", "drop",    "revoke",
    "retract", "void",     "return", "erase",  "destroy", "discard", "unregister"};
constexpr std::array<std::string_view, 4> kShowing = {"list", "find", "search", "get"};
constexpr std::array<std::string_view, 8> kOfWhatIsLeft = {
    "free", "left", "available", "remaining", "remains", "spare", "vacant", "stock"};

// Undoable is a tool that makes something, and one that takes that back.
struct Undoable {
  MadeThing maker;
  const Json* undoer = nullptr;
};

// undoer_of returns the tool that takes back what was made; nullptr: there is none.
const Json* undoer_of(Probe& probe, const MadeThing& made) {
  for (const Json& tool : probe.survey().tools.items) {
    const bool undoes = starts_with_one_of(tool, kUndoing) && probe.may_call(tool) &&
                        !probe.disturbs(string_or(tool, "name", ""));
    if (undoes && !params_for(made, tool).is_null()) return &tool;
  }
  return nullptr;
}

bool has_undoer(Probe& probe) {
  return std::ranges::any_of(probe.survey().tools.items, [&](const Json& tool) {
    return starts_with_one_of(tool, kUndoing) && probe.may_call(tool);
  });
}

// with_the_least has a call take as little as it may of what is counted.
Json with_the_least(Json params, const Json& tool) {
  const Json* const properties = properties_of(tool);
  if (properties == nullptr || !params.contains("arguments")) return params;
  for (auto& [name, value] : params["arguments"].items()) {
    const Json* const property = find(*properties, name);
    const Json* const least = property == nullptr ? nullptr : find(*property, "minimum");
    const bool counts = value.is_number_integer() && least != nullptr && least->is_number_integer();
    if (counts && least->get<std::int64_t>() > 0) value = *least;
  }
  return params;
}

// undo takes back what was made; nothing: that did not go well.
Task<std::optional<Reply>> undo(Client client, MadeThing made, const Json* undoer) {
  const Json params = params_for(made, *undoer);
  if (params.is_null()) co_return std::nullopt;
  Reply reply = co_await client.request("tools/call", params);
  co_return has_gone_well(reply) ? std::optional(std::move(reply)) : std::nullopt;
}

// undoables makes something with each maker, and takes it back where a tool does that.
Task<std::vector<Undoable>> undoables(Probe& probe, Client client) {
  std::vector<Undoable> found;
  const Exercise& exercise = *co_await probe.exercise();
  for (MadeThing maker : makers(probe, exercise)) {
    maker.params = with_the_least(std::move(maker.params), *maker.maker);
    const MadeThing made = co_await make_again(client, std::move(maker));
    if (made.maker == nullptr) continue;
    const Json* const undoer = undoer_of(probe, made);
    if (undoer == nullptr) continue;
    const std::optional<Reply> undone = co_await undo(client, made, undoer);
    if (undone) found.push_back({made, undoer});
  }
  co_return found;
}

// Left is a member of the answers of a maker that says how much is left, and by how much each call
// lowers it.
struct Left {
  std::string member;
  std::int64_t step = 0;
};

std::optional<std::int64_t> left_in(const Json& answer, const std::string& member) {
  const Json* const value = scalar_called(answer, member);
  if (value == nullptr || !value->is_number_integer()) return std::nullopt;
  return value->get<std::int64_t>();
}

// lowered_by returns what a second call has lowered by one, or by a number that it was given.
std::optional<Left> lowered_by(const MadeThing& first, const MadeThing& second) {
  std::optional<Left> found;
  each_object(first.answer, [&](const Json& object) {
    for (const auto& [name, value] : object.items()) {
      if (found || !value.is_number_integer() || !has_word(words_of(name), kOfWhatIsLeft)) continue;
      const std::optional<std::int64_t> before = left_in(first.answer, name);
      const std::optional<std::int64_t> then = left_in(second.answer, name);
      if (!before || !then || *before <= *then) continue;
      const std::int64_t step = *before - *then;
      const Json* const given = find(second.params, "arguments");
      const bool asked = given != nullptr && std::ranges::any_of(*given, [step](const Json& one) {
                           return one.is_number_integer() && one.get<std::int64_t>() == step;
                         });
      if (asked || step == 1) found = Left{name, step};
    }
  });
  return found;
}

// Freed is one round: what was left when the second was made, after it was taken back, and when
// another was made.
struct Freed {
  bool told = false;
  bool stays = false;  // It was not raised.
  std::string member;
  std::int64_t taken = 0;
  std::int64_t after = 0;
  Reply undone;
  MadeThing next;
};

Task<Freed> free_once(Client client, Undoable pair) {
  Freed freed;
  const MadeThing first = co_await make_again(client, pair.maker);
  if (first.maker == nullptr) co_return std::move(freed);
  MadeThing again = first;
  const MadeThing second = co_await make_again(client, std::move(again));
  const std::optional<Left> left =
      second.maker == nullptr ? std::nullopt : lowered_by(first, second);
  std::optional<Reply> undone;
  if (second.maker != nullptr) undone = co_await undo(client, second, pair.undoer);
  if (left && undone) {
    MadeThing last = second;
    freed.next = co_await make_again(client, std::move(last));
    const std::optional<std::int64_t> then = left_in(freed.next.answer, left->member);
    const std::optional<std::int64_t> said = left_in(answer_in(*undone), left->member);
    freed.member = left->member;
    freed.taken = left_in(second.answer, left->member).value_or(0);
    freed.told = then.has_value();
    freed.after = then.value_or(0);
    freed.stays = then && *then == freed.taken - left->step && (!said || *said == freed.taken);
    freed.undone = *undone;
    if (freed.next.maker != nullptr) co_await undo(client, freed.next, pair.undoer);
  }
  co_await undo(client, first, pair.undoer);
  co_return std::move(freed);
}

Task<Finding> judge_freeing(Client client, Undoable pair) {
  const FreeingPromise says = freeing_promise(*pair.maker.maker, *pair.undoer);
  if (says.text.empty()) co_return not_for_it("");
  Freed freed;
  for (int round = 0; round < kFreeingRounds; ++round) {
    freed = co_await free_once(client, pair);
    if (!freed.told || !speaks_of(says, freed.member)) co_return not_for_it("");
    if (tells_of_later(answer_in(freed.undone))) co_return not_for_it("");
    if (!freed.stays) co_return passes();
  }
  co_return about(
      broken(quoted_name(*pair.undoer) + " takes back what " + quoted_name(*pair.maker.maker) +
             " did, and does not bring back what that took: \"" + freed.member + "\" was " +
             std::to_string(freed.taken) + " when it was taken, and the next call of " +
             quoted_name(*pair.maker.maker) + " leaves " + std::to_string(freed.after) +
             "; it says \"" + shortened(says.text) + "\""),
      freed.undone);
}

// most_borne returns how many items of one list in an answer have this id.
std::int64_t most_borne(const Json& answer, const std::string& parameter, const Json& id) {
  std::int64_t most = 0;
  each_object(answer, [&](const Json& object) {
    for (const Json& list : object) {
      if (!is_objects(list)) continue;
      const auto bears = [&](const Json& item) {
        const Json* const own = find(item, parameter);
        const Json* const plain = find(item, "id");
        return (own != nullptr && *own == id) ||
               (own == nullptr && plain != nullptr && *plain == id);
      };
      most = std::max<std::int64_t>(most, std::ranges::count_if(list, bears));
    }
  });
  return most;
}

// listed_twice returns the answer in which two things of one list have this id; nothing: there is
// none.
Task<std::optional<Reply>> listed_twice(Probe& probe, Client client, IdOfMade id) {
  std::size_t asked = 0;
  for (const Json& tool : probe.survey().tools.items) {
    const Json* const required = at_pointer(tool, "/inputSchema/required");
    const bool needs = required != nullptr && !required->empty();
    if (keeps_a_record(string_or(tool, "name", ""))) continue;
    if (needs || !starts_with_one_of(tool, kShowing) || !probe.may_call(tool)) continue;
    if (asked++ == kListsAskedMax) break;
    Json params = {{"name", string_or(tool, "name", "")}, {"arguments", Json::object()}};
    Reply reply = co_await client.request("tools/call", std::move(params));
    const bool twice =
        has_gone_well(reply) && most_borne(answer_in(reply), id.parameter, id.value) > 1;
    if (twice) co_return std::move(reply);
  }
  co_return std::nullopt;
}

// judge_next looks at the id of what was made after the first of two was taken back.
Task<Finding> judge_next(Probe& probe, Client client, Undoable pair, MadeThing second,
                         MadeThing next) {
  const IdOfMade borne = id_for(second, *pair.undoer);
  const Json id = id_for(next, *pair.undoer).value;
  const bool once = says_ids_once(*pair.maker.maker);
  if (id.is_null()) co_return not_for_it("");
  if (id == borne.value) {
    const std::optional<Reply> twice = co_await listed_twice(probe, client, borne);
    const std::string what = quoted_name(*pair.maker.maker) + " gave " + shortened(dump_json(id)) +
                             " a second time, when " + quoted_name(*pair.undoer) +
                             " had taken back another one: two things bear that id";
    if (twice) co_return about(broken(what + ", as a list shows"), *twice);
    if (once) co_return broken(what + ", and it says that it gives no id again");
  }
  co_return passes();
}

Task<Finding> judge_ids_of(Probe& probe, Client client, Undoable pair) {
  const MadeThing first = co_await make_again(client, pair.maker);
  MadeThing second;
  if (first.maker != nullptr) second = co_await make_again(client, pair.maker);
  if (second.maker == nullptr) co_return not_for_it("");
  const Json one = id_for(first, *pair.undoer).value;
  const Json other = id_for(second, *pair.undoer).value;
  if (one.is_null() || other.is_null() || one == other) co_return not_for_it("");
  const std::optional<Reply> undone = co_await undo(client, first, pair.undoer);
  if (!undone) co_return not_for_it("");
  const MadeThing next = co_await make_again(client, pair.maker);
  if (next.maker == nullptr) co_return not_for_it("");
  Finding finding = co_await judge_next(probe, client, pair, second, next);
  const Json given = id_for(next, *pair.undoer).value;
  const std::optional<Reply> gone = co_await undo(client, next, pair.undoer);
  if (finding.verdict == Verdict::kPass && gone && says_ids_once(*pair.maker.maker)) {
    const MadeThing last = co_await make_again(client, pair.maker);
    if (last.maker != nullptr && id_for(last, *pair.undoer).value == given) {
      finding =
          about(broken(quoted_name(*pair.maker.maker) +
                       " says that it gives no id again, and gave " + shortened(dump_json(given)) +
                       " once more, when " + quoted_name(*pair.undoer) + " had taken that back"),
                *gone);
    }
    if (last.maker != nullptr) co_await undo(client, last, pair.undoer);
  }
  co_await undo(client, second, pair.undoer);
  co_return std::move(finding);
}

using JudgeUndone = Task<Finding> (*)(Probe& probe, Client client, Undoable pair);

Task<Finding> each_undone(Probe& probe, JudgeUndone judge) {
  if (!has_undoer(probe)) co_return not_for_it("");
  Client client = co_await probe.open_in_turn("made things", probe.usual());
  if (!client.session().usable()) co_return not_for_it("");
  const std::vector<Undoable> pairs = co_await undoables(probe, client);
  std::size_t judged = 0;
  for (const Undoable& pair : pairs) {
    Finding finding = co_await judge(probe, client, pair);
    if (finding.verdict == Verdict::kFail) co_return std::move(finding);
    judged += finding.verdict == Verdict::kPass ? 1 : 0;
  }
  co_return judged > 0 ? passes() : not_for_it("");
}

Task<Finding> judge_freed(Probe& /*probe*/, Client client, Undoable pair) {
  Finding finding = co_await judge_freeing(std::move(client), std::move(pair));
  co_return std::move(finding);
}

}  // namespace

Task<Finding> frees_what_was_taken(Probe& probe) {
  Finding finding = co_await each_undone(probe, judge_freed);
  co_return std::move(finding);
}

Task<Finding> gives_ids_once(Probe& probe) {
  Finding finding = co_await each_undone(probe, judge_ids_of);
  co_return std::move(finding);
}

}  // namespace plumbline::conformance
