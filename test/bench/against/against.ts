import { join } from 'node:path';
import { type Figure, times } from '../figure.js';
import { ROOT } from '../keyhost.js';
import type { Bench, Measurement } from '../measurement.js';
import { median } from '../median.js';
import { grpcRows } from '../rows/grpc-rows.js';
import { keyhost } from '../rows/keyhost-targets.js';
import { loginRows } from '../rows/login-rows.js';
import { metadataRows } from '../rows/metadata-rows.js';
import { cpuOf, type Row, type Target } from '../rows/row.js';
import { tokenRows } from '../rows/token-rows.js';
import { keyhostStartings } from '../start/start.js';
import { START_SECONDS, type Start, type Starting, startOnce } from '../start/starts.js';
import type { BuiltCommit } from './built-commit.js';
import { againstCounts } from './counted.js';

/** More than this ratio is a finding. */
const MAX_RATIO = 1.03;

/** The same work on this checkout and on another commit, in turn: CPU per request, start and memory, and counts. */
export function againstMeasurements(commit: BuiltCommit): Measurement[] {
  const rows = [...metadataRows(), ...tokenRows(), ...loginRows(), ...grpcRows()];
  // A row that differs in its peer alone would repeat the work.
  const distinct = rows.filter(({ name, ours }) => ours.server === keyhost && !name.endsWith(', against a product'));
  const counts = againstCounts(commit.root, (name, pair) => figure(name, 'KB', [pair], commit));
  return [...distinct.map((row) => againstRow(row, commit)), againstStart(commit), counts];
}

function againstRow({ name, ours }: Row, commit: BuiltCommit): Measurement {
  const theirs: Target = { ...ours, server: (servers) => servers.keyhostOf(commit.root) };
  return {
    name,
    lasts: ({ runs, seconds, warmup }) => 2 * runs * (seconds + warmup + 0.4),
    async measure(bench) {
      const pairs = await inTurn(
        bench,
        () => cpuOf(bench, ours),
        () => cpuOf(bench, theirs),
      );
      return [figure(name, 'µs', pairs, commit)];
    },
  };
}

function againstStart(commit: BuiltCommit): Measurement {
  return {
    name: 'start and memory at rest',
    lasts: ({ runs }) => 4 * (runs + 1) * START_SECONDS,
    async measure(bench) {
      const ours = await keyhostStartings(join(bench.dir, 'against-ours'), ROOT);
      const theirs = await keyhostStartings(join(bench.dir, 'against-theirs'), commit.root);
      const figures: Figure[] = [];
      for (const [index, starting] of ours.entries()) {
        const other = theirs[index];
        if (other !== undefined) figures.push(...(await startFigures(bench, starting, other, commit)));
      }
      return figures;
    },
  };
}

async function startFigures(bench: Bench, ours: Starting, theirs: Starting, commit: BuiltCommit): Promise<Figure[]> {
  // The first start creates the data of later ones.
  for (const starting of [ours, theirs]) await startOnce(bench.processes, starting);
  const starts = await inTurn(
    bench,
    () => startOnce(bench.processes, ours),
    () => startOnce(bench.processes, theirs),
  );
  const of = (what: string, unit: Figure['unit'], value: (start: Start) => number) =>
    figure(
      `${ours.name}: ${what}`,
      unit,
      starts.map(([our, their]) => [value(our), value(their)]),
      commit,
    );
  return [
    of('CPU until ready', 'ms', ({ readyCpu }) => readyCpu),
    of('CPU until the first token', 'ms', ({ tokenCpu }) => tokenCpu),
    of('memory at rest', 'MB', ({ memory }) => memory),
  ];
}

/** Runs both in turn. The first one of a pair alternates, because the second may benefit from a warm machine. */
async function inTurn<T>(bench: Bench, ours: () => Promise<T>, theirs: () => Promise<T>): Promise<[T, T][]> {
  const pairs: [T, T][] = [];
  for (let run = 1; run <= bench.runs; run += 1) {
    bench.say(`run ${run} of ${bench.runs}`);
    if (run % 2 === 1) pairs.push([await ours(), await theirs()]);
    else {
      const their = await theirs();
      pairs.push([await ours(), their]);
    }
  }
  return pairs;
}

function figure(
  name: string,
  unit: Figure['unit'],
  pairs: readonly [number, number][],
  { name: peer }: BuiltCommit,
): Figure {
  const ratios = pairs.map(([ours, theirs]) => ours / theirs);
  return {
    name,
    unit,
    ours: median(pairs.map(([ours]) => ours)),
    theirs: median(pairs.map(([, theirs]) => theirs)),
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
    peer,
    goals: [times(MAX_RATIO)],
  };
}
