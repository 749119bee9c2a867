// -- an error in words ----------------------------------------------------------------------------------------------

const quoted = (mention) => `‘${shortened(mention.text, 80)}’`;
const shortened = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);
const lineOf = (mention) => (mention.line === null ? "" : ` (line ${mention.line})`);
const placed = (mention) => `${quoted(mention)}${lineOf(mention)}`;

function list(mentions) {
  const shown = mentions.slice(0, 4).map(placed).join(", ");
  return mentions.length > 4 ? `${shown} and ${mentions.length - 4} more` : shown;
}

function describe(error) {
  const { kind, mentions, anchored } = error;
  const key = mentions.filter((mention) => mention.side === "k");
  const response = mentions.filter((mention) => mention.side !== "k");
  const one = mentions[0];
  const entity = anchored ? `entity ${anchored.entity.label} ${quoted(anchored)}` : `entity ${one.entity.label}`;
  const verb = (single, many) => (mentions.length === 1 ? single : many);
  const [k, r, theKey, theResponse] = ["key", "response", "the key", "the response"].map(named);
  const shouldBe = overview.neutral ? "beside" : "should be";
  const words = {
    "span error": () => `${list(response)} ${shouldBe} ${list(anchored ? [anchored] : key)}`,
    "conflated entities": () => `${list(mentions)} ${verb("does", "do")} not belong to ${r} ${entity}`,
    "extra mention": () => `${list(mentions)} of ${r} ${entity} ${verb("is", "are")} not in ${theKey}`,
    "extra entity": () => `no mention of ${r} ${entity} is in ${theKey}: ${list(mentions)}`,
    "divided entity": () => `${list(mentions)} ${verb("belongs", "belong")} to ${k} ${entity}, but ${
      verb("is", "are")} in another ${r} entity`,
    "missing mention": () => `${list(mentions)} of ${k} ${entity} ${verb("is", "are")} not in ${theResponse}`,
    "missing entity": () => `no mention of ${k} ${entity} is in ${theResponse}: ${list(mentions)}`,
    partial: () => `${list(response)} ${shouldBe} ${list(key)}`,
    missed: () => `${list(mentions)} is not in ${theResponse}`,
    spurious: () => `${list(mentions)} is not in ${theKey}`,
    "bridging antecedent wrong": () => `${list(mentions)} has another antecedent in ${theResponse}`,
    "bridging anaphor missed": () => `${list(mentions)} is no bridging anaphor in ${theResponse}`,
    "bridging anaphor extra": () => `${list(mentions)} is no bridging anaphor in ${theKey}`,
    "non-referring missed": () => `${list(mentions)} does not refer in ${theKey}`,
    "non-referring extra": () => `${list(mentions)} does not refer in ${theResponse}`,
  }[kind] || (() => `${list(response)}: ${labels(response[0])} ${shouldBe} ${labels(key[0])}`);
  return `${kind}: ${words()}`;
}

function labels(mention) {
  return ["type", "realis"].map((name) => attribute(mention, name)).filter(Boolean).join(", ");
}

// -- the panel ------------------------------------------------------------------------------------------------------

function emptyPanel() {
  const { panel, model } = reading;
  panel.classList.remove("open");
  replace(panel,
    h("h2", null, named("Errors here")),
    model.errors.length ? kindList(model) : h("p", { class: "note" }, "None of those that are counted."),
    h("p", { class: "note" }, "Point at a mention to see its entity, click to keep it, ",
      h("kbd", null, "n"), named(" for the next error, "), h("kbd", null, "?"), " for help."));
}

function kindList(model) {
  const kinds = [...model.counts].filter(([, number]) => number);
  return h("ul", { class: "counts" }, kinds.map(([kind, number]) => h("li", null,
    button([kindMark(kind), kind, h("b", null, count(number))], () => {
      move({ kind, error: model.order.find((error) => error.kind === kind).number });
    }, { title: named(MEANINGS[kind] || "") }))));
}

