/**
 * Counters and histograms for what happens with every request: a cell is looked up once and then counting is an addition, where the
 * library would check and hash the labels each time. To the registry they are metrics like its own.
 */
import type { Registry } from 'prom-client';

export interface Described {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
}

/** `cell` takes the label values in the order of their names. */
export interface Cells<T> {
  cell(...labels: string[]): T;
}

export function counterCells(registry: Registry, described: Described): Cells<() => void> {
  const cells: { readonly labels: Labels; value: number }[] = [];
  register(registry, described, 'counter', () => cells.map(({ labels, value }) => ({ labels: { ...labels }, value })));
  return {
    cell(...values) {
      const cell = { labels: labelled(described, values), value: 0 };
      cells.push(cell);
      return () => {
        cell.value++;
      };
    },
  };
}

/** @param bounds upper bounds of the buckets, ascending */
export function histogramCells(
  registry: Registry,
  described: Described,
  bounds: readonly number[],
): Cells<(value: number) => void> {
  const cells: { readonly labels: Labels; readonly buckets: number[]; sum: number }[] = [];
  const { name } = described;
  register(registry, described, 'histogram', () =>
    cells.flatMap(({ labels, buckets, sum }) => {
      let count = 0;
      const cumulated = buckets.map((value, i) => {
        count += value;
        return { labels: { le: bounds[i] ?? '+Inf', ...labels }, value: count, metricName: `${name}_bucket` };
      });
      return [
        ...cumulated,
        { labels: { ...labels }, value: sum, metricName: `${name}_sum` },
        { labels: { ...labels }, value: count, metricName: `${name}_count` },
      ];
    }),
  );
  return {
    cell(...values) {
      const buckets = new Array<number>(bounds.length + 1).fill(0);
      const cell = { labels: labelled(described, values), buckets, sum: 0 };
      cells.push(cell);
      return (value) => {
        let i = 0;
        while (i < bounds.length && value > bounds[i]!) i++;
        buckets[i]!++;
        cell.sum += value;
      };
    },
  };
}

type Labels = Readonly<Record<string, string>>;

function labelled({ labelNames }: Described, values: readonly string[]): Labels {
  return Object.fromEntries(labelNames.map((name, i) => [name, values[i]!]));
}

function register(registry: Registry, described: Described, type: string, values: () => object[]): void {
  const { name, help, labelNames } = described;
  const get = async () => ({ name, help, type, values: values(), aggregator: 'sum' });
  // All that a registry asks of a metric.
  registry.registerMetric({ name, help, type, labelNames, get } as unknown as Parameters<
    Registry['registerMetric']
  >[0]);
}
