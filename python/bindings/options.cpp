// The option table for Python, from which the estimator's parameters, defaults and docstring are generated, and the
// class Options, whose attributes are the entries of the table. None or "auto" means unset.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <typeinfo>

#include <induce/error.hpp>
#include <induce/options.hpp>

#include "describe/option_values.hpp"
#include "describe/option_table.hpp"
#include "parts.hpp"

namespace induce::python {
namespace {

using Parts = std::vector<std::optional<double>>;

nb::object text(std::string_view words) { return nb::str(words.data(), words.size()); }

nb::object unset(const OptionEntry& entry) {
  return entry.unset.python == "None" ? nb::none() : text(entry.unset.python);
}

nb::object to_python(const OptionEntry& entry, const OptionValue& value) {
  if (std::holds_alternative<std::monostate>(value)) return unset(entry);
  if (const auto* parts = std::get_if<Parts>(&value)) {
    if (std::none_of(parts->begin(), parts->end(), [](const auto& part) { return part.has_value(); }))
      return unset(entry);
    nb::list all;
    for (const auto& part : *parts) all.append(part ? nb::cast(*part) : nb::none());
    return all;
  }
  if (const auto* flag = std::get_if<bool>(&value)) return nb::cast(*flag);
  if (const auto* whole = std::get_if<std::uint64_t>(&value)) return nb::cast(*whole);
  if (const auto* number = std::get_if<double>(&value)) return nb::cast(*number);
  return nb::cast(std::get<std::string>(value));
}

// Throws std::bad_cast for a value of the wrong type.
OptionValue from_python(const OptionEntry& entry, const nb::object& value) {
  if (entry.unset.possible() && value.equal(unset(entry))) return {};
  switch (entry.kind) {
    case OptionKind::flag:
      return nb::cast<bool>(value);
    case OptionKind::whole:
    case OptionKind::size:
      return nb::cast<std::uint64_t>(value);
    case OptionKind::number:
      return nb::cast<double>(value);
    case OptionKind::numbers: {
      Parts parts;
      for (const nb::handle part : value)
        parts.push_back(part.is_none() ? std::nullopt : std::optional(nb::cast<double>(part)));
      return parts;
    }
    case OptionKind::choice:
    case OptionKind::path:
      break;
  }
  return nb::cast<std::string>(value);
}

void set_option(const OptionEntry& entry, Options& options, const nb::object& value) {
  OptionValue converted;
  try {
    converted = from_python(entry, value);
  } catch (const std::bad_cast&) {
    throw nb::type_error((std::string(entry.name) + ": must be " + limit_of(entry)).c_str());
  }
  check_value(entry, converted);
  entry.set(options, converted);
}

nb::dict as_dict(const OptionEntry& entry) {
  nb::dict row;
  row["name"] = text(entry.name);
  row["kind"] = text(name_of(entry.kind));
  row["default"] = to_python(entry, entry.get(Options()));
  row["can_be_unset"] = entry.unset.possible();
  row["unset"] = entry.unset.possible() ? unset(entry) : nb::none();
  row["limit"] = limit_of(entry);
  row["least"] = std::max<std::uint64_t>(entry.limits.least, entry.unset.possible());  // unset is None, not 0
  row["most"] = entry.limits.most;
  row["choices"] = entry.choices.names ? entry.choices.names() : std::vector<std::string>();
  nb::list parts;
  for (const std::string_view part : entry.parts) parts.append(text(part));
  row["parts"] = parts;
  row["help"] = text(entry.help);
  row["default_text"] = text(entry.default_text);
  return row;
}

nb::list option_rows() {
  nb::list rows;
  for (const OptionEntry& entry : option_table()) rows.append(as_dict(entry));
  return rows;
}

}  // namespace

void add_options(nb::module_& module) {
  module.def("option_table", &option_rows, nb::sig("def option_table() -> list[dict[str, typing.Any]]"),
             "One dict per option: name, kind, default, limits and help texts.");

  nb::class_<Options> options(module, "Options", "Options for fit(); None or 'auto': the library chooses.");
  options.def(nb::init<>());
  options.def_rw("class_weights", &Options::class_weights, "One for each class; empty: none.");
  for (const OptionEntry& entry : option_table())
    options.def_prop_rw(
        std::string(entry.name).c_str(),
        [&entry](const Options& self) { return to_python(entry, entry.get(self)); },
        [&entry](Options& self, const nb::object& value) { set_option(entry, self, value); },
        nb::for_setter(nb::arg().none()));
}

}  // namespace induce::python
