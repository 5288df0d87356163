#include <array>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/client/walk/walk.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kDefinitionIds[] = {"tools.definition-forms-taken"};
constexpr std::string_view kResultIds[] = {"tools.content-kinds-taken"};
constexpr std::string_view kErrorIds[] = {"jsonrpc.error-forms-taken"};
constexpr std::string_view kNoticeIds[] = {"jsonrpc.notices-before-answers"};
constexpr std::string_view kCarriedIds[] = {"http.answer-forms-read"};

// About is what the scenarios of a group have in common.
struct About {
  std::string_view name;
  Eras eras;
  Over over;
  std::span<const std::string_view> ids;
};

constexpr About kAbout[] = {
    {"walk-definitions", Eras::kBoth, Over::kAny, kDefinitionIds},
    {"walk-results", Eras::kBoth, Over::kAny, kResultIds},
    {"walk-errors", Eras::kBoth, Over::kAny, kErrorIds},
    {"walk-notices", Eras::kStateful, Over::kAny, kNoticeIds},
    {"walk-carried", Eras::kBoth, Over::kHttp, kCarriedIds},
};

template <std::size_t kGroup, std::size_t kForm, WalkMode kMode>
class Stop final : public Walk {
 public:
  Stop() : Walk(kGroup, kForm, kMode) {}
};

template <std::size_t kGroup, WalkMode kMode, std::size_t... kForms>
constexpr std::array<ClientScenario, sizeof...(kForms)> stops_of(std::index_sequence<kForms...>) {
  constexpr const About& kIts = kAbout[kGroup];
  return {ClientScenario{"tools_call", kIts.name, kIts.eras, kIts.over, since::kStreamableHttp,
                         kIts.ids, make_script<Stop<kGroup, kForms, kMode>>}...};
}

template <std::size_t kGroup, std::size_t kCount, WalkMode kMode>
constexpr std::array<ClientScenario, kCount> kStops =
    stops_of<kGroup, kMode>(std::make_index_sequence<kCount>());

template <std::size_t kGroup, std::size_t kCount>
const ClientScenario* stop_in(std::size_t form, WalkMode mode) {
  switch (mode) {
    case WalkMode::kOn:
      return &kStops<kGroup, kCount, WalkMode::kOn>[form];
    case WalkMode::kSome:
      return &kStops<kGroup, kCount, WalkMode::kSome>[form];
    case WalkMode::kAlone:
      return &kStops<kGroup, kCount, WalkMode::kAlone>[form];
    case WalkMode::kAgain:
      return &kStops<kGroup, kCount, WalkMode::kAgain>[form];
  }
  return nullptr;
}

constexpr ClientScenario kWalkScenarios[] = {
    kStops<0, kWalkDefinitions, WalkMode::kOn>[0], kStops<1, kWalkResults, WalkMode::kOn>[0],
    kStops<2, kWalkErrors, WalkMode::kOn>[0],      kStops<3, kWalkNotices, WalkMode::kOn>[0],
    kStops<4, kWalkCarried, WalkMode::kOn>[0],
};

}  // namespace

const ClientScenario* walk_stop(std::size_t group, std::size_t form, WalkMode mode) {
  constexpr const ClientScenario* (*kGroups[])(std::size_t, WalkMode) = {
      stop_in<0, kWalkDefinitions>, stop_in<1, kWalkResults>, stop_in<2, kWalkErrors>,
      stop_in<3, kWalkNotices>, stop_in<4, kWalkCarried>};
  return kGroups[group](form, mode);
}

ClientScenarios walk_scenarios() { return kWalkScenarios; }

}  // namespace plumbline::conformance
