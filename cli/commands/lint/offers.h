// Where `lint` gets what it looks at: servers that are asked, recordings, and lists in files.

#pragma once

#include <string>
#include <vector>

#include "cli/host.h"
#include "cli/judging/check_targets.h"
#include "conformance/quality/offer.h"

namespace plumbline::cli {

struct OfferSources {
  std::vector<std::string> files;  // Recordings, or saved answers to tools/list.
  CheckedServer target;            // Where there are no files.
  Duration timeout{};              // Of one answer. 0: what the command holds for right.
};

// SourcedOffer is an offer and where it is from.
struct SourcedOffer {
  std::string name;   // Of the server in a configuration, or the file; empty: there is one alone.
  std::string shown;  // As words of a command line.
  conformance::ServerOffer offer;
};

struct Offers {
  std::vector<SourcedOffer> all;
  Error complaint;  // Which servers could not be asked, and why; wordless: all were.
  bool interrupted = false;
};

// ask_servers opens each of `targets` and asks for its lists. `timeout` is that of one answer, 0:
// what the command holds for right.
Offers ask_servers(const CheckTargets& targets, Duration timeout, Host& host);

// gather asks the servers, those of a host's file too, or reads the files. kInvalidInput: a file or
// an option is wrong.
Result<Offers> gather(OfferSources sources, Host& host);

}  // namespace plumbline::cli
