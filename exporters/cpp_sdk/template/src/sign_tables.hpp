// Tables of characters, a line a table. Written when the library was packed.
#pragma once

namespace modelyard {

inline constexpr const char* kSignTables[] = {
{{sign_tables}}
};

}  // namespace modelyard
