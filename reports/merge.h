// Several reports become one: those of the shards of a sweep the report that the whole sweep would
// have made; those of parts of a judgement, such as one a revision, the report of all their
// results.

#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/events/report.h"

namespace plumbline::reports {

struct ShardReport {
  std::string name;  // For messages: the path of its file.
  Report report;     // As read_report returned it.
};

// merge_reports returns merge_shards() of reports of a sweep, else one report with the results of
// all, in the order given: of one version and one command, each result once. It tells when the
// first began and how long they took together. kInvalidInput: they do not belong together; the
// message names the file where that shows.
Result<Report> merge_reports(std::vector<ShardReport> reports);

// merge_shards returns the report of the whole. It tells no times, so any split into shards, or
// none, gives the same. kInvalidInput: they are not all the shards of one sweep, each once; the
// message names the file, or the shards, where that shows.
Result<Report> merge_shards(std::vector<ShardReport> shards);

}  // namespace plumbline::reports
