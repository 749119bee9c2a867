// -- the panel beside a text ----------------------------------------------------------------------------------------

function emptyPanel() {
  const { panel, model } = reading;
  panel.classList.remove("open");
  if (model.chunk.edited) return replace(panel, changedNote());
  return replace(panel,
    h("h2", null, reading.against === null ? named("Errors here") : `Errors of ${overview.systems[model.system].name} here`),
    model.errors.length ? kindList(model) : h("p", { class: "note" }, "None of those that are counted."),
    model.tangles.length ? tangleList(model) : null,
    entityList(model),
    h("p", { class: "note" }, "Point at a mention to see its entity, click to keep it, ",
      h("kbd", null, "n"), named(" for the next error, "), h("kbd", null, "?"), " for help."));
}

function kindList(model) {
  const kinds = [...model.counts].filter(([, number]) => number);
  return h("ul", { class: "counts" }, kinds.map(([kind, number]) => h("li", null,
    button([kindMark(kind), kindName(kind), h("b", null, count(number))], () => {
      move({ error: numberOf(model.order.find((error) => error.kind === kind)) }, { kind });
    }, { title: named(meaning(kind)) }))));
}

function tangleList(model) {
  const worst = model.tangles.filter((tangle) => tangle.cost > 0).sort((a, b) => b.cost - a.cost);
  if (!worst.length) return null;
  return [h("h3", null, "Tangles"), longList("counts", worst, 5, (tangle) =>
    button([h("bdi", null, tangleName(tangle)), h("b", { title: costTitle() }, cost(tangle.cost))],
      () => move({ tangle: tangle.number })))];
}

function tangleName({ entities }) {
  const [first, ...others] = [...entities].sort((a, b) => b.mentions.length - a.mentions.length);
  const name = shortened(quotedName(first), 26);
  return others.length > 1 ? `${name} +${others.length}` : name;
}

/** All entities of the text, the largest first; those of the response only if they have no partner. */
function entityList(model) {
  const every = [...model.key.entities, ...model.response.entities.filter((entity) => !entity.partner)]
    .filter((entity) => !entity.further);
  every.sort((a, b) => b.mentions.length - a.mentions.length);
  return every.length ? [h("h3", null, plural(every.length, "entity")),
    longList("links entities", every, 12, (entity) => button(
      [entityBadge(entity), h("bdi", null, quotedName(entity)), h("span", { class: "line-number" }, entity.mentions.length)],
      () => pin(entity.mentions[0])))] : null;
}

/** A list of which the first ones are shown, and the others when they are asked for. */
function longList(classes, items, some, draw, tag = "ul") {
  const list = h(tag, { class: classes });
  const show = (from, to) => items.slice(from, to).forEach((item) => list.append(h("li", null, draw(item))));
  show(0, some);
  if (items.length > some) {
    const more = h("li", null, button(`${count(items.length - some)} more`, () => {
      more.remove();
      show(some, items.length);
      list.children[some].querySelector("button, a")?.focus();
    }, { class: "more" }));
    list.append(more);
  }
  return list;
}

function drawPanel(entity, mention) {
  const { panel } = reading;
  const errors = [...new Set(entity.mentions.flatMap((each) => each.errors))]
    .filter((error) => error.system === reading.model.system || error.status !== "both" || entity.side === String(error.system));
  panel.classList.toggle("open", Boolean(reading.pinned));
  const bridges = [...new Set(entity.mentions.flatMap((each) => each.bridges))];
  replace(panel,
    reading.pinned ? button("×", unpin, { class: "close", "aria-label": "Close (Esc)", title: "Close (Esc)" }) : null,
    reading.error ? [errorCard(reading.error), noteBox(reading.error)] : null,
    h("h2", null, entityBadge(entity), h("span", { class: "side" }, sideName(entity.side)),
      h("bdi", null, quotedName(entity))),
    madeOf(entity),
    strip(entity, mention),
    reading.pinned ? antecedentList(reading.pinned) : null,
    facts(entity, mention),
    mentionList(`${plural(entity.mentions.length, "mention")}`, entity.mentions, mention),
    partnersOf(entity).map((partner) => mentionList(
      `Partner in ${theSide(partner.side)}: ${plural(partner.mentions.length, "mention")}`, partner.mentions, null)),
    elsewhere(entity),
    setList(entity),
    bridges.length ? [h("h3", null, "Bridging"), h("ul", { class: "links" }, bridges.map(bridgeItem))] : null,
    errors.length ? [h("h3", null, plural(errors.length, named("error"))),
      longList("links", errors, 20, (error) => button(
        [kindMark(error.kind), h("span", null, sentenceNodes(error))],
        () => move(reading.against === null ? { error: error.number, system: error.system } : { error: numberOf(error) }),
        { "aria-current": error === reading.error ? "true" : null }))] : null);
}

