// JSON: the value, and both ways between it and text.

#pragma once

#include "core/json/dump.h"
#include "core/json/parse.h"
#include "core/json/value.h"
