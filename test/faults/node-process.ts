import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NodePorts } from './balancer.js';

const COMMAND = fileURLToPath(new URL('../../../core/keyhost.js', import.meta.url));

const START_MS = 60_000;

/** A host in its own process, which can be restarted with the same ports. */
export class NodeProcess {
  readonly name: string;
  readonly ports: NodePorts;
  readonly #dir: string;
  readonly #argv: readonly string[];
  readonly #command: string;
  readonly #data: string;
  readonly #env: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;

  /**
   * @param options.command `core/keyhost.js` of another build; default: this one
   * @param options.data data directory; default: in its folder
   * @param options.env variables in addition to those of this process
   */
  constructor(options: {
    name: string;
    ports: NodePorts;
    dir: string;
    argv: readonly string[];
    command?: string | undefined;
    env?: Readonly<Record<string, string>> | undefined;
    data?: string | undefined;
  }) {
    this.name = options.name;
    this.ports = options.ports;
    this.#dir = options.dir;
    this.#argv = options.argv;
    this.#command = options.command ?? COMMAND;
    this.#env = options.env ?? {};
    this.#data = options.data ?? join(this.#dir, 'data');
    mkdirSync(this.#dir, { recursive: true });
  }

  /** The log file. */
  get log(): string {
    return join(this.#dir, 'log');
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Resolves when it is ready. @throws Error if it ends before, or is not ready within a minute */
  async start(): Promise<void> {
    const { http, management } = this.ports;
    const ports = ['--http-port', `${http}`, '--management-port', `${management}`, '--grpc-port', '0'];
    const places = ['--data-dir', this.#data];
    const argv = [this.#command, 'start-dev', ...ports, ...places, ...this.#argv];
    const child = spawn(process.execPath, argv, { env: { ...process.env, ...this.#env } });
    this.#child = child;
    // A failed trial must leave no process running.
    const onExit = () => child.kill('SIGKILL');
    process.once('exit', onExit);
    child.once('exit', () => process.off('exit', onExit));
    await new Promise<void>((resolve, reject) => {
      let output = '';
      const timer = setTimeout(() => reject(new Error(`${this.name} does not become ready: ${output}`)), START_MS);
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk) => {
          appendFileSync(this.log, chunk);
          output = `${output}${String(chunk)}`.slice(-4000);
          if (!/^Keyhost ready /m.test(output)) return;
          clearTimeout(timer);
          resolve();
        });
      }
      child.once('exit', (code, signal) => {
        clearTimeout(timer);
        reject(new Error(`${this.name} ended with ${code ?? signal}: ${output}`));
      });
    });
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** @returns the exit code, or the signal */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string | null> {
    const child = this.#child;
    if (child === undefined || !this.isRunning) return null;
    const exit = once(child, 'exit');
    this.signal(signal);
    const [code, by] = (await exit) as [number | null, string | null];
    return code ?? by;
  }
}
