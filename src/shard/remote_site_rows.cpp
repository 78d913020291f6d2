#include "shard/remote_site_rows.hpp"

#include <algorithm>
#include <new>
#include <numeric>
#include <stdexcept>

namespace induce::detail {

RemoteSiteRows::RemoteSiteRows(Shards& shards, Index number, std::vector<Index> rows, Index d, Index leaves,
                               const StageNeeds& needs, std::size_t kept_bytes)
    : shards_(shards),
      rows_(std::move(rows)),
      number_(number),
      n_(std::accumulate(rows_.begin(), rows_.end(), Index{0})),
      d_(d),
      m_(needs.m),
      functions_(needs.likelihood.latent_functions()),
      kept_bytes_(kept_bytes),
      leaves_(leaves) {}

RemoteSiteRows::~RemoteSiteRows() {
  try {
    MessageWriter out = begin(Request::remove);
    ask_all(out);
  } catch (const std::exception&) {  // a shard is gone, and the fit ends for that reason
  }
}

MessageWriter RemoteSiteRows::begin(Request what) {
  MessageWriter out;
  out.count(static_cast<Index>(what));
  out.count(number_);
  out.counts(*gone_);
  return out;
}

std::vector<MessageReader> RemoteSiteRows::ask_all(MessageWriter& request) {
  gone_->clear();
  return shards_.ask_all(request.take());
}

SiteSet RemoteSiteRows::make_set() {
  return {std::shared_ptr<const int>(new int(next_++),
                                     [gone = gone_](const int* done) {
                                       try {
                                         gone->push_back(*done);
                                       } catch (const std::bad_alloc&) {  // the shards keep it until the end
                                       }
                                       delete done;
                                     }),
          0};
}

// As that of a pass.
SumTree RemoteSiteRows::tree_of(const Frame& frame) const {
  const Index group = frame.terms() ? Leaves::group(leaves_) : 1;
  return {(leaves_ + group - 1) / group};
}

// Mirrors FrameReader.
bool RemoteSiteRows::knows(const Frame& frame) {
  if (std::find(known_frames_.begin(), known_frames_.end(), frame.id) != known_frames_.end()) return true;
  while (known_frames_.size() >= kept_frames)
    known_frames_.erase(std::min_element(known_frames_.begin(), known_frames_.end()));
  known_frames_.push_back(frame.id);
  return false;
}

SiteSet RemoteSiteRows::sites_at(const Vector& m, const Vector& S2, const Vector& thresholds) {
  SiteSet made = make_set();
  MessageWriter out = begin(Request::sites_of_prior);
  out.count(*made.number);
  out.vector(m);
  out.vector(S2);
  out.vector(thresholds);
  std::vector<MessageReader> answers = ask_all(out);
  made.c = totals_of(answers, {leaves_}, 0)[RowTotal::constants];
  return made;
}

SiteSet RemoteSiteRows::sites_at(const Frame& frame, const Posteriors& q) {
  SiteSet made = make_set();
  MessageWriter out = begin(Request::sites_of_q);
  out.count(*made.number);
  write_frame(out, frame, knows(frame));
  write_posteriors(out, q, functions_);
  std::vector<MessageReader> answers = ask_all(out);
  made.c = totals_of(answers, tree_of(frame), frame.prior.thresholds.size())[RowTotal::constants];
  return made;
}

SiteSet RemoteSiteRows::between(const SiteSet& from, const SiteSet& target, double step) {
  SiteSet made = make_set();
  MessageWriter out = begin(Request::between);
  out.count(*made.number);
  out.count(*from.number);
  out.count(*target.number);
  out.number(step);
  ask_all(out);
  made.c = from.c + step * (target.c - from.c);
  return made;
}

Sums& RemoteSiteRows::first_half(const Frame& frame, const SiteSet& sites) {
  MessageWriter out = begin(Request::first_half);
  write_frame(out, frame, knows(frame));
  out.count(*sites.number);
  std::vector<MessageReader> answers = ask_all(out);
  Sums& total =
      sums_.finish(tree_of(frame), answers, [&](Sums& sum) { sum.clear(m_, functions_, frame.terms()); });
  total.c() += sites.c;
  ++passes_;
  return total;
}

const double* RemoteSiteRows::totals_of(std::vector<MessageReader>& answers, const SumTree& tree,
                                        Index thresholds) {
  return &totals_.finish(tree, answers, [&](auto& sum) { sum.clear(thresholds); })[0];
}

const double* RemoteSiteRows::totals_of(std::vector<MessageReader>& answers, const Frame& frame, bool moments,
                                        RowAdjoint*& adjoint) {
  adjoint = &adjoints_.finish(tree_of(frame), answers, [&](RowAdjoint& sum) {
    sum.clear(frame.placed->pullback_size(), m_, frame.prior, moments);
  });
  return adjoint->totals();
}

SiteRows::Answer RemoteSiteRows::second_half(const Frame& frame, const Posteriors& q, const SiteSet& sites,
                                             const Wanted& wanted) {
  if (wanted.marginals) throw std::logic_error("the marginals of rows in other processes are not available");
  Answer answer;
  answer.next = make_set();
  MessageWriter out = begin(Request::second_half);
  out.count(*answer.next.number);
  write_frame(out, frame, knows(frame));
  write_posteriors(out, q, functions_);
  out.count(*sites.number);
  out.count(wanted.adjoint ? 1 : 0);
  out.count(wanted.residual ? 1 : 0);
  if (wanted.residual) out.count(*wanted.residual->number);
  std::vector<MessageReader> answers = ask_all(out);
  answer.take_totals(sites, wanted.adjoint
                                ? totals_of(answers, frame, false, answer.adjoint)
                                : totals_of(answers, tree_of(frame), frame.prior.thresholds.size()));
  return answer;
}

SiteRows::TightTrace RemoteSiteRows::tight_trace(const Frame& frame, const Posterior& certain,
                                                 const SiteSet& sites, bool with_adjoint) {
  TightTrace trace;
  trace.residual = make_set();
  MessageWriter out = begin(Request::tight_trace);
  out.count(*trace.residual.number);
  write_frame(out, frame, knows(frame));
  write_posteriors(out, certain, functions_);
  out.count(*sites.number);
  out.count(with_adjoint ? 1 : 0);
  std::vector<MessageReader> answers = ask_all(out);
  trace.gain = (with_adjoint ? totals_of(answers, frame, true, trace.adjoint)
                             : totals_of(answers, tree_of(frame), 0))[RowTotal::next];
  return trace;
}

double RemoteSiteRows::expected_log(const Frame& frame, const Posteriors& q, Vector& threshold_slopes) {
  MessageWriter out = begin(Request::expected_log);
  write_frame(out, frame, knows(frame));
  write_posteriors(out, q, functions_);
  std::vector<MessageReader> answers = ask_all(out);
  const Index thresholds = frame.prior.thresholds.size();
  const double* totals = totals_of(answers, tree_of(frame), thresholds);
  threshold_slopes = Eigen::Map<const Vector>(totals + row_totals, thresholds);
  return totals[RowTotal::next];
}

void RemoteSiteRows::read_sites(const SiteSet& sites, Vector& w, Vector& t) {
  MessageWriter out = begin(Request::read_sites);
  out.count(*sites.number);
  w.resize(n_ * functions_);
  t.resize(n_ * functions_);
  Index at = 0;
  for (MessageReader& answer : ask_all(out)) {
    const Vector own_w = answer.vector(), own_t = answer.vector();
    if (own_w.size() != own_t.size() || own_w.size() > w.size() - at)
      throw data_error("a shard has answered with the wrong number of sites");
    w.segment(at, own_w.size()) = own_w;
    t.segment(at, own_t.size()) = own_t;
    at += own_w.size();
  }
}

SiteSet RemoteSiteRows::make_sites(const Vector& w, const Vector& t, double c) {
  SiteSet made = make_set();
  made.c = c;
  std::vector<std::string> requests;
  Index first = 0;
  for (const Index rows : rows_) {
    MessageWriter out = begin(Request::make_sites);
    out.count(*made.number);
    out.numbers(w.data() + first, rows * functions_);
    out.numbers(t.data() + first, rows * functions_);
    first += rows * functions_;
    requests.push_back(out.take());
  }
  gone_->clear();
  shards_.ask(requests);
  return made;
}

}  // namespace induce::detail
