# comments.awk -- split C (or Modelica) into code and comments, line by line.
#
#   awk -v want=code|comments -f comments.awk FILE...
#
# Prints "file:line:text" with the other part (and, in code, the inside of strings
# and character constants) blanked.  Knows /* */, //, "..." and '...'; it does not
# know trigraphs, nor strings that go on in the next line.
FNR == 1 { in_comment = 0 }
{
  out = ""
  n = length($0)
  quote = ""
  for (i = 1; i <= n; i++) {
    c = substr($0, i, 1)
    two = substr($0, i, 2)
    if (in_comment) {
      if (two == "*/") { in_comment = 0; i++; if (want == "code") out = out " " }
      else if (want == "comments") out = out c
    } else if (quote != "") {
      if (c == "\\") i++
      else if (c == quote) { quote = ""; if (want == "code") out = out c }
    } else if (two == "/*") { in_comment = 1; i++ }
    else if (two == "//") {
      if (want == "comments") out = out substr($0, i + 2)
      break
    } else {
      if (c == "\"" || c == "'") quote = c
      if (want == "code") out = out c
      else if (out != "") out = out " "
    }
  }
  print FILENAME ":" FNR ":" out
}
