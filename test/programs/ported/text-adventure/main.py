"""A text adventure: rooms, items, commands, state machine, save and load."""
from __future__ import annotations
import json
import random

from abc import ABC, abstractmethod
from enum import Enum, IntEnum
from typing import Optional, Dict, List, Callable
from collections import deque


class Direction(Enum):
    NORTH = ("n", 0, 1)
    SOUTH = ("s", 0, -1)
    EAST = ("e", 1, 0)
    WEST = ("w", -1, 0)

    def __init__(self, short, dx, dy):
        self.short = short
        self.dx, self.dy = dx, dy

    @property
    def opposite(self):
        return next(d for d in Direction if (d.dx, d.dy) == (-self.dx, -self.dy))

    @classmethod
    def parse(cls, text):
        for d in cls:
            if text.lower() in (d.short, d.name.lower()):
                return d
        raise GameError(f"I don't know the direction '{text}'.")


def split(line):
    if line.count('"') % 2:
        raise ValueError("No closing quotation")
    out = []
    for i, part in enumerate(line.split('"')):
        out += [part] if i % 2 else part.split()
    return out


class GameError(Exception):
    pass


class Item:
    weight = 1

    def __init__(self, name: str, **props):
        self.name = name
        self.__dict__.update(props)

    def use(self, game) -> str:
        return f"Nothing happens with the {self.name}."

    def __repr__(self):
        extra = {k: v for k, v in vars(self).items() if k != "name"}
        return f"{type(self).__name__}({self.name!r}{''.join(f', {k}={v!r}' for k, v in sorted(extra.items()))})"


class Key(Item):
    def use(self, game):
        locked = [d for d, door in game.room.doors.items() if door == self.opens]
        if not locked:
            return "There is no lock here."
        for d in locked:
            del game.room.doors[d]
        return f"The {self.opens} door to the {locked[0].name.lower()} is open."


class Lamp(Item):
    weight = 3
    on = False

    def use(self, game):
        self.on = not self.on
        return f"The lamp is {'on' if self.on else 'off'}."


class Food(Item):
    def use(self, game):
        game.inventory.remove(self)
        game.health = min(10, game.health + self.energy)
        return f"Yum. Health is {game.health}."


class Room:
    def __init__(self, name, text, dark=False):
        self.name, self.text, self.dark = name, text, dark
        self.exits: Dict[Direction, "Room"] = {}
        self.doors: Dict[Direction, str] = {}
        self.items: List[Item] = []

    def connect(self, direction: Direction, other: Room, *, door: Optional[str] = None) -> Room:
        self.exits[direction] = other
        other.exits[direction.opposite] = self
        if door:
            self.doors[direction] = door
        return other

    def __hash__(self):
        return hash(self.name)

    def __eq__(self, other):
        return isinstance(other, Room) and self.name == other.name


class State(IntEnum):
    PLAYING = 0
    WON = 1
    LOST = 2


commands: Dict[str, Callable] = {}
help_lines = []


def command(*names, help=""):
    def register(fn):
        for n in names:
            commands[n] = fn
        help_lines.append(f"{'/'.join(names):<12} {help}")
        return fn
    return register


