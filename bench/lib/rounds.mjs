// Alternating rounds: every variant is measured once per round, in turn, the order reversed every second round, so that drift of a
// shared machine hits all alike. Ratios are taken inside each round; the median ratio with its lowest and highest is what counts.

export const rounds = Number(process.env.ROUNDS ?? 7);

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
};

/** `variants`: name -> () => figure (or a promise of it), larger is better. Gives name -> figures, one a round. */
export async function alternate(variants, count = rounds) {
  const names = Object.keys(variants);
  const figures = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < count; round++) {
    for (const name of round % 2 ? [...names].reverse() : names) figures[name].push(await variants[name]());
  }
  return figures;
}

/** Median and spread of `figures[name]` divided by `figures[baseline]`, round by round. */
export function ratio(figures, name, baseline) {
  const ratios = figures[name].map((value, round) => value / figures[baseline][round]);
  return {
    median: median(ratios),
    low: Math.min(...ratios),
    high: Math.max(...ratios),
    figure: median(figures[name]),
    base: median(figures[baseline]),
  };
}

export const short = (value) =>
  value >= 1e6
    ? `${(value / 1e6).toFixed(2)}M`
    : value >= 1e4
      ? `${(value / 1e3).toFixed(1)}k`
      : value >= 100
        ? value.toFixed(0)
        : value.toFixed(2);

/** One printed row of the goal table. `fits` says whether the median meets the goal. */
export function row(id, subject, goal, result, fits) {
  return {
    id,
    subject,
    goal,
    measured: result.median,
    spread: [result.low, result.high],
    figure: result.figure,
    base: result.base,
    met: fits(result.median),
  };
}

export function printRows(rows) {
  console.log('\n| # | subject | goal | measured | spread | figure / baseline | |');
  console.log('|---|---|---|---|---|---|---|');
  for (const r of rows) {
    console.log(
      `| ${r.id} | ${r.subject} | ${r.goal} | ${r.measured.toFixed(2)} | ${r.spread.map((x) => x.toFixed(2)).join('..')} | ${short(r.figure)} / ${short(r.base)} | ${r.met ? 'met' : 'MISSED'} |`,
    );
  }
}
