#!/usr/bin/env bash
# Comments a table in a pull request, for the action of this repository; an earlier comment with the title is replaced.
# Reads GITHUB_REPOSITORY, NUMBER, TITLE and FILE; needs the program gh, which runners of GitHub have, and GH_TOKEN.
# A pull request from a fork has a token that may not comment: that is said, and the job does not fail for it.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
title=${TITLE//$'\n'/ }
export MARK="<!-- scoref: ${title//--/} -->" # the filter below reads it, so that no title is part of the filter
{ echo "$MARK"; cat "$FILE"; } >"$folder/body"

ask() { # asks GitHub; what it answers is in the file `answer`
  gh api "$@" >"$folder/answer" 2>"$folder/error" && return
  cat "$folder/error" >&2
  grep -q 'HTTP 403' "$folder/error" || exit 1
  echo "::warning::The table is in the summary alone: the token may not comment, as in pull requests from forks."
  exit 0
}

comments="repos/$GITHUB_REPOSITORY/issues/$NUMBER/comments"
ask --paginate "$comments" --jq '.[] | select(.body | startswith(env.MARK)) | .id'
earlier=$(head -n 1 "$folder/answer")
if [ -n "$earlier" ]; then
  ask --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$earlier" -F body=@"$folder/body"
else
  ask --silent --method POST "$comments" -F body=@"$folder/body"
fi
