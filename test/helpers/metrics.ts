import { fetchAnswer, type TestHost } from './host.js';

/** The values of a metric by labels, such as `plugin=books,realm=demo`. */
export async function figures(host: TestHost, metric: string): Promise<Record<string, number>> {
  const { text } = await fetchAnswer(`${host.managementUrl}/metrics`);
  const lines = [...text.matchAll(new RegExp(`^${metric}\\{(.*)\\} (.*)$`, 'gm'))];
  return Object.fromEntries(lines.map(([, labels = '', value]) => [labels.replaceAll('"', ''), Number(value)]));
}

/** The value of a metric without labels. */
export async function figure(host: TestHost, metric: string): Promise<number> {
  const { text } = await fetchAnswer(`${host.managementUrl}/metrics`);
  return Number(new RegExp(`^${metric} (.*)$`, 'm').exec(text)?.[1]);
}
