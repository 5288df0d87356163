// An approval is a value: the exact bytes of what will be done and what they mean, under one
// digest. Whoever asks a person shows all of it, the answer names the digest, and what is done is
// held against it at the moment it is done.
//
//   if (judge(action, context.answer()).standing == Standing::kOpen)
//     co_return graph::Interrupt{question_about(action, asked)};
//
// Here stand the operations assistant, the chat, commands here and on other machines; `ask`,
// `thread resume`, the chat's page and elicitation show what question_about has made.

#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/connector/capability.h"
#include "core/json/json.h"

namespace plumbline::agents::approvals {

// Action is what is to be done. What is empty has no part in it.
struct Action {
  std::string type;     // "command", "tool", "resource", "prompt" or "sampling".
  std::string line;     // Of a command, as asked for; of a resource its URI.
  std::string server;   // Of a tool.
  std::string name;     // The tool, or the word that names the program.
  Json arguments;       // Of a tool; null: none.
  std::string host;     // Another machine, as the request names it.
  std::string sign_in;  // How we sign in there.
  std::string folder;   // Where it starts.
  std::map<std::string, std::string> variables;  // That the request sets.
  std::string program;                           // Where the links of its path lead.
  bool shell = false;                            // `line` is for the shell `program`.
  std::string runs{};                            // What a command runs besides its program.
  std::string user;                              // For whom.
  std::string meaning;                           // Digest of the program, or of the definition.
  std::string place;     // Where the server or the machine is that a name stands for.
  std::string identity;  // Which server or folder it is, of all that had its name. Not shown.
};

// digest_of returns 64 hex digits: another byte anywhere in `action` makes another digest.
std::string digest_of(const Action& action);

// meaning_of returns the digest of a tool as its server defines it: words, schemas, annotations,
// and the server's own name and version. Empty: `manifest` does not have it any more.
std::string meaning_of(const connector::Manifest& manifest, std::string_view server,
                       connector::CapabilityType type, std::string_view name);

// place_in sets where `manifest` says that the server of `action` is.
void place_in(const connector::Manifest& manifest, Action& action);

// Asked is what comes with a question besides the action.
struct Asked {
  std::string place;               // Begins the id: "call", "command-0".
  std::vector<std::string> risks;  // What may be wrong, as policies name it.
  std::string reason;
  bool remembers = false;  // The answer may say "remember".
  std::string about{};     // What others say of it, shown beside it. The meaning covers it.
};

// question_about returns what a person is asked: {"approval_id", "digest", "server", "type",
// "name", "arguments", "risks", "reason", "shown"}. "shown" is rows_of as [[label, text], ...], and
// all of what the digest covers but for the identity.
Json question_about(const Action& action, const Asked& asked);

// rows_of returns what `action` is, line by line, each of them shown (shown_text.h) but for the
// label. The label of an argument or a variable holds its name, shown too.
using Row = std::pair<std::string, std::string>;
std::vector<Row> rows_of(const Action& action);

inline constexpr std::size_t kRowBytesMax = 1'500;  // Of a row, until all of it is asked for.

// text_of returns the rows of a question as text, each behind "• ", which no shown text holds: so
// a line that a window breaks is not taken for another row. Of a row about `bytes_max` bytes stand
// there; `cut` is whether one was longer.
std::string text_of(const Json& question, std::size_t bytes_max, bool& cut);

// answer_to returns what is kept of `answer`, a person's to `question`: an approval with the digest
// of what was approved.
Json answer_to(const Json& question, Json answer);

enum class Standing { kOpen, kApproved, kRefused };

// Judged is what has become of a question.
struct Judged {
  Standing standing = Standing::kOpen;
  std::string why;  // Of a refusal; of an open one why the answer does not count, or nothing.
};

// judge holds `action`, as it would be done now, against what was answered; nullptr: nothing was.
// One that was approved as something else is open again.
Judged judge(const Action& action, const Json* answer);

}  // namespace plumbline::agents::approvals