class Game:
    def __init__(self, seed=1):
        self.state = State.PLAYING
        self.health = 5
        self.moves = 0
        self.inventory = []
        self.log = deque(maxlen=3)
        self.build()

    def build(self):
        hall = Room("Hall", "A dusty hall.")
        cellar = Room("Cellar", "It smells of mould.", dark=True)
        garden = Room("Garden", "Roses everywhere.")
        tower = Room("Tower", "You see the whole land.")
        hall.connect(Direction.EAST, garden)
        hall.connect(Direction.NORTH, tower, door="iron")
        garden.connect(Direction.SOUTH, cellar)
        hall.items += [Lamp("lamp")]
        garden.items.append(Food("apple", energy=3))
        cellar.items.extend([Key("key", opens="iron"), Item("bone")])
        self.rooms = {r.name: r for r in (hall, cellar, garden, tower)}
        self.room = hall

    @property
    def light(self):
        return not self.room.dark or any(getattr(i, "on", False) for i in self.inventory)

    def find(self, name, where):
        for item in where:
            if item.name == name:
                return item
        raise GameError(f"There is no {name} here.")

    @command("look", "l", help="look around")
    def look(self):
        if not self.light:
            return "It is dark."
        out = [f"{self.room.name}: {self.room.text}"]
        if self.room.items:
            out.append("You see " + ", ".join(i.name for i in self.room.items) + ".")
        out.append("Exits: " + ", ".join(d.name.lower() + ("*" if d in self.room.doors else "") for d in self.room.exits))
        return "\n".join(out)

    @command("go", "walk", help="go somewhere")
    def go(self, where):
        d = Direction.parse(where)
        if d in self.room.doors:
            raise GameError(f"The {self.room.doors[d]} door is locked.")
        try:
            self.room = self.room.exits[d]
        except KeyError:
            raise GameError("You bump your head.") from None
        self.moves += 1
        self.health -= 1
        if self.room.name == "Tower":
            self.state = State.WON
        elif self.health <= 0:
            self.state = State.LOST
        return self.look()

    @command("take", "get", help="take things")
    def take(self, *names):
        if not self.light:
            raise GameError("You grope in the dark.")
        got = []
        for name in names or [i.name for i in self.room.items]:
            item = self.find(name, self.room.items)
            if sum(i.weight for i in self.inventory) + item.weight > 4:
                raise GameError(f"The {name} is too heavy.")
            self.room.items.remove(item)
            self.inventory.append(item)
            got.append(name)
        return f"Taken: {', '.join(got) or 'nothing'}."

    @command("drop")
    def drop(self, name):
        item = self.find(name, self.inventory)
        self.inventory.remove(item)
        self.room.items.insert(0, item)
        return f"Dropped {name}."

    @command("use", help="use a thing")
    def use(self, name):
        return self.find(name, self.inventory).use(self)

    @command("say")
    def say(self, *words, loud=False):
        return f'You say "{" ".join(words)}".'

    def play(self, line):
        try:
            verb, *args = split(line)
        except ValueError:
            return "What?"
        fn = commands.get(verb)
        if fn is None:
            close = [c for c in sorted(commands) if c[0] == verb[0]]
            return f"Unknown '{verb}'." + (f" Did you mean {' or '.join(close)}?" if close else "")
        try:
            result = fn(self, *args)
        except GameError as e:
            result = str(e)
        except TypeError as e:
            result = f"Usage problem: {e}"
        self.log.append((verb, len(result)))
        return result

    def save(self):
        return json.dumps({"room": self.room.name, "health": self.health, "moves": self.moves, "inventory": [i.name for i in self.inventory],
                           "items": {r.name: [i.name for i in r.items] for r in self.rooms.values()}, "state": self.state, "lit": [i.name for i in self.inventory if getattr(i, "on", False)]})

    @classmethod
    def load(cls, text):
        data = json.loads(text)
        game = cls()
        every = {i.name: i for r in game.rooms.values() for i in r.items}
        game.room = game.rooms[data["room"]]
        game.health, game.moves, game.state = data["health"], data["moves"], State(data["state"])
        game.inventory = [every[n] for n in data["inventory"]]
        for name, items in data["items"].items():
            game.rooms[name].items = [every[n] for n in items]
        for name in data["lit"]:
            every[name].on = True
        return game


g = Game()
script = ["look", "go north", "go west", "take lamp", "go east", "take", "inventory", "go s", "take key", "use lamp", "take key bone", "drop lamp", "look", "use key", "get key", "take bone key",
          "use apple", "go up", "go n", 'say "hello there" you', "go", "go a b", "use key", "go w", "use key", "go north", "lock", 'say "oops']
for line in script:
    print(">", line)
    print(g.play(line))
    if g.state is not State.PLAYING:
        print("***", g.state.name, int(g.state), g.state > State.PLAYING)
        break
print(g.inventory, g.moves, list(g.log))
saved = g.save()
print(saved)
h = Game.load(saved)
print(h.save() == saved, h.room == g.room, h.room is g.room, h.play("look"), h.inventory)
print("\n".join(help_lines), sorted(commands))
path = deque([(g.rooms["Tower"], [])])
seen = {g.rooms["Tower"]}
while path:
    room, way = path.popleft()
    print(room.name, "".join(d.short for d in way))
    for d, other in room.exits.items():
        if other not in seen:
            seen.add(other)
            path.append((other, way + [d]))
