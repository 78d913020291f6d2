#include "train/stored.hpp"

namespace induce {
namespace {

void archive_square(Archive& a, const std::string& name, Matrix& value, Index size) {
  a(name, value);
  if (a.loading() && (value.rows() != size || value.cols() != size)) a.reject(name, "has the wrong shape");
}

}  // namespace

void archive_prior(Archive a, Prior& prior, const Kernel& kernel, Index d) {
  a.sized("theta", prior.theta, kernel.size());
  a("mean", prior.mean);
  a("Z", prior.Z);
  if (a.loading() && prior.Z.rows() > 0 && prior.Z.cols() != d) a.reject("Z", "has the wrong shape");
}

void archive_sites(Archive a, Sites& sites, Index n) {
  a.sized("w", sites.w, n);
  a.sized("t", sites.t, n);
  a.sized("c", sites.c, n);
}

void archive_posterior(Archive a, Posterior& q, Index m) {
  a.sized("a", q.a, m);
  archive_square(a, "D", q.D, m);
  a.sized("alpha", q.alpha, m);
  archive_square(a, "P", q.P, m);
}

void archive_fitted(Archive a, Fitted& fitted, const std::shared_ptr<const Kernel>& kernel, Index d) {
  a("ok", fitted.frame.ok);
  if (!fitted.frame.ok) return;
  Prior prior = fitted.frame.prior;
  archive_prior(a, prior, *kernel, d);
  archive_posterior(a.inside("q"), fitted.q, prior.Z.rows());  // before allocating more than the file holds
  if (!a.loading()) return;
  fitted.frame = make_frame(kernel, prior);
  if (!fitted.frame.ok) a.reject("Z", "gives a kernel matrix that cannot be factorised");
}

}  // namespace induce
