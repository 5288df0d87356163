#include "scenarios/sweep/trials.h"

#include <utility>

#include "scenarios/format/format.h"
#include "scenarios/sweep/packed.h"

namespace plumbline::scenarios {

namespace {

enum TaskKind : std::uint64_t { kWholeDrawn, kWholeOfFile, kDocument };

std::string pack_trial(const Trial& trial) {
  Packer packer;
  packer.failures(trial.failures).number(trial.schedule.size());
  for (const std::uint32_t place : trial.schedule) packer.number(place);
  return packer.take();
}

Trial unpack_trial(std::string_view text) {
  Unpacker packed(text);
  Trial trial;
  trial.failures = packed.failures();
  trial.schedule.resize(packed.number());
  for (std::uint32_t& place : trial.schedule) place = static_cast<std::uint32_t>(packed.number());
  return trial;
}

std::string run_packed(const Scenario& scenario, const RunOptions& options) {
  RunResult result = run_scenario(scenario, options);
  return pack_trial(Trial{std::move(result.failures), std::move(result.schedule)});
}

}  // namespace

Trials::Trials(const Scenario& scenario, std::uint64_t seed, Transport transport, const Hire& hire)
    : scenario_(scenario),
      seed_(seed),
      transport_(transport),
      file_(scenario.id + ".json"),
      workers_(
          hire(1, [this](std::string_view task, const Workers::Say& say) { work(task, say); })) {}

Weather Trials::weather(Around around) const {
  if (around == Around::kOfFile) return weather_of(scenario_);
  fakes::Choices choices = weather_choices(scenario_, seed_);
  return draw_weather(scenario_, choices);
}

Trial Trials::whole(Around around) {
  const TaskKind kind = around == Around::kDrawn ? kWholeDrawn : kWholeOfFile;
  return *result_of(Packer().number(kind).take());
}

std::optional<Trial> Trials::of_document(const Json& document, std::uint64_t seed) {
  return result_of(Packer().number(kDocument).number(seed).text(dump_json(document)).take());
}

// work does a task. It says nothing of a document that is refused.
void Trials::work(std::string_view task, const Workers::Say& say) const {
  Unpacker packed(task);
  const std::uint64_t kind = packed.number();
  RunOptions options;
  if (kind != kDocument) {
    const Weather around = weather(kind == kWholeDrawn ? Around::kDrawn : Around::kOfFile);
    options.seed = seed_;
    options.transport = transport_;
    options.weather = &around;
    options.want.schedule = true;
    return say(run_packed(scenario_, options));
  }
  options.seed = packed.number();
  const Result<Scenario> scenario = load_scenario(packed.text(), file_);
  if (scenario.ok()) say(run_packed(scenario.value(), options));
}

std::optional<Trial> Trials::result_of(std::string task) {
  workers_->give(std::move(task));
  std::optional<Trial> trial;
  for (;;) {
    const std::optional<Workers::News> news = workers_->next();
    if (!news) continue;  // A signal: whoever searches looks for it between two runs.
    if (news->kind == Workers::News::Kind::kDone) return trial;
    if (news->kind == Workers::News::Kind::kSaid) trial = unpack_trial(news->text);
    if (news->kind == Workers::News::Kind::kDied) {
      return Trial{{RunFailure{std::string(kNoAbort), news->text}}, {}};
    }
  }
}

}  // namespace plumbline::scenarios
