// The rules of oracle.cc. Each returns not_for_it() when nothing that it is about was said.

#pragma once

#include "conformance/oracles/hearing.h"

namespace plumbline::conformance {

// messages.cc: what every single message has to be ---
Finding says_version(const Hearing& hearing);
Finding conforms_to_json_rpc(const Hearing& hearing);
Finding request_ids_are_typed(const Hearing& hearing);
Finding request_ids_are_not_null(const Hearing& hearing);
Finding request_ids_are_unique(const Hearing& hearing);
Finding responses_have_one_outcome(const Hearing& hearing);
Finding results_are_objects(const Hearing& hearing);
Finding notifications_have_no_id(const Hearing& hearing);
Finding params_are_named(const Hearing& hearing);
Finding sends_no_batches(const Hearing& hearing);
Finding server_asks_nothing(const Hearing& hearing);
Finding client_answers_nothing(const Hearing& hearing);

// errors.cc ---
Finding errors_have_code_and_message(const Hearing& hearing);
Finding error_codes_are_integers(const Hearing& hearing);
Finding error_messages_are_concise(const Hearing& hearing);
Finding legacy_codes_are_unused(const Hearing& hearing);
Finding reserved_codes_are_defined(const Hearing& hearing);
Finding defined_codes_keep_their_meaning(const Hearing& hearing);
Finding retired_codes_are_unused(const Hearing& hearing);
Finding own_codes_are_outside(const Hearing& hearing);

// metadata.cc: keys of _meta, and names like them ---
Finding meta_prefixes_are_labels(const Hearing& hearing);
Finding meta_labels_are_spelt(const Hearing& hearing);
Finding meta_prefixes_are_reversed(const Hearing& hearing);
Finding meta_names_are_spelt(const Hearing& hearing);
Finding meta_reserved_is_left_alone(const Hearing& hearing);
Finding trace_context_is_formed(const Hearing& hearing);
Finding extensions_are_named(const Hearing& hearing);

// frames.cc: bytes and lines ---
Finding says_utf8(const Hearing& hearing);
Finding lines_are_messages(const Hearing& hearing);
Finding lines_are_separate(const Hearing& hearing);
Finding messages_keep_to_a_line(const Hearing& hearing);

// progress.cc ---
Finding progress_tokens_are_typed(const Hearing& hearing);
Finding progress_tokens_are_unique(const Hearing& hearing);
Finding progress_increases(const Hearing& hearing);
Finding progress_messages_say_something(const Hearing& hearing);
Finding progress_is_of_known_tokens(const Hearing& hearing);
Finding progress_stops_with_the_answer(const Hearing& hearing);
Finding progress_is_limited(const Hearing& hearing);
Finding progress_of_tasks_keeps_its_token(const Hearing& hearing);
Finding progress_of_tasks_stops(const Hearing& hearing);

// cancellations.cc ---
Finding cancels_its_own_requests(const Hearing& hearing);
Finding cancels_by_id(const Hearing& hearing);
Finding server_cancels_subscriptions_alone(const Hearing& hearing);
Finding answers_nothing_cancelled(const Hearing& hearing);
Finding says_nothing_after_cancel(const Hearing& hearing);
Finding tasks_are_not_cancelled_as_requests(const Hearing& hearing);

// logs.cc: notifications/message ---
Finding logging_is_declared(const Hearing& hearing);
Finding log_levels_are_known(const Hearing& hearing);
Finding logs_are_limited(const Hearing& hearing);
Finding logs_are_asked_for(const Hearing& hearing);
Finding logs_are_severe_enough(const Hearing& hearing);
Finding logs_stay_on_their_stream(const Hearing& hearing);

// sessions.cc: what was agreed on ---
Finding waits_for_initialized(const Hearing& hearing);
Finding uses_what_was_declared(const Hearing& hearing);
Finding asks_for_declared_input(const Hearing& hearing);
Finding keeps_to_its_revision(const Hearing& hearing);
Finding keeps_to_one_era(const Hearing& hearing);
Finding pings_in_reason(const Hearing& hearing);
Finding results_say_their_type(const Hearing& hearing);
Finding result_types_are_known(const Hearing& hearing);
Finding results_name_the_server(const Hearing& hearing);

// contents.cc ---
Finding content_is_of_the_revision(const Hearing& hearing);
Finding schemas_are_valid(const Hearing& hearing);
Finding schemas_are_of_2020_12(const Hearing& hearing);

// shapes.cc ---
Finding messages_have_their_shape(const Hearing& hearing);

// Of Streamable HTTP: http_answers.cc, http_streams.cc.
Finding accepts_notifications_with_202(const Hearing& hearing);
Finding answers_json_or_events(const Hearing& hearing);
Finding streams_whole_messages(const Hearing& hearing);
Finding begins_streams_with_an_id(const Hearing& hearing);
Finding asks_proxies_not_to_buffer(const Hearing& hearing);
Finding keeps_to_the_request(const Hearing& hearing);
Finding keeps_progress_off_the_stream(const Hearing& hearing);
Finding keeps_answers_off_the_stream(const Hearing& hearing);
Finding says_nothing_twice(const Hearing& hearing);
Finding gives_every_event_its_id(const Hearing& hearing);

}  // namespace plumbline::conformance
