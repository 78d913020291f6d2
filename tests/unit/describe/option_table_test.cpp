// The table of options: entries are consistent, and derived texts are those that scripts and checkpoints rely on.
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include <induce/error.hpp>

#include "describe/option_values.hpp"

namespace induce::testing {
namespace {

std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    return error.what();
  }
  return "accepted";
}

std::string refusal(const Options& options, std::size_t rows = 100) {
  return refusal([&] { check_options(options, rows); });
}

TEST(OptionTable, EntriesAreConsistent) {
  std::set<std::string_view> names, flags;
  for (const OptionEntry& entry : option_table()) {
    SCOPED_TRACE(entry.name);
    EXPECT_TRUE(names.insert(entry.name).second);
    for (const std::string_view flag : {entry.flag, entry.off}) {
      if (flag.empty()) continue;
      EXPECT_TRUE(flag.starts_with("--"));
      EXPECT_TRUE(flags.insert(flag).second) << flag;
    }
    EXPECT_EQ(entry.metavar.empty(), entry.kind == OptionKind::flag || !entry.on_command_line());
    EXPECT_TRUE(entry.help.ends_with(".") && entry.default_text.ends_with("."));
    EXPECT_EQ(entry.kind == OptionKind::choice, entry.choices.names || entry.choices.check);
    EXPECT_EQ(entry.kind == OptionKind::numbers, !entry.parts.empty());
    EXPECT_FALSE(limit_of(entry).empty());
    EXPECT_EQ(&option_entry(entry.name), &entry);
    if (entry.unset.possible()) {
      EXPECT_TRUE(entry.unset.python == "None" || entry.unset.python == "auto");
      EXPECT_EQ(entry.unset.checkpoint.empty(), entry.effect != OptionEffect::result);
    }
    if (!entry.needs.option.empty()) {
      EXPECT_NO_THROW(option_entry(entry.needs.option));
    }
  }
  EXPECT_THROW(option_entry("colour"), std::out_of_range);
}

TEST(OptionTable, EveryMethodHasADescription) {
  for (const OptionEntry& entry : option_table()) {
    if (!entry.choices.about) continue;
    for (const std::string& name : entry.choices.names()) EXPECT_NE(entry.choices.about(name), "") << name;
  }
}

TEST(OptionTable, DefaultsAreWithinTheLimits) { EXPECT_NO_THROW(check_options(Options(), 1)); }

// A non-default value, given as text, reaches the member and comes back.
TEST(OptionTable, TextsReachTheMembers) {
  const std::map<std::string_view, std::pair<const char*, const char*>> texts{
      {"method", {"vi-taylor", "vi-taylor"}},
      {"inducing", {"7", "7"}},
      {"step", {"0.5", "0.5"}},
      {"batch", {"8", "8"}},
      {"start", {"1,2,3", "1.0,2.0,3.0"}},
      {"kernel", {"matern:1.2", "matern:1.2"}},
      {"ard", {"true", "on"}},
      {"learn_inputs", {"false", "off"}},
      {"noise", {"true", "on"}},
      {"mean", {"false", "off"}},
      {"warp", {"none", "none"}},
      {"standardize", {"false", "off"}},
      {"max_iter", {"9", "9"}},
      {"max_time", {"1e3", "1000.0"}},
      {"effort", {"0.3", "0.3"}},
      {"seed", {"18446744073709551615", "18446744073709551615"}},
      {"threads", {"2", "2"}},
      {"memory", {"1024", "1024"}},
      {"checkpoint", {"a", "a"}},
      {"checkpoint_every", {"0", "0.0"}},
      {"resume", {"b", "b"}},
      {"trace_elbo", {"true", "on"}}};
  Options options;
  for (const OptionEntry& entry : option_table()) {
    SCOPED_TRACE(entry.name);
    if (!texts.contains(entry.name)) continue;
    const auto& [text, back] = texts.at(entry.name);
    entry.set(options, read_option(entry, text));
    EXPECT_EQ(text_of(entry.get(options)), back);
    if (!entry.unset.possible()) continue;
    entry.set(options, {});
    EXPECT_EQ(text_of(entry.get(options)), text_of(entry.get(Options())));
    entry.set(options, read_option(entry, text));
  }
  EXPECT_EQ(options.method, Method::vi_taylor);
  EXPECT_EQ(options.start.lengthscale, 2);
  EXPECT_EQ(options.ard, true);
  EXPECT_EQ(options.seed, ~std::uint64_t{0});
  EXPECT_EQ(options.max_time, 1000);
  EXPECT_NO_THROW(check_options(options, 8));
  EXPECT_NE(refusal(options, 7).find("batch = 8: must be between 1 and the number of rows, 7"),
            std::string::npos);
}

