import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { againstMeasurements } from './against/against.js';
import { BuildFailure, buildCommit, resolveCommit } from './against/built-commit.js';
import { discover, NoOidcServer } from './compare/oidc-server.js';
import { runsBundle } from './keyhost.js';
import { circumstances } from './machine.js';
import type { Bench, Extent, Measurement } from './measurement.js';
import { measurements } from './measurements.js';
import { type BenchOptions, HELP, OptionError, parseOptions } from './options.js';
import { markdown } from './print/markdown.js';
import { checkMarks, replaceMarked } from './print/marked-block.js';
import { isComparison, type NodeResults, type Results } from './print/results.js';
import { comparedHeadLine, comparedLine, figureLine, headLine } from './print/text.js';
import { notesOf } from './print/words.js';
import { Processes } from './processes.js';
import { Progress } from './progress.js';
import { Servers } from './servers.js';

const tell = (text: string) => void process.stderr.write(text);

async function main(argv: readonly string[]): Promise<void> {
  const options = parseOptions(argv);
  if (options.help) return void process.stdout.write(HELP);
  const nodes = options.nodes.length === 0 ? [process.execPath] : options.nodes;
  const versions = nodes.map(versionOf);
  if (options.write !== undefined) await checkMarks(options.write);
  const others = await Promise.all(options.compared.map(discover));
  const commit = options.against === undefined ? undefined : resolveCommit(options.against);
  const all = commit === undefined ? measurements(others) : againstMeasurements(commit);
  const chosen = choose(all, options.only);
  const extent = { ...options, warmup: options.quick ? 0.3 : 1 };
  if (options.list) return list(chosen, extent);
  if (commit !== undefined) buildCommit(commit, tell);
  const isBundle = await runsBundle();
  if (!isBundle) tell('This is the compiler’s output and not the bundle, which `npm run build` makes anew.\n');
  const about = { circumstances: circumstances(argv, isBundle), runs: options.runs, seconds: options.seconds };
  const expected = nodes.flatMap(() => chosen.map(({ lasts }) => lasts(extent)));
  const progress = new Progress(expected, tell);
  const results: NodeResults[] = [];
  for (const [index, node] of nodes.entries()) {
    const version = versions[index] ?? '';
    if (nodes.length > 1 && !options.table) process.stdout.write(`\nNode ${version}\n`);
    results.push(await measureOn(node, version, chosen, extent, progress, !options.table));
  }
  await write({ ...about, nodes: results }, options);
  if (results.some(({ failures }) => failures.length > 0)) process.exitCode = 1;
}

/** @throws OptionError when a word picks nothing */
function choose(all: readonly Measurement[], only: readonly string[]): Measurement[] {
  const isIn = (word: string) => all.some(({ name }) => name.includes(word));
  const unknown = only.find((word) => !isIn(word));
  if (unknown !== undefined) throw new OptionError(`--only ${unknown}: nothing is called so; --list tells the names`);
  return all.filter(({ name }) => only.length === 0 || only.some((word) => name.includes(word)));
}

function list(chosen: readonly Measurement[], extent: Extent): void {
  for (const { name, lasts } of chosen) {
    process.stdout.write(`${name.padEnd(58)}${lasts(extent).toFixed(0).padStart(6)} s\n`);
  }
}

function versionOf(node: string): string {
  try {
    return execFileSync(node, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch (cause) {
    throw new OptionError(`--node ${node}: it is no program that tells a version`, { cause });
  }
}

async function measureOn(
  node: string,
  version: string,
  chosen: readonly Measurement[],
  extent: Extent,
  progress: Progress,
  prints: boolean,
): Promise<NodeResults> {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-bench-'));
  const processes = new Processes(node, join(dir, 'code-cache'));
  const clear = () => {
    processes.killAll();
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  };
  const stop = (signal: NodeJS.Signals) => {
    clear();
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const results: NodeResults = { node: version, figures: [], comparisons: [], failures: [] };
  const nodeMajor = Number(/\d+/.exec(version)?.[0]);
  const say = (what: string) => progress.say(what);
  const bench: Bench = { ...extent, nodeMajor, processes, servers: new Servers(processes, dir), dir, say };
  try {
    for (const measurement of chosen) await measureOne(bench, measurement, results, progress, prints);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    clear();
  }
  if (prints) for (const note of notesOf(results.comparisons)) process.stdout.write(`${note}\n`);
  return results;
}

/** One that fails takes no other with it. */
async function measureOne(
  bench: Bench,
  measurement: Measurement,
  results: NodeResults,
  progress: Progress,
  prints: boolean,
): Promise<void> {
  const { figures, comparisons, failures } = results;
  const print = (text: string) => prints && process.stdout.write(text);
  progress.next(measurement.name);
  progress.say('begins');
  try {
    for (const found of await measurement.measure(bench)) {
      if (isComparison(found)) {
        if (comparisons.length === 0) print(comparedHeadLine(found));
        print(comparedLine(found));
        comparisons.push(found);
      } else {
        if (figures.length === 0) print(headLine());
        print(figureLine(found));
        figures.push(found);
      }
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    failures.push({ name: measurement.name, reason });
    tell(`${measurement.name} could not be measured: ${reason}\n`);
  }
}

async function write(results: Results, { table, markdown: file, write: marked, json }: BenchOptions): Promise<void> {
  const text = markdown(results);
  if (table) process.stdout.write(text);
  if (file !== undefined) await writeFile(file, text);
  if (marked !== undefined) await replaceMarked(marked, text);
  if (json !== undefined) await writeFile(json, `${JSON.stringify(results, null, 2)}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const isUsage = error instanceof OptionError;
  const isExpected = isUsage || error instanceof NoOidcServer || error instanceof BuildFailure;
  tell(`npm run bench: ${isExpected ? error.message : String(error instanceof Error ? error.stack : error)}\n`);
  if (isUsage) tell('npm run bench -- --help tells the options\n');
  process.exitCode = isUsage ? 2 : 1;
});
