// What the judge makes on a server with its tools, to read, change and delete it again: a book, a
// ticket, a job. Other tools know it by the id that the call which made it has answered with.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/checks/server/probe.h"
#include "core/base/task.h"

namespace plumbline::conformance {

// is_id_like returns whether the words of a name are those of an id: "loan id", "key".
bool is_id_like(const std::vector<std::string>& words);

// scalar_called returns the first member of `value`, or of what it holds, that has this name and is
// a text, a number or a boolean; nullptr: there is none.
const Json* scalar_called(const Json& value, std::string_view name);

// quoted_name returns the name of a tool in quotes, as messages have it.
std::string quoted_name(const Json& tool);

// MadeThing is what one call has made.
struct MadeThing {
  const Json* maker = nullptr;  // The tool; nullptr: nothing was made.
  Json params;                  // Of its call.
  Json answer;
};

// makers returns calls of tools that make something, which have gone well before.
std::vector<MadeThing> makers(Probe& probe, const Exercise& exercise);

// make_again makes the call of a maker once more; with other texts, where the same is refused.
Task<MadeThing> make_again(Client client, MadeThing maker);

// IdOfMade is the parameter by which a tool takes something that was made, and its value.
struct IdOfMade {
  std::string parameter;
  Json value;  // Null: the tool takes no such thing.
};

// id_for returns by what `taker` knows `made`.
IdOfMade id_for(const MadeThing& made, const Json& taker);

// params_for returns the params of a call of `taker` about `made`; null: it takes no such thing, or
// wants to know more than that.
Json params_for(const MadeThing& made, const Json& taker);

// object_about returns the object of an answer that is about what is known by `id`; the answer
// itself, where none names that.
const Json& object_about(const Json& answer, const Json& id);

}  // namespace plumbline::conformance
