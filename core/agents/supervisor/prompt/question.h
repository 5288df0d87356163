// What a model is asked.

#pragma once

#include <string>

namespace plumbline::agents::supervisor {

// Question is one question to a model.
struct Question {
  std::string role{};   // Who it is.
  std::string what{};   // What it is to do now; empty: the task says it.
  std::string form{};   // What its answer looks like.
  bool history = true;  // It knows what was said in the thread before.
  bool work = true;     // It knows the steps, findings and opinions.
  bool deep = false;    // It is worth much thought, unless the caller says how much.
};

}  // namespace plumbline::agents::supervisor
