# layers.awk -- see layers.sh; reads lines "path:line:#include "target"".
function reach(from, room,    k, parts, n) {
  if ((from, room) in may) return
  may[from, room] = 1
  n = split(uses[room], parts, " ")
  for (k = 1; k <= n; k++) reach(from, parts[k])
}
function wrong(why) { print place ": " why; bad = 1 }

BEGIN {
  while ((getline line < rooms) > 0) {
    n = split(line, f, " ")
    if (n < 2) continue
    known[f[1]] = 1
    uses[f[1]] = ""
    for (i = 3; i <= n; i++) uses[f[1]] = uses[f[1]] " " f[i]
    count++
  }
  if (count == 0) { print "no rooms in " rooms; bad = 1; exit }
  for (room in known) reach(room, room)
}
{
  split($0, at, ":")
  path = at[1]
  place = at[1] ":" at[2]
  target = $0
  sub(/^[^"]*"/, "", target)
  sub(/".*/, "", target)
  seen++

  n = split(path, p, "/")
  owner = p[1] == "src" ? p[2] : p[1]
  if (p[1] == "src" && !(owner in known)) {
    wrong("room '" owner "' is not declared in CMakeLists.txt")
    next
  }
  if (target ~ /^brink\//) next
  if (target ~ /\.\./) { wrong("\"" target "\": name the room, not the way there"); next }
  if (target !~ /\//) {
    # a neighbour in the same directory
    dir = path
    sub(/[^\/]*$/, "", dir)
    if ((p[1] == "src" || p[1] == "cli") && (getline line < (dir target)) >= 0) {
      close(dir target)
      next
    }
    wrong("\"" target "\" is neither brink/... nor <room>/...")
    next
  }
  split(target, q, "/")
  if (q[1] == "papers" && owner == "cli") next
  if (q[1] == owner && owner != "include" && owner != "examples") next
  if (!((owner, q[1]) in may))
    wrong("\"" target "\": " owner " does not use " q[1] \
          (q[1] in known ? "" : ", which is no room"))
}
END {
  if (!bad && !seen) { print "no #include lines were read"; bad = 1 }
  if (!bad) print seen " includes, " count " rooms, no arrow points upward"
  exit bad
}
