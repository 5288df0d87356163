// The metaschemas of the two dialects, built in: nothing has to be fetched to refer to them.

#pragma once

#include <string_view>

namespace plumbline::schema {

// metaschema_text returns the JSON text of the metaschema or vocabulary with this URI (without
// fragment), empty when it is none of them.
std::string_view metaschema_text(std::string_view uri);

}  // namespace plumbline::schema
