import { type Compared, type Comparison, isRefused } from '../compare/comparison.js';
import { type Figure, isMet } from '../figure.js';

/** The cells of a figure: name, ours, theirs, ratio, goals, and whether they are met. */
export function cellsOf(figure: Figure): string[] {
  const { name, unit, ours, theirs, peer, ratio, spread, goals } = figure;
  const value = (number: number) => `${number.toFixed(digits(number, unit))} ${unit}`;
  const goal = goals.map(({ most, of }) => `≤ ${most} ${of === 'ours' ? unit : '×'}`).join(', ');
  const verdict = goals.length === 0 ? '' : goals.every((one) => isMet(figure, one)) ? 'met' : 'missed';
  return [
    name,
    value(ours),
    theirs === undefined ? '' : `${value(theirs)} (${peer})`,
    ratio === undefined ? '' : `${ratio.toFixed(2)} ×${spreadOf(spread)}`,
    goal,
    verdict,
  ];
}

const spreadOf = (spread: Figure['spread']) =>
  spread === undefined ? '' : ` (${spread.map((ratio) => ratio.toFixed(2)).join('–')})`;

export const FIGURE_HEAD = ['what', 'Keyhost', 'beside', 'ratio', 'goal', ''];

/** The cells of a comparison: the row's name, then one for each server. */
export function comparedCells({ name, servers }: Comparison): string[] {
  return [name, ...servers.map((one) => (isRefused(one) ? '–' : compared(one)))];
}

export const comparedHead = ({ servers }: Comparison) => ['flow', ...servers.map(({ server }) => server)];

/** Why servers are not measured in rows, and which are measured without their CPU. */
export function notesOf(comparisons: readonly Comparison[]): string[] {
  const refused = comparisons.flatMap(({ name, servers }) =>
    servers.filter(isRefused).map(({ server, refused: reason }) => `${name}, ${server}: ${reason}`),
  );
  const all = comparisons.flatMap(({ servers }) => servers);
  const withoutCpu = all.flatMap((one) => (!isRefused(one) && one.cpu === null ? [one.server] : []));
  const notes = [...new Set(withoutCpu)].map(
    (server) => `${server}: its CPU is not known, for no --compare-pid names its process`,
  );
  return [...refused, ...notes];
}

function compared({ cpu, perSecond, p99, cpuRatio, speedRatio }: Compared): string {
  const times = (ratio: number | undefined) => (ratio === undefined ? '' : ` (${ratio.toFixed(1)} ×)`);
  const rate = `${perSecond.toFixed(0)}/s`;
  const late = `p99 ${p99.toFixed(0)} ms`;
  if (cpu === null) return `${rate}${speedRatio === undefined ? '' : ` (1/${speedRatio.toFixed(1)})`}, ${late}`;
  return `${(cpu / 1000).toFixed(2)} ms${times(cpuRatio)}, ${rate}, ${late}`;
}

function digits(number: number, unit: Figure['unit']): number {
  return unit === 'ms' && number < 100 ? 1 : 0;
}
