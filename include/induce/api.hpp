// INDUCE_API marks what a shared library shows.
#pragma once

#define INDUCE_API __attribute__((visibility("default")))
