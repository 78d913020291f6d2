#include "svg/elements.hpp"

#include <cmath>
#include <cstdio>

#include "text/utf8.hpp"

namespace induce::detail::svg {
namespace {

std::string more(std::string_view attributes) {
  return attributes.empty() ? "" : " " + std::string(attributes);
}

}  // namespace

std::string number(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  std::string result(text);
  if (result.find('.') != std::string::npos) {
    result.erase(result.find_last_not_of('0') + 1);
    if (result.back() == '.') result.pop_back();
  }
  return result == "-0" ? "0" : result;
}

std::string pixel(double value) { return number(value, 1); }

std::string escape(std::string_view text) {
  std::string result;
  for (const char c : clean(text)) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

std::string head(double width, double height, std::string_view title) {
  std::string out =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
      pixel(width) + "\" height=\"" + pixel(height) + "\" viewBox=\"0 0 " + pixel(width) + " " +
      pixel(height) + "\" font-family=\"Helvetica Neue, Helvetica, Arial, Liberation Sans, sans-serif\"" +
      " font-size=\"14\" fill=\"" + kInk + "\">\n";
  out += "<title>" + escape(title) + "</title>\n";
  return out + "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
}

std::string text_at(double x, double y, std::string_view attributes, std::string_view text) {
  return "<text x=\"" + pixel(x) + "\" y=\"" + pixel(y) + "\"" + more(attributes) + ">" + escape(text) +
         "</text>\n";
}

std::string segment(double x0, double y0, double x1, double y1, std::string_view attributes) {
  return path("M" + pixel(x0) + " " + pixel(y0) + "L" + pixel(x1) + " " + pixel(y1), attributes);
}

std::string rectangle(double x, double y, double width, double height, std::string_view attributes,
                      std::string_view title) {
  const std::string open = "<rect x=\"" + pixel(x) + "\" y=\"" + pixel(y) + "\" width=\"" + pixel(width) +
                           "\" height=\"" + pixel(height) + "\"" + more(attributes);
  return title.empty() ? open + "/>\n" : open + "><title>" + escape(title) + "</title></rect>\n";
}

std::string circle(double x, double y, double radius, std::string_view attributes) {
  return "<circle cx=\"" + pixel(x) + "\" cy=\"" + pixel(y) + "\" r=\"" + pixel(radius) + "\"" +
         more(attributes) + "/>\n";
}

std::string path(std::string_view steps, std::string_view attributes) {
  return "<path d=\"" + std::string(steps) + "\"" + more(attributes) + "/>\n";
}

std::string turned(double degrees, double x, double y) {
  return "rotate(" + pixel(degrees) + " " + pixel(x) + " " + pixel(y) + ")";
}

double tick_step(double range, int ticks) {
  const double rough = range / ticks, power = std::pow(10.0, std::floor(std::log10(rough)));
  const double lead = rough / power;
  return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

}  // namespace induce::detail::svg
