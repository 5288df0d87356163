// The records of rules in the program (record_reader.h), and what they say of a rule by its id.

#pragma once

#include <span>
#include <string_view>

#include "conformance/catalogue/record_reader.h"

namespace plumbline::conformance {

// records returns those in the program, which ends where one cannot be read.
const Records& records();

// gateway_rules returns what a gateway has to keep to, as requirements() does what the
// specification asks for. These rules are our own: they rest on pages of the specification, which
// asks nothing of gateways in so many words.
std::span<const Requirement> gateway_rules();

// find_record returns the record of rule `id`; nullptr: there is none.
const RuleRecord* find_record(std::string_view id);

// why_it_matters returns what happens to clients, or to servers, where rule `id` is broken; empty:
// nothing is written of it.
std::string_view why_it_matters(std::string_view id);

// mend_of returns what to change where rule `id` is broken as `message` says; empty: nothing is
// written of it.
std::string_view mend_of(std::string_view id, std::string_view message = {});

}  // namespace plumbline::conformance
