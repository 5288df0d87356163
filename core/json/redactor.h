// Redactor takes secrets out of text and of JSON that is shown or kept: logs, traces, reports,
// recordings, stores, answers. What is executed, or sent to a peer or a model, is never what it
// returns.

#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/secrets/secret_finder.h"
#include "core/base/secrets/secret_search.h"
#include "core/json/json.h"

namespace plumbline {

class Redactor {
 public:
  // add names one secret: a key or token from the configuration. Shorter than 4 bytes is ignored:
  // it would blank out ordinary words.
  void add(std::string secret);

  // add_forms names one secret, and each form in which it may be written (forms_of).
  void add_forms(const std::string& secret);

  // add_named takes the value of a variable or header whose name says it is secret
  // ("GITHUB_TOKEN", "DB_PASSWORD" ...).
  void add_named(std::string_view name, std::string value);

  // name_by has `name` say what stands in place of a secret, instead of [redacted].
  void name_by(std::function<std::string(std::string_view secret)> name) {
    name_ = std::move(name);
  }

  // ask_first has `rule` say which names are those of secrets, before the vocabulary does
  // (core/base/secrets/secret_names.h).
  void ask_first(NameRule rule) { rule_ = std::move(rule); }

  // redact returns `text` with each secret as [redacted]: those that were added, those that the
  // text names, whatever looks like a well-known kind of credential; also where they are escaped or
  // encoded (SecretSearch). Secrets that overlap become one. Takes time in proportion to the text,
  // whatever is in it. What is to be shortened is redacted first; of what was shortened before,
  // `cut` says where: the part of a secret that was added is one there.
  std::string redact(std::string text, CutEnds cut = {}) const;

  // redact changes in place every text and key in `value`, and of a member whose name is one of a
  // secret all texts below it; numbers too, where the name is one of a password. JSON schemas stay
  // what they are, but for the values that they suggest.
  void redact(Json& value) const;

  // contain takes out of `value`, keys and texts, those secrets alone that were added: what is ours
  // to hide goes on to nobody, and what looks like somebody's secret goes on as it stands.
  void contain(Json& value) const;
  std::string contain(std::string text) const;

  // is_clean returns whether redact would change nothing. It copies nothing.
  bool is_clean(const Json& value) const;

  // finds_secret returns whether `text` holds a secret that was added. For invariants.
  bool finds_secret(std::string_view text) const;

  // The parts of redact, for who goes through JSON.
  bool names(std::string_view name, NamedAs as) const { return names_secret(name, as, rule_); }
  std::size_t digits_of(std::string_view name) const;  // number_digits_min, or what the rule says.
  std::string name_of(std::string_view secret) const;
  std::vector<Named> find(std::string_view text, CutEnds cut = {}) const;
  SecretSearch search() const { return {finder_, rule_}; }
  const NameRule& rule() const { return rule_; }

  // without returns `text` with the names of what was `found`, in order, in its places.
  std::string without(std::string_view text, const std::vector<Named>& found) const;

 private:
  std::vector<std::string> secrets_;
  SecretFinder finder_;  // Of them.
  std::function<std::string(std::string_view)> name_;
  NameRule rule_;
};

// names_credential returns whether a member of this name carries a secret.
bool names_credential(std::string_view name);

}  // namespace plumbline
