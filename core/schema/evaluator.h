// Evaluator judges one value by one Program.
//
// It works in two ways. Without findings it stops at the first thing wrong and says only whether:
// the way of a valid value, which makes no strings. With findings it goes on and explains.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/budget/budget.h"
#include "core/json/json.h"
#include "core/schema/findings.h"
#include "core/schema/program.h"
#include "core/schema/walk.h"

namespace plumbline::schema {

class Evaluator {
 public:
  // `findings` and `budget` may be null. All must outlive the evaluator.
  Evaluator(const Program& program, Findings* findings, Budget* budget);

  // run judges `value` by `node` and charges the budget with the steps. False when it is wrong or a
  // bound was reached.
  bool run(const Node& node, const Json& value);

  // stopped names the bound that ended the walk, empty when none did.
  const std::string& stopped() const { return stopped_; }

 private:
  bool evaluate(const Node& node, const At& at, Covered* covered);
  bool keywords(const Node& node, const At& at, Covered* covered);
  bool of_its_type(const Node& node, const At& at, Covered* covered);
  bool values(const Node& node, const At& at);
  bool numbers(const Node& node, const At& at);
  bool strings(const Node& node, const At& at);

  bool items(const Node& node, const At& at, Covered* covered);
  bool item_counts(const Node& node, const At& at);
  bool item_schemas(const Node& node, const At& at, Covered* covered);
  bool contains(const Node& node, const At& at, Covered* covered);
  bool all_differ(const Node& node, const At& at);

  bool members(const Node& node, const At& at, Covered* covered);
  bool member_counts(const Node& node, const At& at);
  bool member_schemas(const Node& node, const At& at, Covered* covered);
  bool names(const Node& node, const At& at);
  bool dependencies(const Node& node, const At& at, Covered* covered);

  bool in_place(const Node& node, const At& at, Covered* covered);
  bool any_of(const Node& node, const At& at, Covered* covered);
  bool one_of(const Node& node, const At& at, Covered* covered);
  bool conditional(const InPlace& rules, const At& at, Covered* covered);
  bool unevaluated(const Node& node, const At& at, Covered& covered);
  const Node& dynamic_target(const InPlace& rules, const At& at);

  // refused judges by a node that is known to refuse, and explains it as `keyword` of `parent`.
  bool extra(const Node& parent, std::string_view keyword, const Node& node, const At& at);

  // quietly judges without findings.
  bool quietly(const Node& node, const At& at, Covered* covered);

  // why_not explains each of `branches`, all of which refuse the value.
  std::string why_not(const NodeList& branches, const At& at);

  bool fail(const Node& node, std::string_view keyword, const At& at,
            const std::string& detail = {});
  bool stop(std::string why);

  // more returns whether to go on after a keyword that said `good`.
  bool more(bool good) const {
    return stopped_.empty() && (good || (findings_ != nullptr && !findings_->full()));
  }

  // spend counts steps; false when there are no more. pay charges the budget with them.
  bool spend(std::uint64_t steps);
  bool pay();

  const SchemaLimits& limits_;
  const bool dynamic_;
  Findings* findings_;
  Budget* budget_;
  std::uint64_t steps_max_;
  std::uint64_t steps_ = 0;
  std::size_t depth_ = 0;
  std::string stopped_;
};

}  // namespace plumbline::schema
