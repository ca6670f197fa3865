// The loops of apps/floats.svc by hand, on plain numbers.
export function total(xs) {
  let sum = 0;
  for (const x of xs) sum += x;
  return sum;
}

export function weighted(xs) {
  let sum = 0;
  for (const x of xs) sum += x * 2 - 1;
  return sum;
}

export function basket(rows) {
  let sum = 0;
  for (const row of rows) sum += row.price * row.count;
  return sum;
}

export function step(all) {
  for (const b of all) {
    b.x += b.vx * 0.5;
    b.y += b.vy * 0.5;
  }
  return all[0].x;
}