const theSide = (code) => (["key", "response"].includes(sideName(code)) ? `the ${sideName(code)}` : sideName(code));

function errorCard(error) {
  const words = isSpanError(error) ? spanWords(error) : null;
  return h("div", { class: "card-error" }, h("b", null, kindMark(error.kind), kindName(error.kind, error.system)),
    reading.against === null ? null : h("span", { class: `status is-${statusOf(error)}` }, statusSaid(error)),
    h("p", null, sentenceNodes(error)), words,
    isFirst(error) ? h("p", { class: "note" }, named(`Counted as ${plainKind(error.kind)}, as it is the first mention of its entity: the `
      + "others are taken as " + (error.given ? "added to it." : "split from it."))) : null);
}

const isFirst = (error) => error.mentions.some((mention) => signOf(error, mention) !== markFor(error.kind));

function entityBadge(entity) {
  const badge = h("span", { class: `badge ${isPartnered(entity) ? "coloured" : "grey"}` }, entity.label);
  if (entity.hue !== null) badge.style.setProperty("--hue", entity.hue);
  return badge;
}

/** The words of an entity: of the mention that names it, where errors speak of it, else the longest of its first ones. */
function quotedName(entity) {
  if (entity.naming) return shortened(entity.naming.text, 60);
  const some = entity.mentions.slice(0, 12).map((mention) => mention.text);
  return shortened(some.reduce((a, b) => (b.length > a.length && b.length <= 48 ? b : a), some[0] || ""), 60);
}

/**
 * Of which entities of the other side an entity is made, and how many mentions each has of it; mentions with other words
 * there (span errors) apart, as they are not the same mention to a metric.
 */
function madeOf(entity) {
  const parts = new Map();
  let nowhere = 0;
  for (const mention of entity.mentions) {
    const twin = twinOf(mention);
    if (!twin) nowhere += 1;
    else {
      const near = (entity.side === "k" ? twin : mention).near;
      const [same, other] = parts.get(twin.entity) || [0, 0];
      parts.set(twin.entity, near ? [same, other + 1] : [same + 1, other]);
    }
  }
  if (!parts.size || (parts.size === 1 && !nowhere && ![...parts.values()][0][1])) return null;
  const other = theSide(entity.side === "k" ? reading.model.response.code : "k");
  const order = [...parts].sort((a, b) => b[1][0] + b[1][1] - a[1][0] - a[1][1]);
  const width = (number) => ({ width: `${(100 * number) / entity.mentions.length}%` });
  return h("div", { class: "made" },
    h("h3", null, `In ${other}: ${plural(order.length, "entity")}`),
    h("div", { class: "shares", "aria-hidden": "true" },
      order.map(([part, [same, other]]) => h("span", { class: isPartnered(part) ? "coloured" : "grey",
        style: { ...width(same + other), ...(part.hue === null ? {} : { "--hue": part.hue }) } })),
      nowhere ? h("span", { class: "nowhere", style: width(nowhere) }) : null),
    longList("links parts", [...order, ...(nowhere ? [[null, nowhere]] : [])], 8, ([part, number]) => (part
      ? button([entityBadge(part), h("bdi", null, quotedName(part)), h("span", { class: "line-number" },
        shareOf(part, ...number))], () => pin(part.mentions[0]))
      : h("span", { class: "absent" }, `not in ${other}`,
        h("span", { class: "line-number" }, number)))));
}

/** How many mentions of a part are shared: `16 of 19`, `16 of 19, 1 in other words`. */
function shareOf(part, same, other) {
  const whole = `${count(same)} of ${count(part.mentions.length)}`;
  return other ? `${whole}, ${count(other)} in other words` : whole;
}

/** Where in the text an entity is: its mentions in the key above, in the response below. */
function strip(entity, current) {
  const { model } = reading;
  const { length } = model.chunk.units;
  const [key] = [entity, ...partnersOf(entity)].filter((each) => each.side === "k");
  const response = [entity, ...partnersOf(entity)].find((each) => each.side === model.response.code);
  if (!length || length < 60) return null;
  const tick = (mention, y) => h("rect", {
    class: `tick ${mention.errors.length ? "wrong" : ""} ${mention === current ? "here" : ""}`,
    x: (298 * mention.pieces[0]) / length, y, width: 2, height: 11, on: { click: () => pin(mention) } });
  const ticks = (of, y) => (of ? of.mentions.filter((each) => each.pieces.length).map((each) => tick(each, y)) : []);
  const look = isPartnered(entity) ? "coloured" : "grey";
  return h("svg", { class: `strip ${look}`, viewBox: "0 0 300 28", preserveAspectRatio: "none", role: "img",
    "aria-label": `Where it is in the text: ${key ? key.mentions.length : 0} above, ${
      response ? response.mentions.length : 0} below`,
    style: entity.hue === null ? {} : { "--hue": entity.hue } },
  h("rect", { class: "track", x: 0, y: 13.5, width: 300, height: 1 }), ticks(key, 1), ticks(response, 16));
}