TEST(OptionTable, ErrorForInvalidTextNamesTextAndLimit) {
  const std::array<std::array<const char*, 3>, 12> wrong{{
      {"inducing", "0", "'0' is not 'auto' or a whole number of at least 1"},
      {"inducing", "+1", "'+1' is not 'auto'"},
      {"max_iter", "auto", "'auto' is not a whole number of at least 1 and at most 2147483647"},
      {"threads", "4097", "at most 4096"},
      {"seed", "-1", "'-1' is not a whole number of at least 0"},
      {"seed", "18446744073709551616", "a whole number"},
      {"step", "0", "'0' is not a number greater than 0"},
      {"max_time", "inf", "'inf' is not a number greater than 0"},
      {"checkpoint_every", "nan", "'nan' is not a number of at least 0"},
      {"start", "1,2,", "'1,2,' is not 3 numbers greater than 0"},
      {"checkpoint", "", "'' is not the path of a file"},
      {"warp", "box", "unknown warp 'box'; known: auto, none, yeo-johnson"},
  }};
  for (const auto& each : wrong) {
    const std::string why = refusal([&] { read_option(option_entry(each[0]), each[1]); });
    EXPECT_NE(why.find(each[2]), std::string::npos) << each[0] << ": " << why;
  }
}

TEST(OptionTable, ErrorForInvalidMemberNamesValueAndLimit) {
  const auto with = [](auto member, auto value) {
    Options options;
    options.*member = value;
    return refusal(options);
  };
  EXPECT_NE(with(&Options::max_iter, -3).find("max_iter = -3: must be a whole number of at least 1"),
            std::string::npos);
  EXPECT_NE(with(&Options::threads, -1).find("threads = -1"), std::string::npos);
  EXPECT_NE(with(&Options::max_time, -1).find("max_time = -1.0: must be a number greater than 0"),
            std::string::npos);
  EXPECT_NE(with(&Options::step, NAN).find("step = nan"), std::string::npos);
  EXPECT_NE(with(&Options::checkpoint_every, NAN).find("checkpoint_every = nan"), std::string::npos);
  EXPECT_NE(with(&Options::kernel, "rbf").find("unknown kernel 'rbf'"), std::string::npos);
  EXPECT_NE(with(&Options::start, Start{{}, -2, {}}).find("start = default,-2.0,default"), std::string::npos);
  EXPECT_EQ(with(&Options::checkpoint_every, INFINITY), "accepted");
  Options options;
  options.warp = Warp::yeo_johnson;
  options.standardize = false;
  EXPECT_NE(refusal(options).find("warp = yeo-johnson"), std::string::npos);
}

// The texts in checkpoints of version 0.1. If they changed, these checkpoints could not be resumed.
TEST(OptionTable, CheckpointIdentityIsStable) {
  const std::map<std::string, std::string> expected{{"ard", "default"},
                                                    {"batch", "0"},
                                                    {"effort", "1.0"},
                                                    {"inducing", "auto"},
                                                    {"kernel", "auto"},
                                                    {"learn_inputs", "default"},
                                                    {"likelihood", "auto"},
                                                    {"mean", "default"},
                                                    {"method", "auto"},
                                                    {"noise", "default"},
                                                    {"sample_rows", "262144"},
                                                    {"seed", "0"},
                                                    {"standardize", "on"},
                                                    {"start.lengthscale", "default"},
                                                    {"start.noise_std", "default"},
                                                    {"start.signal_std", "default"},
                                                    {"start_from", "none"},
                                                    {"step", "1.0"},
                                                    {"warp", "auto"}};
  EXPECT_EQ(identity_of(Options()), expected);
  Options options;
  options.ard = false;
  options.batch = 12;
  options.start.signal_std = 0.1;
  options.max_iter = 7;
  EXPECT_EQ(identity_of(options).at("ard"), "off");
  EXPECT_EQ(identity_of(options).at("batch"), "12");
  EXPECT_EQ(identity_of(options).at("start.signal_std"), "0.1");
  EXPECT_EQ(identity_of(options).size(), expected.size());
}

}  // namespace
}  // namespace induce::testing
