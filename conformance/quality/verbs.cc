#include "conformance/quality/verbs.h"

#include <algorithm>
#include <array>
#include <map>

namespace plumbline::conformance {

namespace {

struct Verbs {
  Deed deed;
  std::string_view words;  // Each between spaces.
};

constexpr std::array<Verbs, 7> kVerbs = {{
    {Deed::kRead,
     " get list read retrieve fetch find search query show describe view count check inspect look "
     "lookup browse scan download head tail stat exists compare diff monitor watch peek preview "
     "explain summarize summarise extract export "},
    {Deed::kCreate,
     " create add insert post make write generate new build draft clone copy duplicate register "
     "upload import publish submit save record store "},
    {Deed::kChange,
     " update patch edit modify set put rename move change replace merge apply configure adjust "
     "toggle resize format convert transform translate sort assign "},
    {Deed::kDelete,
     " delete remove drop clear destroy erase purge uninstall unregister discard forget revoke "
     "archive trash "},
    {Deed::kBegin,
     " start open enable connect play lock mount subscribe follow begin launch activate resume "
     "deploy install login join attach "},
    {Deed::kEnd,
     " stop close disable disconnect pause unlock unmount unsubscribe unfollow end shutdown kill "
     "deactivate cancel abort undeploy logout leave detach terminate force "},
    {Deed::kOther,
     " run execute exec call invoke send ask answer echo simulate trigger click press type fill "
     "navigate go wait hover drag scroll select use take give is has can validate verify test lint "
     "analyze analyse evaluate calculate compute add reply forward notify log print parse render "
     "draw plot crawl scrape map research think plan resolve rerun retry roll pack unpack "
     "sync commit push pull approve reject review triage schedule track measure emulate handle "
     "annotate suggest complete gather collect solve process attach switch reload refresh reset "
     "restart reopen zip unzip encode decode encrypt decrypt sign hash swap split join mark tag "
     "label rate vote like pin comment mention invite interact feedback scale rollout "
     "rollback port proxy ping cordon drain give feedback perform load init initialize manage "
     "aggregate rename choose pick book order pay buy sell transfer request report "},
}};

const std::map<std::string_view, Deed>& deeds() {
  static const std::map<std::string_view, Deed> kDeeds = [] {
    std::map<std::string_view, Deed> deeds;
    for (const Verbs& verbs : kVerbs) {
      std::string_view rest = verbs.words.substr(1);
      while (!rest.empty()) {
        const std::string_view word = rest.substr(0, rest.find(' '));
        deeds.emplace(word, verbs.deed);
        rest.remove_prefix(word.size() + 1);
      }
    }
    return deeds;
  }();
  return kDeeds;
}

}  // namespace

Deed deed_of(std::string_view word) {
  const auto found = deeds().find(word);
  return found == deeds().end() ? Deed::kNone : found->second;
}

bool destroys(std::string_view word) {
  constexpr auto kSurely = std::to_array<std::string_view>(
      {"delete", "remove", "drop", "destroy", "erase", "purge", "overwrite", "write", "rename",
       "move", "uninstall", "kill", "terminate", "truncate", "wipe", "revoke"});
  return std::ranges::find(kSurely, word) != kSurely.end();
}

}  // namespace plumbline::conformance
