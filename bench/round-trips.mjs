// P19: round trips of one call over a document database, without and with Redis before it: a number that does not depend on the size of the
// graph. Counted, not measured. `node bench/round-trips.mjs`
import { loadSource } from './lib/bundle.mjs';

const { countTrips } = await loadSource('bench/lib/round-trips.ts');
const sizes = [10, 1000];
const rows = [];
for (const withRedis of [false, true]) {
  const [small, large] = [await countTrips(sizes[0], withRedis), await countTrips(sizes[1], withRedis)];
  for (const [i, few] of small.entries()) rows.push({ withRedis, few, many: large[i] });
}
const shown = ({ database, redis, hits }, withRedis) =>
  withRedis ? `${database} + ${redis} (${hits} records from Redis)` : String(database);
console.log(`\n| # | a call over MongoDB | goal | ${sizes.map((size) => `${size} neighbours`).join(' | ')} | |`);
console.log('|---|---|---|---|---|---|');
for (const { withRedis, few, many } of rows) {
  const isSame = few.database === many.database && few.redis === many.redis;
  const subject = withRedis ? `${few.call}, with Redis` : few.call;
  console.log(
    `| P19 | ${subject} | the same number | ${shown(few, withRedis)} | ${shown(many, withRedis)} | ${isSame ? 'met' : 'MISSED'} |`,
  );
}
