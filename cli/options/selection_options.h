// The options that say which checks run, and how.

#pragma once

#include <string>

#include "conformance/catalogue/selection.h"
#include "core/base/result.h"

namespace CLI {
class App;
}

namespace plumbline::cli {

struct CheckSelection {
  std::string revision = "auto";
  conformance::Selection rules;
  int concurrency = 32;
};

// SelectionTexts is what is read afterwards.
struct SelectionTexts {
  std::string only;
  std::string skip;
};

// declare_gateway_selection declares those of them that the checks of gateways know;
// read_gateway_selection completes `selection`. kInvalidInput: an id that none of them has.
void declare_gateway_selection(CLI::App& app, CheckSelection& selection, SelectionTexts& texts);
Status read_gateway_selection(const SelectionTexts& texts, CheckSelection& selection);

// declare_selection declares the options; both references outlive `app`.
void declare_selection(CLI::App& app, CheckSelection& selection, SelectionTexts& texts);

// read_selection completes `selection`. kInvalidInput: an id that no check has.
Status read_selection(const SelectionTexts& texts, CheckSelection& selection);

}  // namespace plumbline::cli
