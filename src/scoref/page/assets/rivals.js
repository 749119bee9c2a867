// -- one system against another, in a text --------------------------------------------------------------------------

/** What the second system does with the errors of the first. */
const STATUSES = { fixed: "fixed", broken: "broken", both: "wrong in both" };

/** How the two fare with a mention. */
const FARES = { ...STATUSES, neither: "right in both" };

/** The other system of a comparison: the one that the address names, else the first other one. */
function rival(route) {
  const asked = Number.parseInt(route.asked.against || "", 10) - 1;
  return asked >= 0 && asked !== route.system ? asked : route.system === 0 ? 1 : 0;
}

/** Says of each error whether the other system has it, too; of each mention, how the two fare with it. */
function compareErrors(model, against) {
  const [ours, theirs] = [model.every[model.system], model.every[against]];
  const [own, other] = [ours, theirs].map((errors) => new Set(errors.map((error) => error.same)));
  for (const error of ours) error.status = other.has(error.same) ? "both" : "fixed";
  for (const error of theirs) error.status = own.has(error.same) ? "both" : "broken";
  model.order = [...ours, ...theirs.filter((error) => error.status === "broken")]
    .sort((a, b) => placeOf(a.mentions[0]) - placeOf(b.mentions[0]) || a.number - b.number);
  for (const error of theirs) for (const mention of error.mentions) if (mention.side === "k") mention.errors.push(error);
  model.fares = fares(model, against);
}

/** The fare of each mention of the key, and of each that only systems have; those of both systems are one. */
function fares(model, against) {
  const numbers = new Map(Object.keys(FARES).map((fare) => [fare, 0]));
  const [a, b] = [model.system, against];
  const fareOf = (wrong) => (wrong[0] ? (wrong[1] ? "both" : "fixed") : wrong[1] ? "broken" : "neither");
  const add = (fare) => numbers.set(fare, numbers.get(fare) + 1);
  for (const mention of model.key.mentions) {
    if (mention.further) continue;
    mention.fare = fareOf([a, b].map((system) => stateIn(mention, system).includes("wrong")));
    add(mention.fare);
  }
  const only = new Map(); // by their words, mentions that the key does not have
  for (const [at, system] of [a, b].entries()) {
    for (const mention of model.responses[system].mentions) {
      if (mention.further) continue;
      if (mention.twin && !mention.near) {
        mention.fare = mention.twin.fare;
        continue;
      }
      const code = mention.pieces.length ? mention.pieces.join() : mention.text;
      if (!only.has(code)) only.set(code, [[], []]);
      only.get(code)[at].push(mention);
    }
  }
  for (const sides of only.values()) {
    const fare = fareOf(sides.map((some) => some.length > 0));
    for (const mention of sides.flat()) mention.fare = fare;
    add(fare);
  }
  return numbers;
}

const statusOf = (error) => error.status || "both";

/** Whether a mention is one of those that are asked for. */
const isAskedMention = (mention) => {
  const { status } = reading.route.asked;
  return !status || reading.against === null || mention.fare === status;
};

/** Whether an error is at a mention of those that are asked for. */
const isAskedError = (error) => error.mentions.some(isAskedMention);

/** What the other system does at an error: what it does with the error, or that it makes another one there. */
function statusSaid(error) {
  const status = statusOf(error);
  const another = status !== "both" && error.mentions.every((mention) => mention.fare === "both");
  const { name } = overview.systems[error.system === reading.against ? reading.model.system : reading.against];
  return another ? `${name} has another error here` : STATUSES[status];
}

function rivalTools() {
  const { route, against, model } = reading;
  const { status = "" } = route.asked;
  const all = [...model.fares.values()].reduce((sum, number) => sum + number, 0);
  return h("div", { class: "rivals" },
    h("label", null, h("span", { class: "note" }, `${overview.systems[route.system].name} against `),
      h("select", { on: { change: (event) => move({}, { against: String(Number(event.target.value) + 1) }) } },
        overview.systems.map((system, number) => (number === route.system ? null
          : h("option", { value: number, selected: number === against }, system.name))))),
    h("div", { class: "segments", role: "group", "aria-label": "Which mentions" },
      [["", "all", all], ...[...model.fares].map(([each, number]) => [each, FARES[each], number])]
        .map(([each, label, number]) => button([label, h("b", null, count(number))], () => move({}, { status: each }),
          { "aria-pressed": String(each === status), class: each ? `is-${each}` : null }))));
}
