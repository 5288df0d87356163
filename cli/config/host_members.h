// The members of one server as hosts write them, as data, and the small languages in their values.

#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::cli {

// Synonym is what some host calls a member. The first of those that mean the same counts.
struct Synonym {
  std::string_view said;
  std::string_view means;
};

std::span<const Synonym> member_synonyms();
std::span<const Synonym> type_synonyms();  // Of what stands in "type".

// nested_members returns the members whose own members belong to the server itself.
std::span<const std::string_view> nested_members();

// is_known_member returns whether the member is read, or says nothing of how a server is reached.
bool is_known_member(std::string_view name);

// words_in takes a command line apart: at spaces, quotes aside.
std::vector<std::string> words_in(const std::string& text);

// read_env_lines reads the lines NAME=VALUE of an "envFile".
std::map<std::string, std::string> read_env_lines(const std::string& text);

}  // namespace plumbline::cli
