// What the mirror asks and tells the clients before a gateway during their calls, and what became
// of it: questions, and progress.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/finding.h"
#include "conformance/peer/client.h"

namespace plumbline::conformance {

// Questions are those that came: the name of the client, the question.
using Questions = std::vector<std::pair<std::string, std::string>>;

// answer_questions lets both clients answer by their names, "one" and "other", and notes what they
// were asked. `questions` must live until they forget that again.
void answer_questions(Session& one, Session& other, Questions& questions);

// judge_answer says what became of the question with `mark` that was for the client `name`. `got`
// is what its call came to.
Finding judge_answer(const Reply& got, const std::string& name, const std::string& mark,
                     const Questions& questions);

// refused_since returns how the gateway has refused what a client answered by requests of its own
// since the exchange `from`, other than `call`: "status 400"; empty: it has refused nothing.
std::string refused_since(const Session& session, std::size_t from, std::size_t call);

// progress_by_token returns how far a call is with this token, of each notification in turn.
std::vector<Json> progress_by_token(const std::vector<KeptJson>& messages,
                                    const std::string& token);

// progress_on_get returns what of it came on streams that the client asked for by GET, a moment
// after the last thing that came.
Task<std::vector<Json>> progress_on_get(Client* client, std::string token);

// content_of returns the structuredContent of a result, nullptr when there is none.
const Json* content_of(const Reply& reply);

}  // namespace plumbline::conformance
