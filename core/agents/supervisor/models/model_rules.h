// Which model answers: by what was asked for, then by rules, then the default; never one that
// cannot take what it is to be given, where that is known.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::agents::supervisor {

class ModelShelf;

// Complexity is how hard a request looks.
enum class Complexity { kSimple, kOrdinary, kHard };
std::string_view name_of(Complexity complexity);  // "simple", "ordinary", "hard".

// ModelRule says which model a request wants. The first that fits, and whose model is on the shelf
// and takes the request, counts.
struct ModelRule {
  std::string tool{};                                 // Empty: any.
  std::int64_t files_bytes_above = -1;                // The files have more bytes than that.
  Complexity complexity_least = Complexity::kSimple;  // It is at least so hard,
  Complexity complexity_most = Complexity::kHard;     // and at most so.
  bool images = false;                                // There are images.
  std::string model{};                                // Empty: the cheapest of those that take it.
  std::string role{};  // Where that model is not there: the one of this role, if there is one.
};

// seed_rules are those that hold where nobody says otherwise: a review of much goes to the model of
// the role "long-context", thinking to that of the role "reasoning".
std::vector<ModelRule> seed_rules();

// ModelDemand is what of a request decides.
struct ModelDemand {
  std::string asked{};   // The model that was asked for; empty: none.
  std::string before{};  // The model that has answered last in the thread; empty: none.
  std::string tool{};
  std::int64_t files_bytes = 0;
  std::int64_t tokens = 0;  // Of all that the model is to be given, estimated.
  bool images = false;
  Complexity complexity = Complexity::kOrdinary;
};

// ModelPolicy is what settings say of the choice.
struct ModelPolicy {
  std::vector<ModelRule> rules = seed_rules();
  std::string default_model{};  // Empty: the first of the shelf.
  std::string expert_model{};   // Judges what another one has found; empty: that of "reasoning".
  std::int64_t prompt_cost_micros_max = -1;  // Of one question, in millionths; -1: any.
};

// ChosenName is the model, and why it: "asked", "thread", "rule", "default", "cheapest"; "only"
// where no other takes the request and this one may not, either.
struct ChosenName {
  std::string model{};  // Empty: the shelf is.
  std::string why{};
  std::vector<std::string> passed_over{};  // "NAME: why it was not taken", in order.
};

// choose_name chooses. What is not known of a model does not speak against it, but for images. A
// model that was asked for is taken whatever is known of it.
ChosenName choose_name(const ModelDemand& demand, const ModelPolicy& policy,
                       const ModelShelf& shelf);

// model_of_role returns the first model of the shelf that serves for `role`; "" for none.
std::string model_of_role(const ModelShelf& shelf, std::string_view role);

// choose_expert returns who judges what the model `worker` has found, which the caller may have
// asked for: then it judges itself. Else the policy's expert, or that of the role "reasoning",
// where it can be asked and takes `tokens`; else `worker`.
std::string choose_expert(const std::string& worker, bool asked_for, std::int64_t tokens,
                          const ModelPolicy& policy, const ModelShelf& shelf);

}  // namespace plumbline::agents::supervisor
