// How the parts of a fit are stored in a checkpoint (state/keeper.hpp). A frame is not stored but rebuilt: the
// same numbers give bitwise the same frame.
#pragma once

#include <memory>
#include <vector>

#include "core/fitted.hpp"
#include "site/site.hpp"
#include "state/archive.hpp"

namespace induce {

// When reading, arrays must have the given sizes. A prior must have the right number of classes.
void archive_prior(Archive a, Prior& prior, const Kernel& kernel, Index d);
void archive_sites(Archive a, Sites& sites, Index n, Index functions = 1);
void archive_posteriors(Archive a, std::vector<Posterior>& q, Index m);
void archive_fitted(Archive a, Fitted& fitted, const std::shared_ptr<const Kernel>& kernel, Index d,
                    Index functions = 1);

}  // namespace induce
