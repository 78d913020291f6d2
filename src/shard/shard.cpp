#include "shard/shard.hpp"

#include <chrono>

#include "kernel/kernel.hpp"
#include "likelihood/likelihood.hpp"
#include "shard/part_of_rows.hpp"
#include "shard/wire.hpp"
#include "train/local_site_rows.hpp"

namespace induce {

// A part of the rows of a stage.
struct Shard::Placed {
  Placed(MessageReader& in, Workers& workers)
      : part(in),
        y(part.targets.y),
        weight(part.targets.weight),
        likelihood(read_likelihood(in)),
        frames(read_setting(in)),
        rows(read_rows(in, workers)) {}

  static const Likelihood& read_likelihood(MessageReader& in) {
    const std::string name = in.text();
    return induce::likelihood(name, static_cast<std::size_t>(in.count()));
  }
  static KernelSetting read_setting(MessageReader& in) {
    KernelSetting setting{.d = in.count()};
    setting.ard = in.count() != 0;
    setting.noise = in.count() != 0;
    setting.spread = in.number();
    setting.group_of = in.counts();
    return setting;
  }
  LocalSiteRows read_rows(MessageReader& in, Workers& workers) {
    const std::string rule = in.text();
    const Index m = in.count();
    return {{part, y, weight}, m, likelihood, rule, workers, static_cast<std::size_t>(in.count())};
  }

  const SiteSet& set(MessageReader& in) const {
    const auto found = sets.find(in.count());
    if (found == sets.end()) throw data_error("a message refers to sites that do not exist");
    return found->second;
  }
  void keep(Index number, SiteSet made) {
    made.c = 0;  // the driver has the sum of all shards
    sets[number] = std::move(made);
  }

  PartOfRows part;
  ViewOfNumbers y, weight;
  const Likelihood& likelihood;
  FrameReader frames;
  LocalSiteRows rows;
  std::map<Index, SiteSet> sets;
};

Shard::Shard(Workers& workers) : workers_(workers) {}
Shard::~Shard() = default;

std::string Shard::reply(std::string_view request) {
  MessageReader in(request);
  MessageWriter out;
  const auto what = static_cast<Request>(in.count());
  const Index number = in.count();
  if (what == Request::place) {
    placed_[number] = std::make_unique<Placed>(in, workers_);
    out.count(static_cast<Index>(placed_[number]->rows.kept_bytes()));
    return out.take();
  }
  const auto found = placed_.find(number);
  if (found == placed_.end()) throw data_error("a message refers to rows that do not exist");
  Placed& placed = *found->second;
  for (const Index gone : in.counts()) placed.sets.erase(gone);
  switch (what) {
    case Request::remove: {
      placed_.erase(found);
      break;
    }
    case Request::sites_of_prior: {
      const Index made = in.count();
      const Vector m = in.vector(), S2 = in.vector();
      placed.keep(made, placed.rows.sites_at(m, S2));
      write_subtrees(out, placed.rows.totals());
      break;
    }
    case Request::sites_of_q: {
      const Index made = in.count();
      const Frame& frame = placed.frames.read(in);
      const std::vector<Posterior> q = read_posteriors(in);
      placed.keep(made, placed.rows.sites_at(frame, q));
      write_subtrees(out, placed.rows.totals());
      break;
    }
    case Request::between: {
      const Index made = in.count();
      const SiteSet &from = placed.set(in), &target = placed.set(in);
      placed.keep(made, placed.rows.between(from, target, in.number()));
      break;
    }
    case Request::first_half: {
      const Frame& frame = placed.frames.read(in);
      placed.rows.first_half(frame, placed.set(in));
      write_subtrees(out, placed.rows.pass().sums());
      break;
    }
    case Request::second_half: {
      const Index made = in.count();
      const Frame& frame = placed.frames.read(in);
      const std::vector<Posterior> q = read_posteriors(in);
      const SiteSet& sites = placed.set(in);
      const bool with_adjoint = in.count() != 0;
      placed.keep(made, placed.rows.second_half(frame, q, sites, with_adjoint).next);
      if (with_adjoint)
        write_subtrees(out, placed.rows.pass().adjoints());
      else
        write_subtrees(out, placed.rows.totals());
      break;
    }
    case Request::take_out: {
      Vector w, t;
      placed.rows.take_out(placed.set(in), w, t);
      out.vector(w);
      out.vector(t);
      break;
    }
    case Request::put_in: {
      const Index made = in.count();
      const Vector w = in.vector(), t = in.vector();
      placed.keep(made, placed.rows.put_in(w, t, 0));
      break;
    }
    default:
      throw data_error("a message has an unknown kind");
  }
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

}  // namespace induce