function facts(entity, mention) {
  const rows = [["in the file", entity.name]];
  if (entity.counts) {
    const [top, bottom] = entity.counts;
    const ratio = bottom ? ` = ${percent(top / bottom)}` : "";
    const score = overview.neutral ? "shared" : entity.side === "k" ? "recall" : "precision";
    rows.push([`${metricName(overview.ruler)} ${score}`, `${short(top)} / ${short(bottom)}${ratio}`]);
    const why = overview.ruler === "b3" ? squares(entity) : null;
    if (why && short(top) === why.value) rows.push(["that is", why.text]);
  }
  const partners = partnersOf(entity);
  rows.push(["partner", partners.map((each) => `${each.name} (${sideName(each.side)})`).join(", ") || "none"]);
  if (entity.tangle && entity.tangle.cost) {
    const { tangle } = entity;
    rows.push(["tangle", button(`of ${plural(tangle.entities.length, "entity")}, costs ${cost(tangle.cost)}`,
      () => move({ tangle: tangle.number }), { class: "inline", title: costTitle() })]);
  }
  for (const mark of entity.marks) rows.push(["note", mark]);
  if (mention) for (const [name, value] of mention.attributes) if (name !== "text") rows.push([name, value]);
  return h("dl", null, rows.map(([name, value]) => [h("dt", null, name), h("dd", null, h("bdi", null, value))]));
}

/** The numerator of B³ from the mentions that are shared exactly: the sum of squares, divided by the size. */
function squares(entity) {
  const shared = new Map();
  for (const mention of entity.mentions) {
    const twin = twinOf(mention);
    if (twin && !(entity.side === "k" ? twin : mention).near) shared.set(twin.entity, (shared.get(twin.entity) || 0) + 1);
  }
  const numbers = [...shared.values()].sort((a, b) => b - a);
  if (!numbers.length) return null;
  const sum = numbers.reduce((total, number) => total + number * number, 0);
  const some = numbers.length > 5 ? [...numbers.slice(0, 4).map((number) => `${number}²`), "…"] : numbers.map((number) => `${number}²`);
  return { value: short(sum / entity.mentions.length),
    text: `(${some.join(" + ")}) / ${count(entity.mentions.length)}: mentions with the same words` };
}

const short = (value) => String(Number(fixed(value, 2)));

function mentionList(title, mentions, current) {
  return [h("h3", null, title), longList("mentions", mentions, Math.max(60, mentions.indexOf(current) + 1), (mention) =>
    button([h("bdi", null, shortened(mention.text, 90)),
      markOf(mention),
      mention.line === null ? null : h("span", { class: "line-number" }, mention.line)], () => pin(mention),
    { "aria-current": mention === current ? "true" : null, title: said(mention) }), "ol")];
}

/** The mentions of an entity in other documents, where documents share entities. */
function elsewhere(entity) {
  if (entity.everywhere === null) return null;
  const box = h("div");
  const { route } = reading;
  part(`entities-${route.system}`).then((every) => {
    const places = every[entity.side === "k" ? 0 : 1][entity.everywhere].filter(([number]) => number !== route.document);
    if (!places.length) return;
    const texts = new Set(places.map(([number]) => number));
    const side = entity.side === "k" ? "key" : "response";
    add(box, [h("h3", null, `${plural(places.length, "mention")} in ${plural(texts.size, "other document")}`),
      longList("mentions", places, 30, ([number, which, text]) => h("a", {
        href: addressIn(number, { side, entity: entity.name, which }, route.system) },
      h("bdi", null, text), h("span", { class: "line-number" }, shortened(overview.documents[number][0], 24))))]);
  });
  return box;
}

function setList(entity) {
  const groups = [["Stands for all of", entity.members], ["Member of", entity.memberOf]];
  return groups.filter(([, entities]) => entities.length).map(([title, entities]) => [h("h3", null, title),
    h("ul", { class: "links" }, entities.map((each) => h("li", null, each.missing ? each.name
      : button([entityBadge(each), h("bdi", null, quotedName(each))], () => pin(each.mentions[0])))))]);
}

function bridgeItem(bridge) {
  const relation = bridge.attributes.filter(([name]) => name === "Rel").map(([, value]) => value).join(", ");
  const end = (mention, text) => (mention
    ? button(h("bdi", null, shortened(text, 60)), () => pin(mention)) : h("bdi", null, `‘${shortened(text, 60)}’`));
  return h("li", { class: "bridge" }, end(bridge.anaphor, bridge.first), h("span", { class: "arrow-text" },
    `↩ ${relation}`), end(bridge.antecedent, bridge.second));
}
