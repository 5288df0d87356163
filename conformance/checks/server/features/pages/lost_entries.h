// Whether the pages of a list make the whole: nothing is lost where one page ends and the next
// begins.

#pragma once

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/probe.h"

namespace plumbline::conformance {

// loses_nothing_between_pages looks behind the cursors that a list gives: what a page has that
// begins earlier, and no page of the whole walk has, was lost. A cursor that says nothing which can
// be read, or that another one cannot be made of, is left alone.
Task<Finding> loses_nothing_between_pages(Probe& probe);

}  // namespace plumbline::conformance
