#!/usr/bin/env bash
# Comments a table in a pull request, for the action of this repository; an earlier comment with the title is replaced.
# Reads GITHUB_REPOSITORY, NUMBER, TITLE and FILE; needs the program gh, which runners of GitHub have, and GH_TOKEN.
set -euo pipefail

mark="<!-- scoref: ${TITLE//--/} -->"
body=$(mktemp)
{ echo "$mark"; cat "$FILE"; } >"$body"
comments="repos/$GITHUB_REPOSITORY/issues/$NUMBER/comments"
earlier=$(gh api --paginate "$comments" --jq ".[] | select(.body | startswith(\"${mark//\"/\\\"}\")) | .id" | head -n 1)
if [ -n "$earlier" ]; then
  gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$earlier" -F body=@"$body"
else
  gh api --silent --method POST "$comments" -F body=@"$body"
fi
