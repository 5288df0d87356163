// Random secrets of few letters, so that they overlap and contain each other.

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/json/redactor.h"

namespace plumbline {
namespace {

rc::Gen<std::string> letters(int bytes_min, int bytes_max) {
  return rc::gen::mapcat(rc::gen::inRange(bytes_min, bytes_max + 1), [](int bytes) {
    return rc::gen::container<std::string>(static_cast<std::size_t>(bytes),
                                           rc::gen::elementOf(std::string("xyz")));
  });
}

// slowly looks for every secret at every place.
std::string slowly(std::string_view text, const std::vector<std::string>& secrets) {
  std::vector<bool> hidden(text.size());
  std::vector<bool> begins(text.size(), true);  // No secret reaches from before it into it.
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const std::string& secret : secrets) {
      if (text.substr(at, secret.size()) != secret) continue;
      for (std::size_t i = 0; i < secret.size(); ++i) {
        hidden[at + i] = true;
        if (i > 0) begins[at + i] = false;
      }
    }
  }
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!hidden[at]) out += text[at];
    if (hidden[at] && begins[at]) out += "[redacted]";
  }
  return out;
}

RC_GTEST_PROP(RedactorPropTest, HidesEveryByteOfEverySecretAndNothingElse, ()) {
  const auto secrets = *rc::gen::container<std::vector<std::string>>(letters(4, 8));
  const std::string text = *letters(0, 40);
  Redactor redactor;
  for (const std::string& secret : secrets) redactor.add(secret);
  const std::string expected = slowly(text, secrets);
  RC_ASSERT(redactor.redact(text) == expected);
  RC_ASSERT(redactor.finds_secret(text) == (expected != text));
  RC_ASSERT(!redactor.finds_secret(redactor.redact(text)));
}

}  // namespace
}  // namespace plumbline
