// The checks of quality: each looks at what is offered and notes what a rule of rules.tsv speaks
// against.

#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/quality/reading.h"

namespace plumbline::conformance {

// Note is one thing that a rule speaks against.
struct Note {
  std::string item;   // The tool or other thing; empty: the server as a whole.
  std::string what;   // The place in it or what is wrong, in a few words: "path", "1,620 tokens".
  bool sure = false;  // Of safety: not only suspected.
};

class Notes {
 public:
  // add notes something under the rule `id`, which rules.tsv has.
  void add(std::string_view id, std::string_view item, std::string_view what, bool sure = false);

  // looked says how many things the rule was held to, where these are not the tools.
  void looked(std::string_view id, std::size_t count) { looked_[std::string(id)] = count; }

  const std::vector<Note>& of(std::string_view id) const;
  std::size_t looked_at(std::string_view id, std::size_t otherwise) const;

 private:
  std::map<std::string, std::vector<Note>, std::less<>> notes_;
  std::map<std::string, std::size_t, std::less<>> looked_;
};

// Around is what a check may know besides: what else the host of the server has, and which hosts
// matter.
struct Around {
  std::string server;                      // As the host calls it; empty: nobody knows.
  std::vector<std::string> hosts;          // By name; empty: all that are known.
  std::vector<std::string> other_servers;  // Their names,
  std::vector<std::string> other_tools;    // and those of their tools,
  std::vector<std::string> owners;         // each of one of these servers.

  std::string owner_of(std::size_t tool) const {
    return tool < owners.size() ? owners[tool] : "another server";
  }
};

void check_names(const Reading& read, const Around& around, Notes& notes);
void check_descriptions(const Reading& read, const Around& around, Notes& notes);
void check_schemas(const Reading& read, const Around& around, Notes& notes);
void check_behaviour(const Reading& read, const Around& around, Notes& notes);
void check_cost(const Reading& read, const Around& around, Notes& notes);
void check_confusion(const Reading& read, const Around& around, Notes& notes);
void check_answers(const Reading& read, const Around& around, Notes& notes);
void check_hosts(const Reading& read, const Around& around, Notes& notes);
void check_safety(const Reading& read, const Around& around, Notes& notes);
void check_beside(const Reading& read, const Around& around, Notes& notes);

// QualityPart is one part of the grade.
struct QualityPart {
  std::string_view name;  // As rules.tsv has it.
  void (*check)(const Reading& read, const Around& around, Notes& notes);
};

// quality_parts returns all of them, in the order of reports.
std::span<const QualityPart> quality_parts();

}  // namespace plumbline::conformance
