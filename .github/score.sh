#!/usr/bin/env bash
# Scores for the action of this repository: installs scoref, writes the scores as JSON and as a table, shows the table.
# Reads INSTALL, KEY, RESPONSE, ARGUMENTS, MINIMUM and TITLE; writes to the files of GITHUB_OUTPUT and GITHUB_STEP_SUMMARY.
set -euo pipefail

folder=${RUNNER_TEMP:-$(mktemp -d)}/scoref
mkdir -p "$folder"
python=python
if [ -n "${INSTALL:-}" ]; then
  python -m venv "$folder/venv"
  python=$(echo "$folder"/venv/*/python)
  "$python" -m pip install --quiet --disable-pip-version-check "$INSTALL"
fi

files=()
[ -z "${KEY:-}" ] || files+=("$KEY")
[ -z "${RESPONSE:-}" ] || files+=("$RESPONSE")
read -ra more <<<"${ARGUMENTS:-}" # words at blanks, and nothing that a shell would expand or run

score() { "$python" -m scoref score "${files[@]}" "${more[@]}" "$@"; }
table=$folder/scores.md
printf '### %s\n\n' "${TITLE:-Coreference scores}" >"$table"
if ! score --output json >"$folder/scores.json" 2>"$folder/error"; then
  { echo '```text'; cat "$folder/error"; echo '```'; } >>"$table"
  cat "$folder/error" >&2
  failed=2
else
  score --output markdown >>"$table"
fi
echo "json=$folder/scores.json" >>"${GITHUB_OUTPUT:-/dev/null}"
echo "markdown=$table" >>"${GITHUB_OUTPUT:-/dev/null}"
cat "$table" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
[ -z "${failed:-}" ] || exit "$failed"
cat "$table"

if [ -n "${MINIMUM:-}" ]; then
  "$python" - "$folder/scores.json" "$MINIMUM" <<'END'
import json, sys

scores = json.load(open(sys.argv[1], encoding="utf-8"))["scores"]
for wanted in sys.argv[2].replace(",", " ").split():
    metric, _, least = wanted.partition("=")
    if metric not in scores:
        sys.exit(f"error: {metric} was not scored, only {', '.join(scores)}")
    if 100 * scores[metric]["f1"] < float(least):
        sys.exit(f"error: the f1 of {metric} is {100 * scores[metric]['f1']:.2f}, and has to be {least} at least")
END
fi
