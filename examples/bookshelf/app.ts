// A reading group's bookshelf. Members keep books, find them by walking over their shelf, review them and lend them to each other.
import {
  connect,
  date,
  def,
  dict,
  Edge,
  edge,
  edges,
  entry,
  exit,
  grant,
  HTTPError,
  has,
  incoming,
  int,
  list,
  Node,
  node,
  oneOf,
  optional,
  outgoing,
  param,
  Root,
  remove,
  sharedRoot,
  spawn,
  str,
  Walker,
  walker,
} from 'svc-scale';
import { Genre, shelfMark } from './genres.svc';
import { initials } from './initials.ts';

const genres = ['novel', 'poetry', 'science', 'other'] as const;

/** A book on its owner's shelf. */
@node
export class Book extends has(Node, {
  title: str(),
  author: str(''),
  genre: oneOf(genres, 'other'),
  tags: list(str(), []),
  pages: int(0),
  bought: optional(date()),
}) {
  label(): string {
    return this.author === '' ? this.title : `${this.title} (${initials(this.author)})`;
  }
}

/** Opinion of its owner about a book. */
@node
export class Review extends has(Node, { text: str(), stars: int() }) {}

/** From a book to a review of it. */
@edge
export class About extends has(Edge, { day: str('') }) {}

/** Number of books ever added, on the shared root. */
@node
export class Tally extends has(Node, { count: int(0) }) {}

async function tally(): Promise<Tally> {
  const everybody = await sharedRoot();
  const [known] = await outgoing(everybody, Tally);
  if (known !== undefined) return known;
  const made = connect(everybody, new Tally());
  // Whoever came first owns it; everybody may find it and count on.
  grant(made, 'WRITE');
  for (const way of await edges(everybody, Edge, { to: made })) grant(way, 'READ');
  return made;
}

/** Adds a book to the caller's shelf and reports it. */
@walker
export class AddBook extends has(Walker<Book>, {
  title: str(),
  author: str(''),
  genre: oneOf(genres, 'other'),
  tags: list(str(), []),
  pages: int(0),
  bought: optional(date()),
}) {
  @entry(Root)
  async add(here: Root) {
    const title = this.title.trim();
    if (title === '') throw new HTTPError(422, 'EMPTY_TITLE', 'A book needs a title.');
    const { author, genre, tags, pages, bought } = this;
    this.report(connect(here, new Book({ title, author, genre, tags, pages, bought })));
    (await tally()).count += 1;
  }
}

/** Reports the caller's books, in the order in which they were added. */
@walker({ method: 'GET' })
export class Shelf extends has(Walker<Book>, {
  genre: optional(oneOf(genres)),
  tag: str(''),
}) {
  @entry(Root)
  look(here: Root) {
    const { genre } = this;
    return this.visit(genre === null ? outgoing(here, Book) : outgoing(here, Book, { where: { genre } }));
  }

  @entry(Book)
  take(here: Book) {
    if (this.tag === '' || here.tags.includes(this.tag)) this.report(here);
  }
}

/** Reviews the book it is called on: POST /walker/ReviewBook/<book id>. */
@walker
export class ReviewBook extends has(Walker<Review>, { text: str(), stars: int(), day: str('') }) {
  @entry(Book)
  write(here: Book) {
    if (this.stars < 1 || this.stars > 5) throw new HTTPError(422, 'BAD_STARS', 'Between 1 and 5 stars, please.');
    this.report(connect(here, new Review({ text: this.text, stars: this.stars }), new About({ day: this.day })));
  }
}

/** Deletes the book it is called on, with its reviews. */
@walker({ method: 'DELETE' })
export class RemoveBook extends Walker<string> {
  @entry(Book)
  async discard(here: Book) {
    const title = here.label();
    await remove(await outgoing(here, Review, { by: About }));
    await remove(here);
    this.report(`removed ${title}`);
  }
}

interface Figures {
  readonly books: number;
  readonly pages: number;
  readonly byGenre: Record<string, number>;
  readonly best: string | null;
}

/** Figures of the caller's shelf: a walk over books and their reviews. */
@walker({ method: 'GET', path: '/figures' })
export class Summary extends has(Walker<Figures>, {
  books: int(0).private(),
  pages: int(0).private(),
  byGenre: dict(int(), {}).private(),
  best: optional(str()).private(),
  stars: int(0).private(),
}) {
  @entry(Root)
  start(here: Root) {
    return this.visit(outgoing(here, Book));
  }

  @entry(Book)
  count(here: Book) {
    this.books += 1;
    this.pages += here.pages;
    this.byGenre.set(here.genre, (this.byGenre.get(here.genre) ?? 0) + 1);
    return this.visit(outgoing(here, Review));
  }

  @entry(Review)
  async weigh(here: Review) {
    if (here.stars <= this.stars) return;
    const [book] = await incoming(here, Book, { by: About });
    this.stars = here.stars;
    this.best = book?.label() ?? null;
  }

  @exit(Root)
  tell() {
    const { books, pages, byGenre, best } = this;
    this.report({ books, pages, byGenre: Object.fromEntries(byGenre.entries()), best });
  }
}

/** Suggests the book the caller should read next: the shortest one without a review. */
@walker({ method: 'GET' })
export class Next extends Walker<Book | null> {
  @entry(Root)
  async choose(here: Root) {
    const { reports } = await spawn(new Shelf(), here);
    const unread: Book[] = [];
    for (const book of reports) if ((await outgoing(book, Review)).length === 0) unread.push(book);
    this.report(unread.sort((a, b) => a.pages - b.pages)[0] ?? null);
    this.disengage();
  }
}

/** Gives the place of the books of a genre; the plan of the shelves is an `.svc` module. */
export const shelfOf = def(
  'shelfOf',
  { access: 'pub', method: 'GET', path: '/shelves/{genre}', params: [param('genre', oneOf(genres))], returns: str() },
  (genre) => shelfMark(Genre[genre.toUpperCase() as Uppercase<typeof genre>]),
);

/** Counts the books all members have added; needs no account. */
export const booksAdded = def(
  'booksAdded',
  { access: 'pub', method: 'GET', path: '/count', returns: int() },
  async () => (await tally()).count,
);
