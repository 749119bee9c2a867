#!/usr/bin/env bash
# Scores for the action of this repository: installs scoref, writes the scores as JSON and as a table, shows the table.
# Reads INSTALL, KEY, RESPONSE or SUBMISSIONS, CHECK, ARGUMENTS, MINIMUM and TITLE; writes to the files of GITHUB_OUTPUT and
# GITHUB_STEP_SUMMARY. With SUBMISSIONS there is a board; with CHECK the response is checked as a task would.
#
# The working folder is the checkout, where a pull request may have put anything: `json.py`, say. So Python is isolated
# (-I: it imports nothing from the working folder), and what needs no files of the checkout runs in a folder of its own.
set -euo pipefail

folder=${RUNNER_TEMP:-$(mktemp -d)}/scoref
mkdir -p "$folder/empty"
python=python
if [ -n "${INSTALL:-}" ]; then
  (cd "$folder/empty" && python -I -m venv "$folder/venv")
  python=$(echo "$folder"/venv/*/python)
  (cd "$folder/empty" && "$python" -I -m pip install --quiet --disable-pip-version-check "$INSTALL")
fi

# words at blanks, on any number of lines, and nothing that a shell would expand or run
read -r -d '' -a more <<<"${ARGUMENTS:-}" || true
scoref() { "$python" -I -m scoref "$@"; }
score() { # writes the scores as JSON and as a table
  if [ -n "${SUBMISSIONS:-}" ]; then
    scoref board "$KEY" "$SUBMISSIONS" --out "$folder/board.html" --json "$folder/scores.json" --force --output markdown \
      "${more[@]+"${more[@]}"}" >"$folder/shown"
    return
  fi
  local words=(score ${KEY:+"$KEY"} ${RESPONSE:+"$RESPONSE"} "${more[@]+"${more[@]}"}")
  scoref "${words[@]}" --output json >"$folder/scores.json" && scoref "${words[@]}" --output markdown >"$folder/shown"
}
check() { # whether a task would accept the response; prints a line for each reason
  scoref validate "$RESPONSE" --key "$KEY" "${more[@]+"${more[@]}"}"
}
table=$folder/scores.md
printf '### %s\n\n' "${TITLE:-Coreference scores}" >"$table"
failed=
if [ "${CHECK:-}" = true ] && [ -z "${SUBMISSIONS:-}" ] && ! check >"$folder/error" 2>&1; then
  failed=2
elif ! score 2>"$folder/error"; then
  failed=2
  # the error is the first one; a task would list them all
  if [ -n "${KEY:-}" ] && [ -n "${RESPONSE:-}" ] && ! check >"$folder/reasons" 2>/dev/null; then
    cat "$folder/reasons" >>"$folder/error"
  fi
fi
if [ -n "$failed" ]; then
  sed 's/^/    /' "$folder/error" >>"$table" # indented, it is code, whatever fences a file brings
  cat "$folder/error" >&2
else
  cat "$folder/shown" >>"$table"
fi
echo "json=$folder/scores.json" >>"${GITHUB_OUTPUT:-/dev/null}"
echo "markdown=$table" >>"${GITHUB_OUTPUT:-/dev/null}"
[ -z "${SUBMISSIONS:-}" ] || echo "page=$folder/board.html" >>"${GITHUB_OUTPUT:-/dev/null}"
cat "$table" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
[ -z "$failed" ] || exit "$failed"
cat "$table"

[ -n "${MINIMUM:-}" ] && [ -z "${SUBMISSIONS:-}" ] || exit 0
cd "$folder/empty"
"$python" -I - "$folder/scores.json" "$MINIMUM" <<'END'
import json, re, sys

with open(sys.argv[1], encoding="utf-8") as file:
    scores = json.load(file)["scores"]
for wanted in sys.argv[2].replace(",", " ").split():
    metric, _, least = wanted.partition("=")
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]+)?", least) or float(least) > 100:
        sys.exit(f"error: the minimum {wanted} is no METRIC=PERCENT, like conll=60")
    if metric not in scores:
        sys.exit(f"error: {metric} was not scored, only {', '.join(scores)}")
    if not 100 * scores[metric]["f1"] >= float(least):
        sys.exit(f"error: the f1 of {metric} is {100 * scores[metric]['f1']:.2f}, and has to be {least} at least")
END
