// The dictionary knows which words of English mean the same, and from which word a form comes. It
// is made of WordNet (compile.mjs).

#pragma once

#include <string>
#include <string_view>

namespace plumbline::agents {

// is_common_word returns whether `word`, in lower case, is a verb or noun that people use often, in
// any form: "child", "children", "said".
bool is_common_word(std::string_view word);

// base_form returns the word of which `word` is an irregular form ("said" is "say"), or else
// `word`.
std::string base_form(std::string_view word);

// is_form_of returns whether `form` may be a regular form of `word`: "followed" of "follow".
bool is_form_of(std::string_view form, std::string_view word);

// is_verb_too returns whether a word in its base form is a verb, whatever else it is.
bool is_verb_too(std::string_view word);

// same_deed returns whether two verbs may mean the same, or a verb and the noun that is made of
// it: "buy" and "purchase", "translate" and "translation". same_thing asks it of two nouns:
// "car" and "automobile". Both words are in lower case and in their base form.
bool same_deed(std::string_view one, std::string_view other);
bool same_thing(std::string_view one, std::string_view other);

}  // namespace plumbline::agents
