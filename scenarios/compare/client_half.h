// ClientHalf plays the client of a recorded session against a server that is there: it asks what
// was asked, in the same order and with the same ids, and answers what the server asks as it was
// answered then.
//
// It sends a message once everything that had been answered before it in the recording is answered
// now. Cursors and other names that the server gives out are those of the server of now.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "conformance/peer/client.h"
#include "conformance/peer/subject.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "scenarios/compare/conversation.h"

namespace plumbline::scenarios {

// play_client returns what came of every request of `recorded`, in its order, with a connection of
// its own. Errors are those of Subject::open. `subject` must outlive the Task.
Task<Result<Conversation>> play_client(conformance::Subject& subject, RecordedSession recorded);

// bounds_for returns the bounds of a log that has room for a server that says four times what the
// recorded one has said, and never less than a judge keeps.
conformance::LogBounds bounds_for(const RecordedSession& session);

// revision_of returns the revision that was agreed on, or else that the client asks for.
std::string revision_of(const RecordedSession& session);

}  // namespace plumbline::scenarios
