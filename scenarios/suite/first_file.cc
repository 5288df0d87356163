#include "scenarios/suite/first_file.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/match/masks.h"
#include "scenarios/suite/learn.h"
#include "scenarios/suite/names.h"
#include "scenarios/suite/suite_reader.h"

namespace plumbline::suite {

namespace {

bool is_kind(const std::string& mask) { return !mask.starts_with('/'); }

const Json* outcome_of(const Json& response) {
  const Json* const result = find(response, "result");
  return result == nullptr ? find(response, "error") : result;
}

std::size_t leaves_of(const Json& value) {
  if (!value.is_structured()) return 1;
  std::size_t all = 0;
  for (const Json& member : value) all += leaves_of(member);
  return all;
}

// Making is one file on its way.
class Making {
 public:
  Making(SuiteHead head, std::vector<Draft> drafts, const std::vector<Play>& plays)
      : head_(std::move(head)), drafts_(std::move(drafts)), plays_(plays) {}

  FirstFile run(const std::string& file_name) {
    for (std::size_t i = 0; i < drafts_.size(); ++i) expect(i);
    drop_unanswered();
    head_.masks.assign(kinds_.begin(), kinds_.end());
    made_.masks += kinds_.size();
    write(file_name);
    return std::move(made_);
  }

 private:
  const Json& response(std::size_t play, std::size_t draft) const {
    static const Json nothing;
    const std::size_t at = places_.empty() ? draft : places_[draft];
    return at < plays_[play].size() ? plays_[play][at] : nothing;
  }

  void expect(std::size_t i) {
    Draft& draft = drafts_[i];
    const Json& first = response(0, i);
    Learned learned;
    bool same_kind = true;
    for (std::size_t play = 1; play < plays_.size(); ++play) {
      const Json& other = response(play, i);
      if (first.is_null() || other.is_null()) continue;
      const bool fails = find(first, "error") != nullptr;
      same_kind = same_kind && fails == (find(other, "error") != nullptr);
      if (same_kind) learned.add(*outcome_of(first), *outcome_of(other));
    }
    // Two plays may meet the same second.
    for (const std::string& kind : kinds_in(first)) {
      if (plays_.size() == 1 || kind == "time") learned.masks.insert(kind);
    }
    same_kind = same_kind && !learned.masks.contains("");
    Step& step = draft.test.steps.front();
    step.expect = same_kind ? expectation_of(first, step.verb, learned) : Json();
    if (!same_kind) made_.unsteady.push_back(draft.test.name);
    keep_masks(learned, draft, first);
  }

  void keep_masks(const Learned& learned, Draft& draft, const Json& first) {
    std::size_t covered = 0;
    for (const std::string& mask : learned.masks) {
      if (mask.empty()) continue;
      if (is_kind(mask)) kinds_.insert(mask);
      if (is_kind(mask)) continue;
      draft.masks.push_back(mask);
      const std::optional<Json> there =
          find(first, "result") == nullptr ? std::nullopt : value_at(first["result"], mask);
      covered += there ? leaves_of(*there) : 1;
    }
    made_.masks += draft.masks.size() + learned.patterns.size() + learned.sometimes.size();
    const Json* const outcome = outcome_of(first);
    if (covered > 0 && outcome != nullptr && covered * 2 > leaves_of(*outcome)) {
      made_.loose.push_back(draft.test.name);
    }
  }

  void drop_unanswered() {
    std::vector<Draft> left;
    for (std::size_t i = 0; i < drafts_.size(); ++i) {
      if (response(0, i).is_null()) {
        made_.unanswered.push_back(drafts_[i].test.name);
        continue;
      }
      kept_.push_back(i);
      left.push_back(std::move(drafts_[i]));
    }
    drafts_ = std::move(left);
    places_ = std::move(kept_);
  }

  // write writes the text, and holds every play against it: what does not fit expects no more than
  // an answer.
  void write(const std::string& file_name) {
    for (int round = 0; round < 2; ++round) {
      made_.text = suite_text(head_, drafts_);
      made_.snapshots = Snapshots();
      const Result<Suite> suite = read_suite(made_.text, file_name);
      if (!suite.ok() || fits(suite.value())) break;
    }
    for (const Draft& draft : drafts_) count(draft.test.steps.front());
  }

  bool fits(const Suite& suite) {
    bool all = true;
    for (std::size_t play = 0; play < plays_.size(); ++play) {
      for (std::size_t i = 0; i < suite.tests.size(); ++i) {
        if (response(play, i).is_null() || fits(suite, i, play)) continue;
        all = false;
        Step& step = drafts_[i].test.steps.front();
        if (step.expect.is_null()) continue;
        step.expect = loosest(response(play, i));
        drafts_[i].masks.clear();
        made_.unsteady.push_back(drafts_[i].test.name);
      }
    }
    return all;
  }

  bool fits(const Suite& suite, std::size_t i, std::size_t play) {
    const Test& test = suite.tests[i];
    match::Masks masks = suite.masks;
    masks.add_all(test.masks);
    Held held{masks, made_.snapshots, test.name};
    held.writes_missing = play == 0;
    Answered answered;
    answered.response = response(play, i);
    const Json expect = filled_expectation(test.steps.front().expect, {});
    return hold(expect, answered, held).empty();
  }

  static Json loosest(const Json& response) {
    if (find(response, "error") != nullptr) return {{"error", Json::object()}};
    const Json* const result = find(response, "result");
    const bool fails = result != nullptr && bool_or(*result, "isError", false);
    return fails ? Json{{"isError", true}} : Json();
  }

  void count(const Step& step) {
    if (step.verb == Verb::kList) {
      ++made_.lists;
    } else if (find(step.expect, "error") != nullptr || find(step.expect, "isError") != nullptr) {
      ++made_.refusals;
    } else {
      ++made_.answers;
    }
  }

  SuiteHead head_;
  std::vector<Draft> drafts_;
  const std::vector<Play>& plays_;
  std::set<std::string> kinds_;
  std::vector<std::size_t> kept_;
  std::vector<std::size_t> places_;  // Of each draft that is left, in the plays.
  FirstFile made_;
};

}  // namespace

FirstFile first_file(SuiteHead head, std::vector<Draft> drafts, const std::vector<Play>& plays,
                     const std::string& file_name) {
  return Making(std::move(head), std::move(drafts), plays).run(file_name);
}

}  // namespace plumbline::suite
