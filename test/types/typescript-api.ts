/**
 * Types that `npm run types` must accept and refuse in a program in TypeScript. Never run: `Equal` compares types, and
 * a line below `@ts-expect-error` that became legal is an error itself.
 */
import {
  bool,
  byId,
  type CalendarDate,
  connect,
  type Dict,
  date,
  def,
  dict,
  Edge,
  edge,
  edges,
  entry,
  enumeration,
  grant,
  has,
  incoming,
  int,
  isA,
  list,
  member,
  Node,
  node,
  Obj,
  obj,
  oneOf,
  optional,
  outgoing,
  param,
  Root,
  ref,
  remove,
  root,
  type SetOf,
  set,
  spawn,
  str,
  type Waiting,
  Walker,
  walker,
} from 'svc-scale';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Compiles only for `expectType<Equal<…>>()`. */
declare function expectType<_T extends true>(): void;

// ---------------------------------------------------------------- fields

const Mood = enumeration('Mood', { CALM: 'calm', WILD: 'wild' });

@obj
class Address extends has(Obj, { street: str(), number: int(1) }) {}

@node
class Person extends has(Node, {
  name: str(),
  age: int(0),
  tags: list(str(), []),
  scores: dict(int(), {}),
  groups: set(str(), []),
  born: optional(date()),
  kind: oneOf(['user', 'admin'], 'user'),
  mood: member(Mood, Mood.CALM),
  home: optional(ref(() => Address)),
  secret: str('').private(),
}) {
  greet(): string {
    return `I am ${this.name}`;
  }
}

const person = new Person({ name: 'Ada' });
expectType<Equal<typeof person.name, string>>();
expectType<Equal<typeof person.age, number>>();
expectType<Equal<typeof person.tags, string[]>>();
expectType<Equal<typeof person.scores, Dict<number>>>();
expectType<Equal<typeof person.groups, SetOf<string>>>();
expectType<Equal<typeof person.born, CalendarDate | null>>();
expectType<Equal<typeof person.kind, 'user' | 'admin'>>();
expectType<Equal<typeof person.home, Address | null>>();
expectType<Equal<typeof person.mood.value, 'calm' | 'wild'>>();

new Person({ name: 'Ada', age: 36, tags: ['x'], scores: { a: 1 }, groups: ['g'], born: new Date(), kind: 'admin' });
new Person({ name: 'Ada', home: new Address({ street: 'Main' }), mood: Mood.WILD });
// @ts-expect-error name is required
new Person({ age: 3 });
// @ts-expect-error fields are needed at all
new Person();
// @ts-expect-error a field of another type
new Person({ name: 5 });
// @ts-expect-error no such field
new Person({ name: 'Ada', height: 3 });
// @ts-expect-error not one of the texts
new Person({ name: 'Ada', kind: 'guest' });
// @ts-expect-error a default of another type
int('x');
// @ts-expect-error a default that is none of them
oneOf(['a', 'b'], 'c');
person.age = 4;
// @ts-expect-error an assignment of another type
person.age = 'four';

// ---------------------------------------------------------------- inheritance

@node
class Employee extends has(Person, { salary: int(), age: int(18) }) {}

const employee = new Employee({ name: 'Bob', salary: 5 });
expectType<Equal<ReturnType<typeof employee.greet>, string>>();
expectType<Equal<typeof employee.salary, number>>();
// @ts-expect-error the field of the class itself is required
new Employee({ name: 'Bob' });
const asPerson: Person = employee;

@edge
class Knows extends has(Edge, { since: int(0) }) {}

// ---------------------------------------------------------------- the graph

connect(person, employee, new Knows({ since: 3 }));
expectType<Equal<ReturnType<typeof connect<Employee>>, Employee>>();
// @ts-expect-error an edge is no node
connect(person, new Knows());
// @ts-expect-error a node is no edge
connect(person, employee, person);

const people = outgoing(root(), Person);
expectType<Equal<typeof people, Waiting<Person[]>>>();
outgoing(person, Person, { by: Knows, byWhere: (knows) => knows.since > 2, where: { name: 'Ada' }, limit: 3 });
incoming([person, employee], Employee, { by: Knows, byWhere: { since: 3 }, where: (found) => found.salary > 3 });
// @ts-expect-error an edge type is no node type
outgoing(person, Knows);
// @ts-expect-error no such field
outgoing(person, Person, { where: { height: 3 } });
// @ts-expect-error a field of another type
outgoing(person, Person, { where: { name: 3 } });
const ways = edges(person, Knows, { to: employee, direction: 'in' });
expectType<Equal<typeof ways, Waiting<Knows[]>>>();
const found = byId('x', Person);
expectType<Equal<typeof found, Waiting<Person | null>>>();
grant(person, 'CONNECT');
// @ts-expect-error no such level
grant(person, 'OWN');
// @ts-expect-error only graph objects can be removed
remove(new Address({ street: 'x' }));
const place: Node = person;
if (isA(place, Employee)) expectType<Equal<typeof place.salary, number>>();

// ---------------------------------------------------------------- walkers

@walker({ access: 'pub', method: 'GET', path: '/people/{least}' })
class Find extends has(Walker<Person>, { least: int(0), deep: bool(false) }) {
  @entry(Root)
  start(here: Root) {
    return this.visit(outgoing(here, Person));
  }

  @entry(Person)
  take(here: Person) {
    expectType<Equal<typeof this.least, number>>();
    if (here.age >= this.least) this.report(here);
    // @ts-expect-error the walker reports people
    this.report(here.name);
  }

  // @ts-expect-error the method takes a person, the trigger gives an edge
  @entry(Knows)
  wrong(_here: Person) {}

  @entry(Person, Knows)
  several(here: Person | Knows) {
    return here;
  }
}

async function walks() {
  const walked = await spawn(new Find({ least: 18 }), person);
  expectType<Equal<typeof walked, Find>>();
  expectType<Equal<typeof walked.reports, Person[]>>();
  await spawn(new Find(), [person, employee]);
  // @ts-expect-error a node is no walker
  await spawn(person);
  // @ts-expect-error a walker cannot be at a plain object
  await spawn(new Find(), new Address({ street: 'x' }));
  // @ts-expect-error fields of walkers are typed, too
  new Find({ least: 'x' });
}

@walker
class Bare extends Walker<string> {}
expectType<Equal<Bare['reports'], string[]>>();

// @ts-expect-error a walker is not registered as a node
@node
class Mistaken extends Walker {}

// @ts-expect-error no such method
@walker({ method: 'FETCH' })
class Fetched extends Walker {}

// ---------------------------------------------------------------- functions

const repeat = def(
  'repeat',
  { access: 'pub', params: [param('text', str()), param('times', int(2))], returns: str() },
  (text, times) => {
    expectType<Equal<typeof text, string>>();
    expectType<Equal<typeof times, number>>();
    return text.repeat(times);
  },
);
const repeated: string = repeat('a');
repeat('a', 3);
// @ts-expect-error the text is required
repeat();
// @ts-expect-error times is a number
repeat('a', 'b');
// @ts-expect-error the result is not what `returns` says
def('wrong', { returns: int() }, () => 'text');

export { asPerson, Bare, Fetched, Mistaken, repeated, walks };
