// How the parts of a fit are stored in a checkpoint (state/state_saver.hpp). A frame is not stored but rebuilt: the
// same numbers give bitwise the same frame.
#pragma once

#include <memory>
#include <vector>

#include "core/fitted.hpp"
#include "state/archive.hpp"
#include "train/site_rows.hpp"

namespace induce::detail {

// When reading, arrays must have the given sizes. A prior must have the right number of classes and thresholds.
void archive_prior(Archive a, Prior& prior, const Kernel& kernel, Index d);
// Takes the sites out of the rows, or puts them in.
void archive_sites(Archive a, SiteRows& rows, SiteSet& sites, Index functions = 1);
void archive_posteriors(Archive a, std::vector<Posterior>& q, const Kernel& kernel, Index m);
// `like` has the numbers of latent functions and thresholds.
void archive_fitted(Archive a, Fitted& fitted, const std::shared_ptr<const Kernel>& kernel, Index d,
                    const Prior& like);

}  // namespace induce::detail
