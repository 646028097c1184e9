import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { ROOT } from '../helpers/readme-blocks.js';

/** An instruction of a Dockerfile, with its flags (`--from`) apart. */
export interface Step {
  readonly name: string;
  readonly flags: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Stage {
  readonly image: string;
  readonly name: string;
  readonly steps: readonly Step[];
}

/** The stages of a Dockerfile, in their order. */
export function stagesOf(dockerfile: string): readonly Stage[] {
  const lines = dockerfile
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: { image: string; name: string; steps: Step[] }[] = [];
  for (const line of lines) {
    const [, name = '', given = '', text = ''] = /^(\S+) ((?:--\S+ )*)(.*)$/.exec(line) ?? [];
    const flags = Object.fromEntries(
      [...given.matchAll(/--([a-z-]+)=(\S+)/g)].map(([, flag = '', value]) => [flag, value ?? '']),
    );
    const [image = '', , as = ''] = text.split(' ');
    if (name === 'FROM') stages.push({ image, name: as, steps: [] });
    else stages.at(-1)?.steps.push({ name, flags, text });
  }
  return stages;
}

/** Stages as folders: a path of a stage lies below the stage's folder. */
export class Stages {
  readonly #dir: string;
  readonly #context: string;

  /** @param context what a COPY without `--from` takes from */
  constructor(dir: string, context: string) {
    this.#dir = dir;
    this.#context = context;
  }

  /** The path on this machine of a path in a stage. */
  path(stage: string, path: string): string {
    return join(this.#dir, stage, path);
  }

  /**
   * Executes WORKDIR, COPY and RUN.
   * @param without stages without a folder: nothing is copied from them
   * @returns the text of each other instruction, and the final WORKDIR
   */
  carryOut({ name: stage, steps }: Stage, without: readonly string[] = []): Readonly<Record<string, string>> {
    const left: Record<string, string> = {};
    let workdir = '/';
    for (const { name, flags, text } of steps) {
      if (name === 'WORKDIR') {
        workdir = resolve(workdir, text);
        mkdirSync(this.path(stage, workdir), { recursive: true });
      } else if (name === 'COPY') {
        if (flags.from === undefined || !without.includes(flags.from)) this.#copy(stage, workdir, flags.from, text);
      } else if (name === 'RUN') this.#run(text, this.path(stage, workdir));
      else left[name] = text;
    }
    return { ...left, WORKDIR: workdir };
  }

  #copy(stage: string, workdir: string, from: string | undefined, text: string): void {
    const words = text.split(' ');
    const target = words.pop() ?? '';
    const to = this.path(stage, resolve(workdir, target));
    for (const word of words) {
      const source = from === undefined ? join(this.#context, word) : this.path(from, word);
      // A folder is copied with its content, and a file into a folder if the target has a trailing slash.
      const isInto = !statSync(source).isDirectory() && target.endsWith('/');
      cpSync(source, isInto ? join(to, basename(source)) : to, { recursive: true, verbatimSymlinks: true });
    }
  }

  #run(command: string, cwd: string): void {
    if (/\bnpm ci\b/.test(command)) {
      install(cwd);
      return;
    }
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${command}: ${status}\n${stdout}${stderr}`);
  }
}

/** `npm ci` with the lock file of this checkout: the installed packages are copied, including those of workspaces. */
function install(to: string): void {
  const lock = readFileSync(join(to, 'package-lock.json'), 'utf8');
  if (lock !== readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) throw new Error('the lock file is another one');
  const workspaces = Object.keys(JSON.parse(lock).packages).filter((path) => !path.includes('node_modules'));
  for (const workspace of workspaces) {
    const packages = join(ROOT, workspace, 'node_modules');
    const into = join(to, workspace, 'node_modules');
    const filter = (path: string) => basename(path) !== '.cache';
    if (existsSync(packages)) cpSync(packages, into, { recursive: true, verbatimSymlinks: true, filter });
  }
}

/**
 * Copies the build context of a folder. In .dockerignore it supports `*`, `!name`, and `**` in front of a name.
 * @throws Error for other patterns
 */
export function copyContext(from: string, to: string, dockerignore: string): void {
  const patterns = dockerignore.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const unknown = patterns.find((pattern) => !/^(\*|![\w.-]+|\*\*\/\*?[\w.-]+)$/.test(pattern));
  if (unknown !== undefined) throw new Error(`.dockerignore: ${unknown} is of a form that this test does not know`);
  const names = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  const everywhere = patterns.filter((pattern) => pattern.startsWith('**/')).map((pattern) => pattern.slice(3));
  const isLeftOut = (name: string) =>
    everywhere.some((pattern) => (pattern.startsWith('*') ? name.endsWith(pattern.slice(1)) : name === pattern));
  for (const name of readdirSync(from).filter((one) => names.includes(one)))
    cpSync(join(from, name), join(to, name), { recursive: true, filter: (path) => !isLeftOut(basename(path)) });
}
