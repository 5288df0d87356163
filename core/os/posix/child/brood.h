// Brood counts the children of this process that somebody stands for. When the last of them goes,
// so does what any of them has left behind: processes that left their group or their session, and
// whose own parents are gone. They fall to us (PR_SET_CHILD_SUBREAPER), whoever they call master.

#pragma once

namespace plumbline::os {

class Brood {
 public:
  // adopt_orphans makes this process the one that orphans below it fall to. Children that it has
  // before the first call, from before it was this program, are never ended here.
  static void adopt_orphans();

  // One more child. Made before the child is started: no other thread takes it for an orphan then.
  Brood();
  Brood(const Brood&) = delete;
  Brood& operator=(const Brood&) = delete;

  // Kills and reaps the orphans, if this was the last child; at most for some seconds.
  ~Brood();
};

}  // namespace plumbline::os
