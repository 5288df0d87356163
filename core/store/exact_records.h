// ExactRecords remembers, as long as the process lives, what records said before secrets were taken
// out of them: what goes on in this process goes on with the exact words. Another process has only
// what was kept, and must not run that.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "core/base/doors/record_store.h"

namespace plumbline::store {

class ExactRecords {
 public:
  // remember takes what the record `version` of `key` was, `exact`, and as what it is `kept`.
  void remember(const std::string& key, std::int64_t version, std::string kept, std::string exact) {
    all_[key].insert_or_assign(version, Both{std::move(kept), std::move(exact)});
  }

  // find returns what `record` of `key` was; nullptr: it is not one of ours.
  const std::string* find(const std::string& key, const Record& record) const {
    const auto of_key = all_.find(key);
    if (of_key == all_.end()) return nullptr;
    const auto both = of_key->second.find(record.version);
    const bool same = both != of_key->second.end() && both->second.kept == record.value;
    return same ? &both->second.exact : nullptr;
  }

  // forget drops those of `key` before the version `first`, forget_all those of all versions.
  void forget(const std::string& key, std::int64_t first) {
    const auto of_key = all_.find(key);
    if (of_key == all_.end()) return;
    of_key->second.erase(of_key->second.begin(), of_key->second.lower_bound(first));
    if (of_key->second.empty()) all_.erase(of_key);
  }
  void forget_all(const std::string& key) { all_.erase(key); }

 private:
  struct Both {
    std::string kept;
    std::string exact;
  };
  std::map<std::string, std::map<std::int64_t, Both>> all_;
};

}  // namespace plumbline::store
