import type { Registry } from 'prom-client';

/** The value of one series, such as `workqueue_depth{name="a"}` with its labels in any order; `undefined`: not there. */
export async function seriesOf(registry: Registry, series: string): Promise<number | undefined> {
  const wanted = parse(series);
  const lines = (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  for (const line of lines) {
    const cut = line.lastIndexOf(' ');
    if (parse(line.slice(0, cut)) === wanted) return Number(line.slice(cut + 1));
  }
  return undefined;
}

function parse(series: string): string {
  const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/u.exec(series) ?? [];
  const sorted = [...labels.matchAll(/\w+="[^"]*"/gu)].map(([label]) => label).sort();
  return `${name}{${sorted.join()}}`;
}
