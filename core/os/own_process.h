// This very process, as the system knows it.

#pragma once

#include <string>

namespace plumbline::os {

// process_number returns its number.
int process_number();

// end_by_signal ends it as a signal from outside would, whose number is `signal`. It returns where
// the signal ends nobody.
void end_by_signal(int signal);

// running_as tells what this program is: "the native program", or the module, of what Node, and
// why.
std::string running_as();

}  // namespace plumbline::os
