// How the parts of a fit are stored in a checkpoint (state/keeper.hpp). A frame is not stored but made
// again: the same numbers give the same bits.
#pragma once

#include <memory>

#include "core/fitted.hpp"
#include "site/site.hpp"
#include "state/archive.hpp"

namespace induce {

// Of an array that is read, the number of entries must be the one given.
void archive_prior(Archive a, Prior& prior, const Kernel& kernel, Index d);
void archive_sites(Archive a, Sites& sites, Index n);
void archive_posterior(Archive a, Posterior& q, Index m);
void archive_fitted(Archive a, Fitted& fitted, const std::shared_ptr<const Kernel>& kernel, Index d);

}  // namespace induce
