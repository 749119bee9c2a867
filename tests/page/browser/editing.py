"""A slow, literal response that can be edited: which mention is in which entity, and random edits of it."""

from __future__ import annotations

from collections import Counter

from scoref.document.document import Document, Mention, stretch


def lone(document):
    """The entities with one mention."""
    sizes = Counter(mention.entity for mention in document.mentions)
    return {name for name, size in sizes.items() if size == 1}


class Edited:
    """The mentions of a response by their names, and the entity of each; edits as the page writes them."""

    def __init__(self, key, response, number, dropped=False):
        """`dropped`: entities with one mention are not scored; these mentions and entities have names of their own."""
        self.key, self.response, self.number = key, response, number
        self.span, self.entity = {}, {}
        alone = [lone(side) if dropped else set() for side in (key, response)]
        for letters, some in (("re", False), ("of", True)):
            mentions = [each for each in response.mentions if (each.entity in alone[1]) == some]
            numbers = {name: place for place, name in enumerate(dict.fromkeys(each.entity for each in mentions))}
            for at, mention in enumerate(mentions):
                self.span[f"{letters[0]}{at}"] = mention.span
                self.entity[f"{letters[0]}{at}"] = f"{letters[1]}{numbers[mention.entity]}"
        ours = [each for each in key.mentions if each.entity not in alone[0]]
        self.spans = {mention.span: f"k{at}" for at, mention in enumerate(ours)}
        self.spans |= {span: name for name, span in self.span.items()}

    def named(self, span):
        name = self.spans.get(span, f"w{span[0] >> 8}-{span[-1] >> 8}")
        self.span[name] = span
        return name

    def new(self, name):
        entity = f"n{name}"
        while any(owner == entity and other != name for other, owner in self.entity.items()):
            entity += "x"
        return entity

    def random(self, random):
        """A random edit, done and written; None if there was nothing to be done."""
        names, entities = sorted(self.entity), sorted({*self.entity.values()})
        what = random.choice("mmmnxagpw")
        if what in "mnxp" and not names:
            return None
        if what == "m":
            name, entity = random.choice(names), random.choice(entities)
            self.entity[name] = entity
            return self.written("m", entity, name)
        if what == "n":
            name = random.choice(names)
            entity = self.entity[name] = self.new(name)
            return self.written("m", entity, name)
        if what == "x":
            name = random.choice(names)
            del self.entity[name]
            return self.written("x", name)
        if what == "g":
            if len(entities) < 2:
                return None
            one, other = random.sample(entities, 2)
            self.entity = {name: other if owner == one else owner for name, owner in self.entity.items()}
            return self.written("g", one, other)
        if what == "p":
            name = random.choice(names)
            entity, goal = self.entity[name], self.new(name)
            for each in [*self.entity]:
                first, last = (self.span[each][0], self.span[each][-1])
                if self.entity[each] == entity and (first, last) >= (self.span[name][0], self.span[name][-1]):
                    self.entity[each] = goal
            return self.written("p", name)
        words = len(self.key.words)
        first = random.randrange(words)
        free = stretch(first, min(words - 1, first + random.randrange(3)))
        span = random.choice(self.key.mentions).span if what == "a" and self.key.mentions else free
        name = self.named(span)
        if name in self.entity:
            return None
        entity = random.choice([*entities, self.new(name)])
        self.entity[name] = entity
        return self.written("m", entity, name)

    def written(self, what, *parts):
        return ".".join([what, "0", str(self.number), *parts])

    def document(self, id=None):
        """The response as it is now."""
        mentions = [Mention(self.span[name], entity) for name, entity in self.entity.items()]
        return Document(id or self.response.id, self.response.words, tuple(mentions), self.response.sentences)
