// KeptResults are the last results of `plumbline mcp`, for a caller that wants the next page, or
// more of one finding.

#pragma once

#include <cstddef>
#include <deque>
#include <string>

#include "cli/commands/mcp/finding_items.h"
#include "core/base/result.h"
#include "core/json/json.h"

namespace plumbline::cli {

class KeptResults {
 public:
  // add keeps the result of `tool` and returns its first page. `beside` are members that the page
  // has as well. The oldest result makes room.
  Json add(const std::string& tool, ReportItems items, Json beside);

  // page returns the one that `cursor` names. kInvalidInput: no result that is kept has it.
  Result<Json> page(const std::string& cursor) const;

  // first_page returns that of `run`, of the last one where it is empty. kInvalidInput: no such
  // result is kept.
  Result<Json> first_page(const std::string& run) const;

  // finding returns the finding `id` of `run`, of the last one where that is empty, with more of
  // its messages. kInvalidInput: there is none; the message names what is nearest.
  Result<Json> finding(const std::string& run, const std::string& id) const;

 private:
  struct Kept {
    std::string run;  // "check-1".
    ReportItems items;
    Json beside;
  };

  Result<const Kept*> find_run(const std::string& run) const;
  static Json page_of(const Kept& kept, std::size_t start);

  std::deque<Kept> kept_;  // The newest last.
  std::size_t count_ = 0;  // Of all that there were.
};

}  // namespace plumbline::cli
