// What objects and lists of JSON say in other ways than by the names of their members: pairs of a
// name and a value, tables, command lines.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/secrets/secret_names.h"
#include "core/base/secrets/secret_search.h"
#include "core/json/json.h"

namespace plumbline {

// NamedParts is what an object says of its members in other ways.
struct NamedParts {
  std::string name;                  // Of its value, where it is one of a secret; else empty.
  bool suggests = false;             // It is a schema of such a one.
  bool data = false;                 // It is an object of kind Secret.
  const Json* rows = nullptr;        // The member that has rows of a table; none: it is no table.
  std::vector<bool> secret_columns;  // Of them; empty: no column is one of secrets.

  // names_member returns whether this member is what `name` names.
  bool names_member(std::string_view key, const Json& member) const;
};

NamedParts named_parts_of(const Json::object_t& members, const NameRule& rule);

// secret_columns_of returns which columns are named like secrets; empty: none is. columns_of_rows
// reads their names in the first of the rows.
std::vector<bool> secret_columns_of(const Json& columns, const NameRule& rule);
std::vector<bool> columns_of_rows(const Json::array_t& rows, const NameRule& rule);

// names_below returns whether the members of an object of this name are called by secrets:
// "tokens".
bool names_below(std::string_view name, const NameRule& rule);

// is_called_by_secret returns whether a member's name is no word.
bool is_called_by_secret(std::string_view key);

// is_secret_pair returns whether two items are the label of a secret and the secret:
// ["variable TOKEN", "..."]. Where they are none `of_pairs`, they may also be two names, and the
// second has to look like a secret.
bool is_secret_pair(const Json::array_t& items, bool of_pairs, const NameRule& rule);

// program_of returns what runs with a list of arguments: {"command": "curl", "args": [...]}.
std::string_view program_of(const Json::object_t& members, std::string_view arguments);

// PartOfItem is a secret within a text of a list.
struct PartOfItem {
  std::size_t item = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
};

// secrets_in_command returns the secrets that only the words of a command line together tell:
// ["mysql", "-pX"]. In order.
std::vector<PartOfItem> secrets_in_command(std::string_view program, const Json::array_t& items,
                                           const SecretSearch& search);

}  // namespace plumbline
