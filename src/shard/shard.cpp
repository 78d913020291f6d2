#include "shard/shard.hpp"

#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

#include "shard/wire.hpp"
#include "shard/wire_table.hpp"
#include "store/memory_store.hpp"
#include "store/row_order.hpp"
#include "train/local_site_rows.hpp"

namespace induce::detail {

// Rows for a stage, with their sites.
struct Shard::Placed {
  Placed(const StageNeeds& needs, StageRows here, Workers& workers)
      : functions(needs.likelihood.latent_functions()),
        frames(needs.setting),
        rows(std::move(here), needs, workers) {}

  const SiteSet& set(MessageReader& in) const {
    const auto found = sets.find(in.count());
    if (found == sets.end()) throw data_error("a message refers to sites that do not exist");
    return found->second;
  }
  void keep(Index number, SiteSet made) {
    made.c = 0;  // the driver has the sum of all shards
    sets[number] = std::move(made);
  }

  Index functions;
  FrameReader frames;
  LocalSiteRows rows;
  std::map<Index, SiteSet> sets;
};

struct Shard::AllHere {
  OwnedRows read;             // by this shard
  std::vector<Index> pieces;  // of each piece that was read: its number, and its rows
  OwnedRows arrived, table;   // for the leaves of this shard; those of the store
  std::optional<MemoryStore> store;
};

Shard::Shard(Workers& workers) : workers_(workers), all_(std::make_unique<AllHere>()) {}
Shard::~Shard() = default;

void Shard::add_rows(const double* x, Index rows, Index columns, const int* labels, const double* weights,
                     Index piece) {
  all_->read.add(x, rows, columns, labels, weights);
  all_->pieces.insert(all_->pieces.end(), {piece, rows});
}

bool Shard::about_all_rows(Index what, MessageReader& in, MessageWriter& out) {
  AllHere& all = *all_;
  switch (static_cast<Request>(what)) {
    case Request::nothing:
      return true;
    case Request::add_rows:
      read_rows(in, all.read);
      return true;
    case Request::count_rows: {
      const std::vector<Index> order = in.counts();
      const Index columns = all.read.n() > 0 ? all.read.columns : 0;
      if (columns > 0 && !order.empty() && static_cast<Index>(order.size()) != columns)
        throw data_error("there are " + std::to_string(columns) + " features but " +
                         std::to_string(order.size()) + " feature names");
      RowFacts facts;
      for (Index i = 0; i < all.read.n(); ++i) {
        const std::size_t d = static_cast<std::size_t>(columns), row = static_cast<std::size_t>(i);
        const double* x = all.read.view().row(row);
        const int label = all.read.labels[row];
        for (std::size_t f = 0; f < d; ++f)
          if (std::isinf(x[f]))
            throw data_error("row " + std::to_string(i) + " of this shard, feature " + std::to_string(f) +
                             ": the value is infinite");
        if (label < 0)
          throw data_error("label " + std::to_string(label) + " in row " + std::to_string(i) +
                           " of this shard: must be the index of a class");
        facts.include(x, columns, label, all.read.weights[row], hash_of_row(x, d, order, label));
      }
      out.count(columns);
      write_facts(out, facts);
      return true;
    }
    case Request::give_rows: {
      write_rows(out, all.read.view(), all.read.labels, all.read.weights, 0, all.read.labels.size());
      out.counts(all.pieces);
      all.read = {};
      return true;
    }
    case Request::split_rows: {
      const Index leaves = in.count(), first = in.count(), end = in.count();
      const std::vector<Index> order = in.counts();
      std::vector<Index> rows;
      for (Index i = 0; i < all.read.n(); ++i) {
        const std::size_t row = static_cast<std::size_t>(i);
        const Index leaf = leaf_of_hash(
            hash_of_row(all.read.view().row(row), all.read.view().d, order, all.read.labels[row]), leaves);
        if (leaf >= first && leaf < end) rows.push_back(i);
      }
      write_rows(out, all.read, rows);
      return true;
    }
    case Request::take_rows: {
      for (Index pieces = in.count(); pieces > 0; --pieces) read_rows(in, all.arrived);
      return true;
    }
    case Request::order_rows: {
      const Index leaves = in.count(), first = in.count(), count = in.count();
      const std::vector<Index> order = in.counts();
      all.read = {};
      all.table = std::exchange(all.arrived, {});
      all.store.emplace(all.table.view(), all.table.labels, all.table.weights, order, leaves, first, count,
                        workers_);
      out.count(all.store->n());
      return true;
    }
    case Request::sample: {
      if (!all.store) throw data_error("the rows have no order yet");
      const OwnedRows rows = draw_sample(*all.store, in.number());
      write_rows(out, rows.view(), rows.labels, rows.weights, 0, rows.labels.size());
      return true;
    }
    default:
      return false;
  }
}

namespace {

void write_totals(MessageWriter& out, const LocalSiteRows& rows, bool with_adjoint) {
  if (with_adjoint)
    write_subtrees(out, rows.pass().adjoints());
  else
    write_subtrees(out, rows.totals());
}

}  // namespace

void Shard::answer_about(Placed& placed, Index what, MessageReader& in, MessageWriter& out) {
  LocalSiteRows& rows = placed.rows;
  switch (static_cast<Request>(what)) {
    case Request::sites_of_prior: {
      const Index made = in.count();
      const Vector m = in.vector(), S2 = in.vector(), thresholds = in.vector();
      placed.keep(made, rows.sites_at(m, S2, thresholds));
      write_totals(out, rows, false);
      break;
    }
    case Request::sites_of_q: {
      const Index made = in.count();
      const Frame& frame = placed.frames.read(in);
      const std::vector<Posterior> q = read_posteriors(in);
      placed.keep(made, rows.sites_at(frame, q));
      write_totals(out, rows, false);
      break;
    }
    case Request::between: {
      const Index made = in.count();
      const SiteSet &from = placed.set(in), &target = placed.set(in);
      placed.keep(made, rows.between(from, target, in.number()));
      break;
    }
    case Request::first_half: {
      const Frame& frame = placed.frames.read(in);
      rows.first_half(frame, placed.set(in));
      write_subtrees(out, rows.pass().sums());
      break;
    }
    case Request::second_half: {
      const Index made = in.count();
      const Frame& frame = placed.frames.read(in);
      const std::vector<Posterior> q = read_posteriors(in);
      const SiteSet& sites = placed.set(in);
      SiteRows::Wanted wanted{.adjoint = in.count() != 0};
      if (in.count() != 0) wanted.residual = &placed.set(in);
      placed.keep(made, rows.second_half(frame, q, sites, wanted).next);
      write_totals(out, rows, wanted.adjoint);
      break;
    }
    case Request::tight_trace: {
      const Index made = in.count();
      const Frame& frame = placed.frames.read(in);
      const std::vector<Posterior> certain = read_posteriors(in);
      const SiteSet& sites = placed.set(in);
      const bool with_adjoint = in.count() != 0;
      placed.keep(made, rows.tight_trace(frame, certain.at(0), sites, with_adjoint).residual);
      write_totals(out, rows, with_adjoint);
      break;
    }
    case Request::expected_log: {
      const Frame& frame = placed.frames.read(in);
      rows.expected_log(frame, read_posteriors(in));
      write_totals(out, rows, false);
      break;
    }
    case Request::read_sites: {
      Vector w, t;
      rows.read_sites(placed.set(in), w, t);
      out.vector(w);
      out.vector(t);
      break;
    }
    case Request::make_sites: {
      const Index made = in.count();
      const Vector w = in.vector(), t = in.vector();
      const Index size = rows.n() * placed.functions;
      if (w.size() != size || t.size() != size) throw data_error("a message has the wrong number of sites");
      placed.keep(made, rows.make_sites(w, t, 0));
      break;
    }
    default:
      throw data_error("a message has an unknown kind");
  }
}

std::string Shard::reply(std::string_view request) {
  MessageReader in(request);
  MessageWriter out;
  const Index what = in.count(), number = in.count();
  if (about_all_rows(what, in, out)) return out.take();
  if (what == static_cast<Index>(Request::place) || what == static_cast<Index>(Request::place_all)) {
    const bool all = what == static_cast<Index>(Request::place_all);
    if (all && !all_->store) throw data_error("the rows have no order yet");
    const FeatureMap map = all ? read_map(in) : FeatureMap();
    StageRows part = all ? StageRows() : read_part(in);
    const StageNeeds needs = read_needs(in);
    std::unique_ptr<Placed>& placed = placed_[number];
    placed = std::make_unique<Placed>(
        needs, all ? stage_rows(*all_->store, map, needs.likelihood.classes()) : std::move(part), workers_);
    out.count(static_cast<Index>(placed->rows.kept_bytes()));
    return out.take();
  }
  const auto found = placed_.find(number);
  if (found == placed_.end() || !found->second)
    throw data_error("a message refers to rows that do not exist");
  for (const Index gone : in.counts()) found->second->sets.erase(gone);
  if (what == static_cast<Index>(Request::remove))
    placed_.erase(found);
  else
    answer_about(*found->second, what, in, out);
  return out.take();
}

std::string Shard::answer(std::string_view request) {
  const auto began = std::chrono::steady_clock::now();
  MessageWriter out;
  try {
    const std::string reply = this->reply(request);
    out.text("");
    out.number(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    return out.take() + reply;
  } catch (const Stopped&) {
    throw;
  } catch (const std::bad_alloc&) {
    out.text("out of memory");
  } catch (const std::exception& error) {
    out.text(error.what());
  }
  return out.take();
}

}  // namespace induce::detail
