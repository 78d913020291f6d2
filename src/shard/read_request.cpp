#include "shard/read_request.hpp"

namespace induce {
namespace {

template <class Options, class Visit>
void for_each_text(Options& options, Visit&& visit) {
  visit(options.label);
  visit(options.weight);
  visit(options.id);
}

template <class Options, class Visit>
void for_each_list(Options& options, Visit&& visit) {
  visit(options.categorical);
  visit(options.numeric);
  visit(options.drop);
  visit(options.only);
}

}  // namespace

void write_read_options(MessageWriter& out, const ReadOptions& options) {
  out.count(static_cast<Index>(options.format));
  out.count(static_cast<Index>(options.encoding));
  out.count(options.delimiter);
  out.count(static_cast<Index>(options.dates));
  out.count(static_cast<Index>(options.features));
  for_each_text(options, [&](const std::string& text) { out.text(text); });
  for_each_list(options, [&](const std::vector<std::string>& list) { write_texts(out, list); });
}

ReadOptions read_read_options(MessageReader& in) {
  ReadOptions options;
  options.format = static_cast<Format>(in.count());
  options.encoding = static_cast<TextEncoding>(in.count());
  options.delimiter = static_cast<char>(in.count());
  options.dates = static_cast<TextValues::Style>(in.count());
  options.features = static_cast<std::size_t>(in.count());
  for_each_text(options, [&](std::string& text) { text = in.text(); });
  for_each_list(options, [&](std::vector<std::string>& list) { list = read_texts(in); });
  return options;
}

void write_texts(MessageWriter& out, const std::vector<std::string>& texts) {
  out.count(static_cast<Index>(texts.size()));
  for (const std::string& text : texts) out.text(text);
}

std::vector<std::string> read_texts(MessageReader& in) {
  std::vector<std::string> texts;
  for (Index left = in.count(); left > 0; --left) texts.push_back(in.text());
  return texts;
}

void write_gaps(MessageWriter& out, const Gaps& gaps) {
  out.count(static_cast<Index>(gaps.rows));
  const std::vector<Index> missing(gaps.missing.begin(), gaps.missing.end());
  out.counts(missing);
}

Gaps read_gaps(MessageReader& in) {
  Gaps gaps;
  gaps.rows = static_cast<std::size_t>(in.count());
  const std::vector<Index> missing = in.counts();
  gaps.missing.assign(missing.begin(), missing.end());
  return gaps;
}

}  // namespace induce
