import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { ROOT } from './keyhost.js';

/** A server in a separate process, which has printed `ready http=…`. */
export interface Server {
  readonly url: string;
  /** `host:port` of its gRPC server. */
  readonly grpc: string;
  readonly pid: number;
  readonly child: ChildProcess;
  /** The time between the start of the process and its ready message, in milliseconds. */
  readonly readyMs: number;
}

/** The servers of one Node. They do not inherit the shell's environment, which could affect measurements. */
export class Processes {
  readonly #node: string;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #children = new Set<ChildProcess>();

  /** @param codeCache the folder for V8's code cache of the bundle */
  constructor(node: string, codeCache: string) {
    const { PATH, HOME } = process.env;
    // It contains code that is executed, so only its owner may write to it.
    mkdirSync(codeCache, { recursive: true, mode: 0o700 });
    this.#node = node;
    this.#env = { PATH, HOME, NODE_ENV: 'production', KEYHOST_CODE_CACHE: codeCache };
  }

  /**
   * @param cwd the folder of the Keyhost to start, which contains its plugins
   * @throws Error with its output if it ends before it is ready
   */
  async start(argv: readonly string[], cwd = ROOT): Promise<Server> {
    const began = performance.now();
    const child = spawn(this.#node, argv, { cwd, env: this.#env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#children.add(child);
    let output = '';
    const ready = await new Promise<string>((resolve, reject) => {
      const listen = (chunk: Buffer) => {
        output = `${output}${chunk}`.slice(-4000);
        const found = /ready http=.*/.exec(output)?.[0];
        if (found !== undefined) resolve(found);
      };
      child.stdout.on('data', listen);
      child.stderr.on('data', listen);
      child.once('error', reject);
      child.once('close', () => reject(new Error(`${argv.slice(0, 2).join(' ')} ended:\n${output}`)));
    });
    const readyMs = performance.now() - began;
    const place = (name: string) => new RegExp(`${name}=(\\S+)`).exec(ready)?.[1] ?? '';
    return { url: place('http'), grpc: place('grpc'), pid: child.pid ?? 0, child, readyMs };
  }

  /** Stops it as an operator does, and waits. */
  async stop({ child }: Server): Promise<void> {
    this.#children.delete(child);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'close');
    child.kill('SIGTERM');
    await ended;
  }

  killAll(): void {
    for (const child of this.#children) child.kill('SIGKILL');
  }
}
