// Independent parts of a job over threads. Which thread runs which part is left to chance, so a part must
// depend on nothing but its number: then the result is the same for any number of threads.
#pragma once

#include <cstddef>
#include <functional>

namespace induce {

// The number of threads to use: `requested`, or for 0 all cores that this process may use.
int thread_count(int requested);

// Runs work(0) ... work(parts - 1) and returns when all are done. Nothing throws across a thread: if parts
// throw, the exception of the lowest part among them is thrown again here; parts above a failed one may be
// left out.
void for_each_part(std::size_t parts, int threads, const std::function<void(std::size_t)>& work);

}  // namespace induce
