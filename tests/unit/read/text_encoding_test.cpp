// Encodings, line ends and delimiters. Oracle: the same table in UTF-8 with newlines and commas.
#include "file/text_encoding.hpp"

#include "read/read.hpp"
#include "temporary.hpp"

namespace induce::test {
namespace {

using namespace std::string_literals;

class Encodings : public TemporaryFiles {
 protected:
  static ReadOptions with(TextEncoding encoding) {
    ReadOptions options;
    options.encoding = encoding;
    return options;
  }
  // The bytes of a text with code points below 0x10000.
  static std::string utf16(const std::u16string& text, bool big) {
    std::string bytes;
    for (const char16_t unit : text) {
      const char low = static_cast<char>(unit & 0xff), high = static_cast<char>(unit >> 8);
      bytes += big ? std::string{high, low} : std::string{low, high};
    }
    return bytes;
  }
};

TEST_F(Encodings, Utf16) {
  const std::u16string text = u"größe,y\n1,fünf €\n2,\xd83d\xde00\n";
  for (const bool big : {false, true})
    for (const char16_t* mark : {u"\ufeff", u""})
      for (const TextEncoding encoding : {TextEncoding::automatic, TextEncoding::utf16}) {
        const Dataset data = read(utf16(mark + text, big), with(encoding));
        EXPECT_EQ(data.names.features, Strings{"größe"});
        EXPECT_EQ(data.names.classes, (Strings{"fünf €", "\U0001F600"}));
      }
  expect_refused(utf16(u"\ufeff"
                       u"a,y\n1,\xd83d\n2,b\n",
                       false),
                 {"byte 14 is not UTF-16"});
  expect_refused(utf16(u"\ufeff"
                       u"a,y\n1,0\n2,1\n",
                       false) +
                     "x",
                 {"byte 26 is not UTF-16"});
}

TEST_F(Encodings, Utf16IsNotUtf8) {
  for (const bool big : {false, true})
    for (const char16_t* mark : {u"\ufeff", u""})
      expect_refused(utf16(mark + u"a,y\n1,0\n2,1\n"s, big), {"not UTF-8", "use the encoding utf-16"},
                     with(TextEncoding::utf8));
  EXPECT_EQ(read("a,y\n1,0\n2,1\n", with(TextEncoding::utf8)).X, table({{1}, {2}}));
}

TEST_F(Encodings, Latin1MustBeNamed) {
  const std::string text = "a,y\n1,M\xe4rz\n2,5 \x80\n";  // 0x80: Windows-1252
  expect_refused(text, {"line 2", "the byte 0xE4 is not UTF-8", "--encoding latin-1"});
  expect_refused(
      "gr\xf6\xdf"
      "e,y\n1,0\n2,1\n",
      {"line 1", "0xF6"});
  EXPECT_EQ(read(text, with(TextEncoding::latin1)).names.classes, (Strings{"5 €", "März"}));
}

TEST_F(Encodings, InvalidUtf8) {
  for (const char* bytes :
       {"\x80", "\xc0\x80", "\xc3", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff"})
    expect_refused("a,y\n1,0\n2,1"s + bytes + "\n", {"line 3", "not UTF-8"});
  EXPECT_EQ(read("a,y\n1,\xc3\xa9\n2,\xf4\x8f\xbf\xbf\n").names.classes.size(), 2U);
  const std::string far = std::string(300, '1') + ",0\n", wide = "a,y\n" + far + "2,\xe4\n";
  expect_refused(wide, {"line 3"});
  expect_refused("+1 1:2\n\xe4 1:3\n", {"line 2", "0xE4"});  // LIBSVM
}

TEST_F(Encodings, CrLineEnds) {
  const Dataset data = read("a,b,y\r1,2,x\r3,4,z\r");
  EXPECT_EQ(data.X, table({{1, 2}, {3, 4}}));
  EXPECT_EQ(data.names.classes, (Strings{"x", "z"}));
  expect_refused("a,b,y\r1,2,x\r3,4\r", {"line 3"});
  EXPECT_EQ(read("a,y\r\n1,x\r\n2,z\r\n").X, table({{1}, {2}}));
  EXPECT_EQ(read("a,y\r\r\n1,x\r\r\n2,z\r\r\n").X.rows(), 2);
}

TEST_F(Encodings, Delimiters) {
  EXPECT_EQ(read("a|b|y\n1|2|x\n3|4|z\n").X, table({{1, 2}, {3, 4}}));
  ReadOptions options;
  options.delimiter = ':';
  EXPECT_EQ(read("a:b;c:y\n1:2:x\n3:4:z\n", options).X, table({{1, 2}, {3, 4}}));
  EXPECT_EQ(read("a:b:y\n1:2:x\n3:4:z\n", options).names.features, (Strings{"a", "b"}));
}

TEST_F(Encodings, RowsForAModel) {
  ReadOptions options = with(TextEncoding::latin1);
  options.expected_features = {"größe", "ort"};
  options.expected_columns = {{ColumnKind::number}, {ColumnKind::category, {"Köln"}}};
  options.labels_required = false;
  options.delimiter = '|';
  RowMatrix rows;
  stream_rows({write("table",
                     "gr\xf6\xdf"
                     "e|ort\r1,5|K\xf6ln\r")},
              options, [&](const Dataset& block) { rows = block.X; });
  EXPECT_EQ(rows, table({{1.5, 0}}));
}

TEST_F(Encodings, EqualNamesAreRefused) {
  expect_refused("a,b,a,y\n1,2,3,0\n4,5,6,1\n", {"two columns are called 'a'; names must differ"});
  ReadOptions options;
  options.drop = {"2"};
  EXPECT_EQ(read("a,b,a,y\n1,2,3,0\n4,5,6,1\n", options).X, table({{1, 2}, {4, 5}}));
}

}  // namespace
}  // namespace induce::test
