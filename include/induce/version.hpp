// The version of the library that a program is compiled against. Before 1.0 a minor version may change the interface.
#pragma once

#define INDUCE_VERSION_MAJOR 0
#define INDUCE_VERSION_MINOR 2
#define INDUCE_VERSION_PATCH 0
#define INDUCE_VERSION "0.2.0"
