// -- how a mention looks --------------------------------------------------------------------------------------------

/** How a mention looks: of which side it is, and how it fared. */
function mentionClasses(mention) {
  const side = mention.side === "k" ? "of-key" : "of-response";
  const system = mention.side === "k" ? reading.model.system : Number(mention.side);
  const found = [side, ...stateIn(mention, system), ...(mention.further ? ["further"] : [])];
  if (reading.against !== null) found.push(`is-${mention.fare}`, ...(isAskedMention(mention) ? [] : ["unasked"]));
  return found;
}

/** How a mention fared in a system: right, in another entity than on the other side, or not on the other side at all. */
function stateIn(mention, system) {
  const colour = isPartneredIn(mention.entity, system) && !mention.further ? "coloured" : "grey";
  if (mention.further) return [colour, "wrong"];
  const twin = twinIn(mention, system);
  if (!twin || (mention.side === "k" ? twin : mention).near) return [colour, "wrong", "unmatched"];
  const partner = mention.side === "k" ? mention.entity.partners[String(system)] : mention.entity.partner;
  return twin.entity === partner ? [colour] : [colour, "wrong"];
}

/** Whether an entity has a partner in a system, be it in another document. */
function isPartneredIn(entity, system) {
  if (entity.side !== "k") return entity.hue !== null;
  return Boolean(entity.partners[String(system)]) || entity.elsewhere.has(String(system));
}

const isPartnered = (entity) => isPartneredIn(entity, reading.model.system);
