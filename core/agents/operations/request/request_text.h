// RequestText finds values that a person wrote in a request: quoted strings, paths, addresses,
// names, numbers. Every value it returns stands in the request, letter for letter, and is handed
// out once: two properties never get the same words.

#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plumbline::agents {

// is_path returns whether a word has a slash, or an extension of letters ("notes.md", not "3.5" nor
// "e.g"), or is the name of a file that usually keeps secrets (".env", "id_rsa").
bool is_path(std::string_view word);

// names_folder returns whether `word`, before "folder", is the name of one: "docs", not "the" nor
// "project".
bool names_folder(std::string_view word);

// is_pattern returns whether a word is one of file names: "*.log".
bool is_pattern(std::string_view word);

// is_identifier returns whether a word can be the id of something: "#12", "T-42", "ev42".
bool is_identifier(std::string_view word);

class RequestText {
 public:
  struct Piece {
    std::string_view text;  // Without quotes and closing punctuation.
    bool quoted = false;
    bool used = false;
    bool ends_sentence = false;
    char end = 0;  // The first mark that closes it; 0: none.
  };

  // `request` must outlive this object. Its words are set apart by single spaces (words.h).
  explicit RequestText(std::string_view request);

  // request returns what it was made of, and pieces its words and quotations.
  std::string_view request() const { return request_; }
  const std::vector<Piece>& pieces() const { return pieces_; }

  // take_piece takes one of them.
  std::string take_piece(std::size_t index) { return take(index); }

  // assigned returns the value of "name=value", "name: value" or `name "value"`.
  std::optional<std::string> assigned(std::string_view name);

  // speaks_of returns whether `value` stands in the request as whole words, in any case.
  bool speaks_of(std::string_view value) const;

  // speaks_of_many returns whether the word `value` stands in the request in its plural.
  bool speaks_of_many(std::string_view value) const;

  std::optional<std::string> path();       // "a/b", "notes.md", or quoted with one of them.
  std::optional<std::string> folder();     // "docs" of "the docs folder".
  std::optional<std::string> uri();        // Holds "://".
  std::optional<std::string> pattern();    // "*.log".
  std::optional<std::string> recipient();  // An address, "#channel", "@user", or what follows "to".
  std::optional<std::string> person();     // A capitalised name that does not open the request.
  std::optional<std::string> identifier();     // "#123", "T-42", "123".
  std::optional<std::string> direct_object();  // The noun after the first verb: "email the report".

  // path_after returns the path that directly follows one of `markers`.
  std::optional<std::string> path_after(std::initializer_list<std::string_view> markers);

  // value_after returns the name or value that directly follows one of `markers`: "from New York".
  std::optional<std::string> value_after(std::initializer_list<std::string_view> markers);

  // phrase_after returns the quoted string, or the rest of the words, after one of `markers`.
  std::optional<std::string> phrase_after(std::initializer_list<std::string_view> markers);

  // said_behind returns the quoted string that directly follows one of `markers`.
  std::optional<std::string> said_behind(std::initializer_list<std::string_view> markers);

  // place returns the capitalised words after "in", "at", "near", "for" or "of", or else the word
  // after "in the" or "at the": "in New York", "in the kitchen".
  // With `of` goes on over a comma to where the place is: "in San Juan, Puerto Rico".
  std::optional<std::string> place(bool of = false);

  // set_to returns what a request that opens with "set", "update", "change" or "mark" wants `name`
  // to be: "closed" in "Update the status of ticket 42 to closed".
  std::optional<std::string> set_to(std::string_view name);

  // named_as returns the name of the `thing` where one follows it, or stands between it and an
  // article: "feature-x" of "switch to branch feature-x", "main" of "the main branch", "shop" of
  // "in namespace shop". One of `no_names` is only another word of the thing: "table sizes". `made`
  // is whether the thing may be a new one: "create a team named Support". `any` is whether any word
  // may be a name: "the table users".
  std::optional<std::string> named_as(std::string_view thing,
                                      const std::vector<std::string>& no_names, bool made,
                                      bool any = false);

  // pair returns the two values on both sides of "to", "into" or "as": the first before it, which
  // nothing has taken, and the one behind.
  std::optional<std::pair<std::string, std::string>> pair();

  // renamed_to returns the new name in a request that opens with "rename".
  std::optional<std::string> renamed_to();

  // value_beside returns what is written beside `name`, or beside its first word, and is no word
  // of a sentence: "user u1" and "block_id b7", "the Enter key".
  std::optional<std::string> value_beside(std::string_view name);

  // identifier_behind returns the identifier that directly follows the word `thing`, in any form:
  // "t9" of "the subtasks of task t9".
  std::optional<std::string> identifier_behind(std::string_view thing);

  // word_behind returns `word`, as written, where it directly follows the word `thing`.
  std::optional<std::string> word_behind(std::string_view thing, std::string_view word);

  // named_behind returns the word that directly follows the word `thing`: one that is no word of a
  // sentence, or any behind "of the", "in the" and the like: "the fields of the index orders".
  std::optional<std::string> named_behind(std::string_view thing);

  // named_into returns the name of where something goes: "Archive" of "into the folder Archive".
  std::optional<std::string> named_into();

  // number_near returns a number that stands beside a word of `name`; after "first", "last", "top"
  // when the name speaks of a limit; before "seconds" when it speaks of a time; before one of
  // `things`, in the plural, when it speaks of a count.
  std::optional<std::string> number_near(std::string_view name,
                                         const std::vector<std::string>& things = {});

  // says_flag returns true where the words of `name` stand in the request, false where "no", "not"
  // or "without" stands before them, nothing where they do not.
  std::optional<bool> says_flag(std::string_view name) const;

  // only_number and only_quoted return the one there is; nothing when there are several.
  std::optional<std::string> only_number();
  std::optional<std::string> only_quoted();

  // listed_numbers returns the numbers of the request where there are `count`, and they are listed
  // as equals: "2 and 3", "2, 3 and 4", "2 plus 3", "8 by 6". Otherwise none.
  std::vector<std::string> listed_numbers(std::size_t count);

 private:
  void add_word(std::string_view word);
  std::string take(std::size_t index);
  std::string take_run(std::size_t first, std::size_t end);
  std::string take_capitalised(std::size_t first);
  bool is_capitalised(std::size_t index) const;
  bool is_marker(std::size_t index, std::initializer_list<std::string_view> markers) const;
  bool is_article(std::size_t index) const;
  bool ends_thing(std::size_t index) const;

  std::string_view request_;
  std::vector<Piece> pieces_;
};

}  // namespace plumbline::agents
