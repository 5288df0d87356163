// The rules of oracle.cc. Each returns not_for_it() when nothing that it is about was said.

#pragma once

#include <string>

#include "conformance/oracles/transcript.h"

namespace plumbline::conformance {

// own_methods.cc ---
Finding notifications_are_known(const Transcript& transcript);

// messages.cc: what every single message has to be ---
Finding says_version(const Transcript& transcript);
Finding conforms_to_json_rpc(const Transcript& transcript);
Finding request_ids_are_typed(const Transcript& transcript);
Finding request_ids_are_not_null(const Transcript& transcript);
Finding request_ids_are_unique(const Transcript& transcript);
Finding responses_have_one_outcome(const Transcript& transcript);
Finding results_are_objects(const Transcript& transcript);
Finding notifications_have_no_id(const Transcript& transcript);
Finding params_are_named(const Transcript& transcript);
Finding sends_no_batches(const Transcript& transcript);
Finding server_asks_nothing(const Transcript& transcript);
Finding client_answers_nothing(const Transcript& transcript);

// errors.cc ---
Finding errors_have_code_and_message(const Transcript& transcript);
Finding error_codes_are_integers(const Transcript& transcript);
Finding error_messages_are_concise(const Transcript& transcript);
Finding legacy_codes_are_unused(const Transcript& transcript);
Finding reserved_codes_are_defined(const Transcript& transcript);
Finding defined_codes_keep_their_meaning(const Transcript& transcript);
Finding retired_codes_are_unused(const Transcript& transcript);
Finding own_codes_are_outside(const Transcript& transcript);

// metadata.cc: keys of _meta, and names like them ---
Finding meta_prefixes_are_labels(const Transcript& transcript);
Finding meta_labels_are_spelt(const Transcript& transcript);
Finding meta_prefixes_are_reversed(const Transcript& transcript);
Finding meta_names_are_spelt(const Transcript& transcript);
Finding meta_reserved_is_left_alone(const Transcript& transcript);
Finding trace_context_is_formed(const Transcript& transcript);
Finding extensions_are_named(const Transcript& transcript);

// frames.cc: bytes and lines ---

// broken_message says what makes a whole message on one line no JSON, NaN for one; empty: `entry`
// is no such thing.
std::string broken_message(const LogEntry& entry);
// half_character returns the first half of a character, as \ud83c, that such a message has in an
// escape, where it is JSON otherwise; empty: none.
std::string half_character(const LogEntry& entry);
Finding says_utf8(const Transcript& transcript);
Finding lines_are_messages(const Transcript& transcript);
Finding lines_are_separate(const Transcript& transcript);
Finding messages_keep_to_a_line(const Transcript& transcript);

// progress.cc ---
Finding progress_tokens_are_typed(const Transcript& transcript);
Finding progress_tokens_are_unique(const Transcript& transcript);
Finding progress_increases(const Transcript& transcript);
Finding progress_messages_say_something(const Transcript& transcript);
Finding progress_is_of_known_tokens(const Transcript& transcript);
Finding progress_stops_with_the_answer(const Transcript& transcript);
Finding progress_is_limited(const Transcript& transcript);
Finding progress_of_tasks_keeps_its_token(const Transcript& transcript);
Finding progress_of_tasks_stops(const Transcript& transcript);

// cancellations.cc ---
Finding cancels_its_own_requests(const Transcript& transcript);
Finding cancels_by_id(const Transcript& transcript);
Finding server_cancels_subscriptions_alone(const Transcript& transcript);
Finding answers_nothing_cancelled(const Transcript& transcript);
Finding says_nothing_after_cancel(const Transcript& transcript);
Finding tasks_are_not_cancelled_as_requests(const Transcript& transcript);

// logs.cc: notifications/message ---
Finding logging_is_declared(const Transcript& transcript);
Finding log_levels_are_known(const Transcript& transcript);
Finding logs_are_limited(const Transcript& transcript);
Finding logs_are_asked_for(const Transcript& transcript);
Finding logs_are_severe_enough(const Transcript& transcript);
Finding logs_stay_on_their_stream(const Transcript& transcript);

// sessions.cc: what was agreed on ---
Finding waits_for_initialized(const Transcript& transcript);
Finding uses_what_was_declared(const Transcript& transcript);
Finding asks_for_declared_input(const Transcript& transcript);
Finding keeps_to_its_revision(const Transcript& transcript);
Finding keeps_to_one_era(const Transcript& transcript);
Finding pings_in_reason(const Transcript& transcript);
Finding results_say_their_type(const Transcript& transcript);
Finding result_types_are_known(const Transcript& transcript);
Finding subscriptions_end_by_their_id(const Transcript& transcript);
Finding few_methods_ask_for_input(const Transcript& transcript);
Finding results_name_the_server(const Transcript& transcript);

// contents.cc ---
Finding content_is_of_the_revision(const Transcript& transcript);
Finding schemas_are_valid(const Transcript& transcript);
Finding schemas_are_of_2020_12(const Transcript& transcript);

// shapes.cc ---
Finding messages_have_their_shape(const Transcript& transcript);

// Of Streamable HTTP: http_answers.cc, http_streams.cc.
Finding accepts_notifications_with_202(const Transcript& transcript);
Finding answers_json_or_events(const Transcript& transcript);
Finding streams_whole_messages(const Transcript& transcript);
Finding names_a_session_once(const Transcript& transcript);
Finding shows_pages_the_session(const Transcript& transcript);
Finding begins_streams_with_an_id(const Transcript& transcript);
Finding asks_proxies_not_to_buffer(const Transcript& transcript);
Finding keeps_to_the_request(const Transcript& transcript);
Finding keeps_progress_off_the_stream(const Transcript& transcript);
Finding keeps_answers_off_the_stream(const Transcript& transcript);
Finding says_nothing_twice(const Transcript& transcript);
Finding gives_every_event_its_id(const Transcript& transcript);

}  // namespace plumbline::conformance
