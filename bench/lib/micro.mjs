// Operations per CPU second of this process (user and system, helper threads included): other jobs on a shared machine disturb that far
// less than wall time. Warm up, then time slices; the median slice counts.
const cpuMicros = () => {
  const used = process.cpuUsage();
  return used.user + used.system;
};
const middle = (values) => values.sort((a, b) => a - b)[values.length >> 1];

export function measure(operation, { perCall = 1, slices = 5, sliceMs = 60, warmMs = 200 } = {}) {
  const warmUntil = cpuMicros() + warmMs * 1e3;
  while (cpuMicros() < warmUntil) operation();
  let block = 1;
  for (;;) {
    const before = cpuMicros();
    for (let i = 0; i < block; i++) operation();
    if (cpuMicros() - before > 5e3 || block > 1e7) break;
    block *= 2;
  }
  const rates = [];
  for (let slice = 0; slice < slices; slice++) {
    const start = cpuMicros();
    let calls = 0;
    let now = start;
    do {
      for (let i = 0; i < block; i++) operation();
      calls += block;
      now = cpuMicros();
    } while (now - start < sliceMs * 1e3);
    rates.push((calls * perCall * 1e6) / (now - start));
  }
  return middle(rates);
}

export async function measureAsync(operation, { perCall = 1, slices = 5, sliceMs = 60, warmMs = 200 } = {}) {
  const warmUntil = cpuMicros() + warmMs * 1e3;
  while (cpuMicros() < warmUntil) await operation();
  const rates = [];
  for (let slice = 0; slice < slices; slice++) {
    const start = cpuMicros();
    let calls = 0;
    let now = start;
    do {
      await operation();
      calls++;
      now = cpuMicros();
    } while (now - start < sliceMs * 1e3);
    rates.push((calls * perCall * 1e6) / (now - start));
  }
  return middle(rates);
}
