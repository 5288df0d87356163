// Altered keeps what a Deviation did to the messages that it was given: what of the wire is wrong,
// and what the judge asked for it. A finding of the judge has to show one of them.

#pragma once

#include <functional>
#include <set>
#include <string>

#include "conformance/wire/wire_log.h"
#include "core/json/json.h"

namespace plumbline::conformance {

class Altered {
 public:
  // work runs `deviate`, which is given `text`. `asked` is the request that `text` answers or is.
  void work(const std::string& text, const Json& asked, const std::function<void()>& deviate) {
    given_ = text;
    same_ = false;
    changed_ = false;
    works_ = true;
    deviate();
    works_ = false;
    if (same_ && !changed_) return;
    keep(text);
    if (!asked.is_null()) keep(dump_json(asked));
  }

  // said takes in what a deviation says or passes on, in work or later by itself.
  void said(const std::string& text) {
    if (works_ && shown(text) == shown(given_)) {
      same_ = true;
      return;
    }
    changed_ = true;
    keep(text);
  }

  // keep takes in what is wrong: a message, or a line such as "GET /mcp".
  void keep(const std::string& text) { all_.insert(shown(text)); }

  // holds returns whether a line of evidence is one of them.
  bool holds(const Json& message) const {
    const Json* const http = find(message, "http");
    if (http != nullptr && http->is_string()) return all_.contains(http->get<std::string>());
    if (const Json* const garbage = find(message, "garbage")) {
      return garbage->is_string() && all_.contains(shown(garbage->get<std::string>()));
    }
    return all_.contains(shown(dump_json(message)));
  }

  bool empty() const { return all_.empty(); }

 private:
  // Evidence cuts long texts.
  static std::string shown(const std::string& text) {
    const Result<Json> message = parse_json(text);
    if (!message.ok()) return text;
    return dump_json(conformance::excerpt(message.value()));
  }

  std::set<std::string> all_;
  std::string given_;
  bool works_ = false;
  bool same_ = false;
  bool changed_ = false;
};

}  // namespace plumbline::conformance
