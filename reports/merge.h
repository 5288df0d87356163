// The reports of the shards of a sweep become the one report that the whole sweep would have made.

#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/events/report.h"

namespace plumbline::reports {

struct ShardReport {
  std::string name;  // For messages: the path of its file.
  Report report;     // As read_sweep_report returned it.
};

// merge_shards returns the report of the whole. It tells no times, so any split into shards, or
// none, gives the same. kInvalidInput: they are not all the shards of one sweep, each once; the
// message names the file, or the shards, where that shows.
Result<Report> merge_shards(std::vector<ShardReport> shards);

}  // namespace plumbline::reports
