// What the members of an object are called that say of each other what they hold: pairs of a name
// and a value, tables. The same for JSON, YAML and elements of XML.

#pragma once

#include <string_view>
#include <vector>

#include "core/base/secrets/secret_finder.h"
#include "core/base/secrets/secret_names.h"

namespace plumbline {

// Part is what a member may hold; some names are met for more than one.
enum Part : unsigned {
  kNamePart = 1,
  kPathPart = 2,   // Whose last name it is.
  kKindPart = 4,   // Of which kind a value is.
  kValuePart = 8,  // What the name names.
  kNearPart = 16,  // What may be a value: a text near a name.
  kColumnsPart = 32,
  kRowsPart = 64,
  kDataPart = 128,  // Of an object of kind Secret.
};

// parts_of returns what a member of this name may be, however it is spelt; 0: nothing.
unsigned parts_of(std::string_view key);

// names_pair returns whether a name like this says that the value beside it is a secret.
bool names_pair(std::string_view name, const NameRule& rule);

// is_secret_kind returns whether a value of this kind is a secret: "password", "SecureString".
bool is_secret_kind(std::string_view kind);

// add_table_secrets adds what stands in columns of tables that are named like secrets: those of
// Markdown, and of comma or tab separated values. Takes time in proportion to the text.
void add_table_secrets(std::string_view text, const NameRule& rule, std::vector<Named>& found);

}  // namespace plumbline