function drawPanel(entity, mention) {
  const { panel } = reading;
  const errors = [...new Set(entity.mentions.flatMap((each) => each.errors))];
  panel.classList.toggle("open", Boolean(reading.pinned));
  const bridges = [...new Set(entity.mentions.flatMap((each) => each.bridges))];
  replace(panel,
    reading.pinned ? button("×", unpin, { class: "close", "aria-label": "Close (Esc)", title: "Close (Esc)" }) : null,
    reading.error ? errorCard(reading.error) : null,
    h("h2", null, entityBadge(entity), h("span", { class: "side" }, sideName(entity.side)),
      h("span", { dir: "auto" }, quotedName(entity))),
    facts(entity, mention),
    mentionList(`${plural(entity.mentions.length, "mention")}`, entity.mentions, mention),
    partnersOf(entity).map((partner) => mentionList(
      `Partner in ${["key", "response"].includes(sideName(partner.side)) ? "the " : ""}${sideName(partner.side)}: ${plural(partner.mentions.length, "mention")}`,
      partner.mentions, null)),
    setList(entity),
    bridges.length ? [h("h3", null, "Bridging"), h("ul", { class: "links" }, bridges.map(bridgeItem))] : null,
    errors.length ? [h("h3", null, plural(errors.length, named("error"))), h("ul", { class: "links" },
      errors.slice(0, 40).map((error) => h("li", null, button(
        [kindMark(error.kind), describe(error)],
        () => move({ error: error.number, system: error.system }),
        { "aria-current": error === reading.error ? "true" : null }))))] : null);
}

function errorCard(error) {
  const [kind, ...rest] = describe(error).split(": ");
  return h("div", { class: "card-error" }, h("b", null, kindMark(kind), kind),
    h("p", { dir: "auto" }, rest.join(": ")));
}

function entityBadge(entity) {
  const look = entity.hue !== null && entity.partner ? "coloured" : "grey";
  const badge = h("span", { class: `badge ${look}` }, entity.label);
  if (entity.hue !== null) badge.style.setProperty("--hue", entity.hue);
  return badge;
}

/** The longest of an entity's first mentions names it best. */
function quotedName(entity) {
  const some = entity.mentions.slice(0, 12).map((mention) => mention.text);
  return shortened(some.reduce((a, b) => (b.length > a.length && b.length <= 48 ? b : a), some[0] || ""), 60);
}

function facts(entity, mention) {
  const rows = [["in the file", entity.name]];
  if (entity.counts) {
    const [top, bottom] = entity.counts;
    const ratio = bottom ? ` = ${percent(top / bottom)}` : "";
    const score = overview.neutral ? "shared" : entity.side === "k" ? "recall" : "precision";
    rows.push([`${overview.ruler} ${score}`, `${short(top)} / ${short(bottom)}${ratio}`]);
  }
  const partners = partnersOf(entity);
  rows.push(["partner", partners.map((each) => `${each.name} (${sideName(each.side)})`).join(", ") || "none"]);
  for (const mark of entity.marks) rows.push(["note", mark]);
  if (mention) {
    const hidden = new Set(["text"]);
    for (const [name, value] of mention.attributes) if (!hidden.has(name)) rows.push([name, value]);
  }
  return h("dl", null, rows.map(([name, value]) => [h("dt", null, name), h("dd", { dir: "auto" }, value)]));
}

const short = (value) => String(Math.round(value * 100) / 100);

function mentionList(title, mentions, current) {
  const more = mentions.length > 60 ? h("li", { class: "note" }, `and ${count(mentions.length - 60)} more`) : null;
  return [h("h3", null, title), h("ol", { class: "mentions" }, mentions.slice(0, 60).map((mention) =>
    h("li", null, button([h("span", { dir: "auto" }, shortened(mention.text, 90)),
      markOf(mention),
      mention.line === null ? null : h("span", { class: "line-number" }, mention.line)], () => pin(mention),
    { "aria-current": mention === current ? "true" : null, title: said(mention) }))), more)];
}

function setList(entity) {
  const groups = [["Stands for all of", entity.members], ["Member of", entity.memberOf]];
  return groups.filter(([, entities]) => entities.length).map(([title, entities]) => [h("h3", null, title),
    h("ul", { class: "links" }, entities.map((each) => h("li", null, each.missing ? each.name
      : button([entityBadge(each), h("span", { dir: "auto" }, quotedName(each))], () => pin(each.mentions[0])))))]);
}

function bridgeItem(bridge) {
  const relation = bridge.attributes.filter(([name]) => name === "Rel").map(([, value]) => value).join(", ");
  const end = (mention, text) => (mention
    ? button(shortened(text, 60), () => pin(mention), { dir: "auto" }) : `‘${shortened(text, 60)}’`);
  return h("li", { class: "bridge" }, end(bridge.anaphor, bridge.first), h("span", { class: "arrow-text" },
    `↩ ${relation}`), end(bridge.antecedent, bridge.second));
}
