// `svc test tests.ts`: every test has a graph of its own.
import { root, spawn, test } from 'svc-scale';
import { AddBook, type Book, Next, ReviewBook, Shelf } from './app.ts';

const titles = (books: readonly Book[]) => books.map((book) => book.title).join(', ');

function expectEqual(found: unknown, wanted: unknown): void {
  if (found !== wanted) throw new Error(`expected ${wanted}, found ${found}`);
}

test('a book is found by genre and by tag', async () => {
  await spawn(new AddBook({ title: 'Emma', genre: 'novel', tags: ['classic'] }));
  await spawn(new AddBook({ title: 'Odes', genre: 'poetry', tags: ['classic'] }));
  expectEqual(titles((await spawn(new Shelf({ genre: 'poetry' }))).reports), 'Odes');
  expectEqual(titles((await spawn(new Shelf({ tag: 'classic' }), root())).reports), 'Emma, Odes');
});

test('the next book is the shortest one without a review', async () => {
  const [short] = (await spawn(new AddBook({ title: 'Short', pages: 90 }))).reports;
  await spawn(new AddBook({ title: 'Long', pages: 900 }));
  expectEqual((await spawn(new Next())).reports.at(-1)?.title, 'Short');
  await spawn(new ReviewBook({ text: 'Read it.', stars: 4 }), short);
  expectEqual((await spawn(new Next())).reports.at(-1)?.title, 'Long');
});
