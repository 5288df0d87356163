// Redactor takes secrets out of text and of JSON where they enter, so that no state, trace or
// report ever holds them.

#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/json/json.h"
#include "core/json/secret_finder.h"

namespace plumbline {

class Redactor {
 public:
  // add names one secret: a key or token from the configuration. Shorter than 4 bytes is ignored:
  // it would blank out ordinary words.
  void add(std::string secret);

  // add_named takes the value of a variable or header whose name says it is secret
  // ("GITHUB_TOKEN", "DB_PASSWORD" ...).
  void add_named(std::string_view name, std::string value);

  // name_by has `name` say what stands in place of a secret, instead of [redacted].
  void name_by(std::function<std::string(std::string_view secret)> name) {
    name_ = std::move(name);
  }

  // redact returns `text` with each secret, and whatever looks like a well-known kind of
  // credential (Bearer ..., sk-..., ghp_..., JSON web tokens ...), as [redacted]. Secrets that
  // overlap become one [redacted]. Takes time in proportion to the text, whatever is in it. What is
  // to be shortened is redacted first: a part of a secret is not recognised.
  std::string redact(std::string text) const;

  // redact changes every string in `value`, and every string member whose key names a credential
  // ("password", "access_token", "api_key" ...), in place.
  void redact(Json& value) const;

  // finds_secret returns whether `text` holds a secret that was added. For invariants.
  bool finds_secret(std::string_view text) const;

 private:
  std::string name_of(std::string_view secret) const;
  std::string without(std::string_view text, const std::vector<Span>& spans) const;

  std::vector<std::string> secrets_;
  SecretFinder finder_;  // Of them.
  std::function<std::string(std::string_view)> name_;
};

// names_credential returns whether a member, header or variable of this name carries a secret.
bool names_credential(std::string_view name);

}  // namespace plumbline
