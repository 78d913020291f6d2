#include "train/stored.hpp"

#include "likelihood/thresholds.hpp"

namespace induce::detail {
namespace {

// The matrices of all posteriors, m x m each, side by side.
void archive_squares(Archive& a, const std::string& name, std::vector<Posterior>& q,
                     Matrix Posterior::*member, Index m) {
  const Index functions = static_cast<Index>(q.size());
  Matrix all;
  if (!a.loading()) {
    all.resize(m, m * functions);
    for (Index c = 0; c < functions; ++c) all.middleCols(c * m, m) = q[c].*member;
  }
  a(name, all);
  if (!a.loading()) return;
  if (all.rows() != m || all.cols() != m * functions) a.reject(name, "has the wrong shape");
  for (Index c = 0; c < functions; ++c) q[c].*member = all.middleCols(c * m, m);
}

void archive_vectors(Archive& a, const std::string& name, std::vector<Posterior>& q,
                     Vector Posterior::*member, Index m) {
  const Index functions = static_cast<Index>(q.size());
  Vector all(m * functions);
  if (!a.loading())
    for (Index c = 0; c < functions; ++c) all.segment(c * m, m) = q[c].*member;
  a.sized(name, all, m * functions);
  if (a.loading())
    for (Index c = 0; c < functions; ++c) q[c].*member = all.segment(c * m, m);
}

}  // namespace

void archive_prior(Archive a, Prior& prior, const Kernel& kernel, Index d) {
  a.sized("theta", prior.theta, kernel.size());
  a("mean", prior.mean);
  const Index classes = static_cast<Index>(prior.classes.size());
  Vector means(classes), scales(classes);
  for (Index c = 0; c < classes; ++c) {
    means[c] = prior.classes[c].mean;
    scales[c] = prior.classes[c].scale;
  }
  a.sized("class_means", means, classes);
  a.sized("class_scales", scales, classes);
  for (Index c = 0; c < classes; ++c) prior.classes[c] = {means[c], scales[c]};
  if (const Index thresholds = prior.thresholds.size(); thresholds > 0) {
    a.sized("thresholds", prior.thresholds, thresholds);
    if (!are_thresholds(prior.thresholds)) a.reject("thresholds", "do not increase");
  }
  a("Z", prior.Z);
  if (a.loading() && prior.Z.rows() > 0 && prior.Z.cols() != d) a.reject("Z", "has the wrong shape");
}

void archive_sites(Archive a, SiteRows& rows, SiteSet& sites, Index functions) {
  Vector w, t;
  if (!a.loading()) rows.read_sites(sites, w, t);
  a.sized("w", w, rows.n() * functions);
  a.sized("t", t, rows.n() * functions);
  a("c", sites.c);
  if (a.loading()) sites = rows.make_sites(w, t, sites.c);
}

void archive_posteriors(Archive a, std::vector<Posterior>& q, const Kernel& kernel, Index m) {
  const Index size = m + (kernel.terms() ? kernel.terms()->values() : 0);
  archive_vectors(a, "a", q, &Posterior::a, size);
  archive_squares(a, "D", q, &Posterior::D, size);
  archive_vectors(a, "alpha", q, &Posterior::alpha, m);
  archive_squares(a, "P", q, &Posterior::P, m);
}

void archive_fitted(Archive a, Fitted& fitted, const std::shared_ptr<const Kernel>& kernel, Index d,
                    const Prior& like) {
  a("ok", fitted.frame.ok);
  if (!fitted.frame.ok) return;
  const Index functions = like.functions();
  Prior prior = fitted.frame.prior;
  prior.classes.resize(like.classes.size());
  prior.thresholds.conservativeResize(like.thresholds.size());
  archive_prior(a, prior, *kernel, d);
  fitted.q.resize(static_cast<std::size_t>(functions));
  archive_posteriors(a.inside("q"), fitted.q, *kernel,
                     prior.Z.rows());  // before allocating more than the file holds
  if (!a.loading()) return;
  fitted.frame = make_frame(kernel, prior);
  if (!fitted.frame.ok) a.reject("Z", "gives a kernel matrix that cannot be factorised");
  for (Posterior& each : fitted.q)  // what terms need of it is not stored
    if (kernel->terms()) each = restore_posterior(fitted.frame, each.a, each.D);
}

}  // namespace induce::detail
