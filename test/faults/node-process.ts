import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NodePorts } from './balancer.js';

const COMMAND = fileURLToPath(new URL('../../../core/keyhost.js', import.meta.url));

/** A host as a process of its own, started and stopped again and again at the same ports. */
export class NodeProcess {
  readonly name: string;
  readonly ports: NodePorts;
  readonly #dir: string;
  readonly #argv: readonly string[];
  readonly #command: string;
  #child: ChildProcess | undefined;

  /** @param options.command another build's `core/keyhost.js`; this one's without it */
  constructor(options: {
    name: string;
    ports: NodePorts;
    dir: string;
    argv: readonly string[];
    command?: string | undefined;
  }) {
    this.name = options.name;
    this.ports = options.ports;
    this.#dir = options.dir;
    this.#argv = options.argv;
    this.#command = options.command ?? COMMAND;
    mkdirSync(this.#dir, { recursive: true });
  }

  /** The file that has what it says. */
  get log(): string {
    return join(this.#dir, 'log');
  }

  /** Resolves when it is ready. @throws Error when it ends before */
  async start(): Promise<void> {
    const { http, management } = this.ports;
    const ports = ['--http-port', `${http}`, '--management-port', `${management}`, '--grpc-port', '0'];
    const places = ['--data-dir', join(this.#dir, 'data')];
    const child = spawn(process.execPath, [this.#command, 'start-dev', ...ports, ...places, ...this.#argv]);
    this.#child = child;
    // Nothing of a trial that fails is left running.
    process.once('exit', () => child.kill('SIGKILL'));
    await new Promise<void>((resolve, reject) => {
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk) => {
          appendFileSync(this.log, chunk);
          output = `${output}${String(chunk)}`.slice(-4000);
          if (/^Keyhost ready /m.test(output)) resolve();
        });
      }
      child.once('exit', (code) => reject(new Error(`${this.name} ended with ${code}: ${output}`)));
    });
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** @returns the exit code, or the signal */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string | null> {
    const child = this.#child;
    if (child === undefined || !this.isRunning) return null;
    const exit = once(child, 'exit');
    child.kill(signal);
    const [code, by] = (await exit) as [number | null, string | null];
    return code ?? by;
  }
}
