// PatternTable compiles each pattern of a schema once, and all of them with as much memory as the
// limits have.

#pragma once

#include <cstddef>
#include <map>
#include <string_view>

#include "core/schema/compile/first_error.h"
#include "core/schema/program.h"

namespace plumbline::schema {

class PatternTable {
 public:
  PatternTable(Program& program, FirstError& error) : program_(program), error_(error) {}

  // pattern returns what `text`, standing at `location`, is compiled to; null after an error.
  const Pattern* pattern(const Location& location, std::string_view text);

 private:
  Program& program_;
  FirstError& error_;
  std::map<std::string_view, const Pattern*> patterns_;
  std::size_t memory_ = 0;
};

}  // namespace plumbline::schema
