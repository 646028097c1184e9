import type { GrpcCall } from '@keyhost/spi';
import type { TestFn } from 'ava';
import { startHost, type TestHost } from './host.js';
import { pluginSource, providersFolder, writePackage } from './plugins.js';
import { testRealm } from './realms.js';
import { shareStarted } from './shared-host.js';

export interface Item {
  readonly number?: number;
  readonly text?: string;
  readonly blob?: Uint8Array;
}

/** Test code in place of the service's methods. */
export interface Handlers {
  unary?: (item: Item, call: GrpcCall) => Promise<object | undefined>;
  down?: (item: Item, call: GrpcCall) => AsyncIterable<object>;
  up?: (items: AsyncIterable<Item>, call: GrpcCall) => Promise<object | undefined>;
  both?: (items: AsyncIterable<Item>, call: GrpcCall) => AsyncIterable<object>;
}

export const PROBE = {
  unary: '/test.raw.Probe/unary',
  down: '/test.raw.Probe/down',
  up: '/test.raw.Probe/up',
  both: '/test.raw.Probe/both',
} as const;

const PROTO = `syntax = "proto3";
package test.raw;
message Item { int32 number = 1; string text = 2; bytes blob = 3; }
service Probe {
  rpc unary (Item) returns (Item);
  rpc down (Item) returns (stream Item);
  rpc up (stream Item) returns (Item);
  rpc both (stream Item) returns (stream Item);
}
`;

/** A call runs the handlers of its `case`, since tests run concurrently. */
const PLUGIN = pluginSource(import.meta.url, 'plugins/probe.js');

export interface Probe {
  readonly host: TestHost;
  readonly address: string;
  /** @returns the headers of calls that these handlers answer */
  handle(handlers: Handlers): Record<string, string>;
}

export interface ProbeOptions {
  readonly argv?: readonly string[];
  readonly config?: object;
  readonly limits?: object;
}

/** One host for all tests of a file, as in `shareHost`. */
export function shareProbe(test: TestFn, options: ProbeOptions = {}, expected?: RegExp): () => Probe {
  return shareStarted(test, (scope) => startProbe(scope, options), expected);
}

/** A host with a service of all four types of call, whose methods the tests write. */
export async function startProbe(t: { teardown(fn: () => unknown): void }, options: ProbeOptions = {}): Promise<Probe> {
  const cases = new Map<string, Handlers>();
  (globalThis as { keyhostProbe?: Map<string, Handlers> }).keyhostProbe ??= cases;
  const shared = (globalThis as { keyhostProbe?: Map<string, Handlers> }).keyhostProbe ?? cases;
  const dir = await providersFolder(t, {});
  await writePackage(dir, 'probe', { 'index.js': PLUGIN, 'proto/probe.proto': PROTO });
  const host = await startHost(t, {
    realms: [testRealm('demo', { providers: { 'grpc-service': { probe: { enabled: true } } } })],
    plugins: [
      { module: 'probe', config: { 'grpc-service/probe': options.config ?? {} }, limits: options.limits ?? {} },
    ],
    argv: ['--providers-dir', dir, ...(options.argv ?? [])],
  });
  const address = host.grpcAddress;
  if (address === undefined) throw new Error('there is no gRPC server');
  return {
    host,
    address,
    handle(handlers) {
      const id = String(shared.size + 1);
      shared.set(id, handlers);
      return { case: id };
    },
  };
}

/** An Item in its wire format. */
export function item(number: number, text = ''): Buffer {
  const bytes = Buffer.from(text);
  if (number > 127 || bytes.length > 127) throw new Error('this writes small items only');
  return Buffer.concat([Buffer.from([8, number]), bytes.length > 0 ? Buffer.from([0x12, bytes.length]) : bytes, bytes]);
}

/**
 * Handlers that echo and record events: `ran` for a single message, `message`, `ended` if the stream of messages ended
 * properly, `failed` if it threw.
 */
export function recording(probe: Probe): { events: string[]; headers: Record<string, string> } {
  const events: string[] = [];
  const told = async function* (items: AsyncIterable<Item>) {
    try {
      for await (const given of items) {
        events.push('message');
        yield given;
      }
      events.push('ended');
    } catch (error) {
      events.push('failed');
      throw error;
    }
  };
  const headers = probe.handle({
    unary: async (given) => {
      events.push('ran');
      return given;
    },
    down: async function* (given) {
      events.push('ran');
      yield given;
    },
    up: async (items) => {
      let last: Item | undefined;
      for await (const given of told(items)) last = given;
      return last;
    },
    both: told,
  });
  return { events, headers };
}

/** The calls that ended, from the gRPC access log. */
export function endings({ host }: Probe): { method: string; code: string }[] {
  return host.log
    .filter(({ message }) => message === 'grpc')
    .map(({ fields }) => fields as { method: string; code: string })
    .map(({ method, code }) => ({ method, code }));
}
